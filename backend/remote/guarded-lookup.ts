import { LIMITS } from '@repoless/contract/limits.ts';
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { CertificateReader, HostCertificate } from '../checks/rules/ports.ts';

export type InternalAddresses = 'refuse' | 'allow';

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The connection was not made because it would have led to an internal address. */
export class InternalAddressRefused extends Error {
  override readonly name = 'InternalAddressRefused';
}

/** Resolves names for connections, so that the checked address is the one in use. `*.localhost` is this machine for every resolver. */
export function guardedLookup(internal: InternalAddresses, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const [first] = addresses;
      const refused = internal === 'refuse' && addresses.some(({ address }) => isInternalAddress(address));
      if (refused || first === undefined) callback(refusal(hostname), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    if (isLoopbackName(hostname)) answer([{ address: '127.0.0.1', family: 4 }]);
    else {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error === null) answer(addresses);
        else callback(error, '', 0);
      });
    }
  };
}

export function refusal(hostname: string): InternalAddressRefused {
  return new InternalAddressRefused(`${hostname} is an internal address.`);
}

/** Whether an IP address belongs to this machine, to a private network, or to no host at all. Everything unreadable does. */
export function isInternalAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return INTERNAL_IPV4.check(address, 'ipv4');
  // An address with a zone is valid only on this machine's own networks.
  return address.includes('%') || ISATAP.test(address) || INTERNAL_IPV6.check(address, 'ipv6');
}

/** A name of this machine (RFC 6761, and the hosts files of common systems), whatever a resolver returns. */
function isLoopbackName(hostname: string): boolean {
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
  // The host below a virtual machine of one cloud vendor, reachable only from there.
  ['168.63.129.16', 32],
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

// Two lists: in one, the range of mapped addresses would cover all of IPv4.
const INTERNAL_IPV4 = blockList('ipv4');
const INTERNAL_IPV6 = blockList('ipv6');

function blockList(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of RANGES) if (`ipv${isIP(network)}` === family) list.addSubnet(network, prefix, family);
  return list;
}

type Callback = Parameters<Resolve>[2];

/** The resolvers of a program, created once, like its threads. */
export interface Lookups {
  /** For hosts that tenants name. Given partners use the slots of partners here too. */
  readonly tenants: Resolve;
  /** For systems that the operator names: identity provider, code host, the other program. */
  readonly partners: Resolve;
}

/**
 * Separate slots for names of tenants and of the operator's partners, so that unanswered lookups cannot block sign-in. Takes addresses of
 * partners that are reached otherwise, by git for example.
 */
export function createLookups(partnerAddresses: readonly string[], resolve: Resolve = lookup): Lookups {
  const names = new Set(partnerAddresses.map((address) => new URL(address).hostname));
  const partners = limitLookups(resolve, { limit: LIMITS.partnerLookups, deadline: LIMITS.lookupTime });
  const others = limitLookups(resolve, { limit: LIMITS.lookups, deadline: LIMITS.lookupTime });
  return {
    partners,
    tenants: (hostname, options, callback) => (names.has(hostname) ? partners : others)(hostname, options, callback),
  };
}

interface Waiting {
  readonly hostname: string;
  readonly options: Parameters<Resolve>[1];
  /** Called once: with the answer, or a timeout. */
  readonly answer: Callback;
}

/**
 * Limits concurrent lookups. Each holds one of the four threads that files and cryptography share, and a tenant's name server may never
 * answer: so some threads are reserved, and a lookup that waits longer than the limit fails with EAI_AGAIN. A thread is free again only
 * when its lookup has ended.
 */
export function limitLookups(resolve: Resolve, { limit, deadline }: { limit: number; deadline: number }): Resolve {
  const queue = new Set<Waiting>();
  let running = 0;
  const next = (): void => {
    for (const waiting of queue) {
      if (running >= limit) return;
      queue.delete(waiting);
      running += 1;
      resolve(waiting.hostname, waiting.options, (error, addresses) => {
        running -= 1;
        waiting.answer(error, addresses);
        next();
      });
    }
  };
  return (hostname, options, callback) => {
    let isAnswered = false;
    const answer: Callback = (error, addresses) => {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(timer);
      callback(error, addresses);
    };
    const waiting: Waiting = { hostname, options, answer };
    const timer = setTimeout(() => {
      queue.delete(waiting);
      const timeout = new Error(`The name ${hostname} was not resolved in time.`);
      answer(Object.assign(timeout, { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), []);
    }, deadline);
    queue.add(waiting);
    next();
  };
}

/** Reads the certificate that a host presents, and sends nothing. The issuer is not checked: only the expiry and the host name are. */
export function createCertificateReader(internalAddresses: InternalAddresses, resolve: Resolve): CertificateReader {
  return async (host, signal) => {
    if (signal.aborted || !URL.canParse(`https://${host}`)) return undefined;
    const address = new URL(`https://${host}`);
    const name = address.hostname.replace(/^\[|\]$/g, '');
    const isLiteral = isIP(name) !== 0;
    // An IP address needs no look-up.
    if (isLiteral && internalAddresses === 'refuse' && isInternalAddress(name)) return undefined;
    const socket = connect({
      host: name,
      port: address.port === '' ? HTTPS : Number(address.port),
      lookup: guardedLookup(internalAddresses, resolve),
      rejectUnauthorized: false,
      ...(isLiteral ? {} : { servername: name }),
    });
    return await presentedBy(socket, name, signal);
  };
}

function presentedBy(socket: TLSSocket, name: string, signal: AbortSignal): Promise<HostCertificate | undefined> {
  return new Promise((resolve) => {
    const end = (found?: HostCertificate): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      socket.destroy();
      resolve(found);
    };
    const leave = (): void => end();
    const timer = setTimeout(leave, LIMITS.certificateTime);
    signal.addEventListener('abort', leave);
    socket.on('error', leave);
    socket.on('close', leave);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      const ends = new Date(certificate?.validTo ?? Number.NaN);
      if (certificate === undefined || Number.isNaN(ends.getTime())) return end();
      const matched = isIP(name) !== 0 ? certificate.checkIP(name) : certificate.checkHost(name);
      return end({ ends, isForHost: matched !== undefined });
    });
  });
}

const HTTPS = 443;
