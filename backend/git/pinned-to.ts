import { isIP } from 'node:net';

/**
 * Settings by which git connects to these addresses, whatever a resolver says by then: the address that was checked is the one
 * that is connected to. In: where git is sent, and what its host was resolved to, at least one address.
 */
export function pinnedTo(url: string, addresses: readonly string[]): string[] {
  const { hostname, port, protocol } = new URL(url);
  if (addresses.length === 0) throw new Error(`${hostname} has no address.`);
  // An address by itself is connected to without a look-up.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  // A final dot means the same host, and is another name for the one who connects.
  const name = hostname.replace(/\.$/, '');
  return [name, `${name}.`].map((one) => `http.curloptResolve=${one}:${at}:${addresses.join(',')}`);
}
