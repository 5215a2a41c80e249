import { BlockList, isIP } from 'node:net';

/** Whether an IP address belongs to this machine, to a private network, or to no host at all. Everything unreadable does. */
export function isInternalAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return INTERNAL_IPV4.check(address, 'ipv4');
  // One with a zone is good on this machine's own networks alone.
  return address.includes('%') || ISATAP.test(address) || INTERNAL_IPV6.check(address, 'ipv6');
}

/** A name that means this machine (RFC 6761, and the hosts files of the usual systems), whatever a resolver says of it. */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return name.endsWith('.localhost') || LOOPBACK_NAMES.has(name);
}

/** An IPv4 address behind any prefix (RFC 5214). */
const ISATAP = /:0?[02]00:5efe:|::5efe:|:0:5efe:/i;

const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
  'ip6-localhost',
  'ip6-loopback',
  'ipv6-localhost',
  'ipv6-loopback',
]);

const RANGES: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // IPv6: unspecified and loopback, addresses that carry an IPv4 one (compatible, mapped, translated, NAT64, Teredo, 6to4), and what
  // is not global.
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:10::', 28],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// Two lists: in one, the range of the mapped addresses would cover all of IPv4.
const INTERNAL_IPV4 = blockList('ipv4');
const INTERNAL_IPV6 = blockList('ipv6');

function blockList(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of RANGES) if (`ipv${isIP(network)}` === family) list.addSubnet(network, prefix, family);
  return list;
}
