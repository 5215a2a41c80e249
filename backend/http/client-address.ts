import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Where a request comes from: an IP address. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The address of the caller: that of the connection or, if it is a proxy of the settings, the last one in `x-forwarded-for` that is not a proxy.
 * Headers of other senders are ignored. Takes addresses and networks (`10.0.0.0/8`).
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  const list = blockList(trusted);
  const isTrusted = (address: string) =>
    trusted.length > 0 && isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return (request) => {
    let address = plain(connectionAddress(request));
    if (!isTrusted(address)) return address;
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').slice(-LONGEST).split(',');
    for (const one of forwarded.toReversed()) {
      const before = plain(one);
      if (isIP(before) === 0) break;
      address = before;
      if (!isTrusted(address)) break;
    }
    return address;
  };
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 one, for a household has as many of those as it likes. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [start = '', end] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(start), groups(end ?? '')];
  const between = end === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length);
  const all = [...left, ...Array.from({ length: between }, () => '0'), ...right];
  const network = all.slice(0, 4).map((group) => (Number.parseInt(group, 16) || 0).toString(16));
  return `${network.join(':')}::/64`;
}

/** In: what `networkOf` answers. Out: the /48 of an IPv6 network, which is what a customer of a provider gets at most; an IPv4 address as it is. */
export function widerNetworkOf(network: string): string {
  const [, start] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(network) ?? [];
  return start === undefined ? network : `${start}:/48`;
}

/** Whether a text is an address or a network, as the setting takes them. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** The address that the connection of a request comes from. */
export function connectionAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Without a port, brackets, and the form in which IPv6 sockets show IPv4 addresses. */
function plain(text: string): string {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  const mapped = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(mapped) === 0 ? mapped.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') : mapped;
}

/** Characters of the header that are looked at: a chain of proxies is short. */
const LONGEST = 1000;

const GROUPS = 8;
