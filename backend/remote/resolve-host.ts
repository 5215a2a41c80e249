import { isIP } from 'node:net';
import { guardedLookup, refusal } from './guarded-lookup.ts';
import type { InternalAddresses, Resolve } from './guarded-lookup.ts';
import { isInternalAddress } from './internal-addresses.ts';
import { failure } from './remote.ts';

/** What the host of an address leads to, for programs that connect by themselves. Rejects with RemoteFailure. */
export async function resolveHost(url: string, internal: InternalAddresses, lookup: Resolve): Promise<string[]> {
  const { hostname, host } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) {
    if (internal === 'refuse' && isInternalAddress(literal)) throw failure(refusal(hostname), host);
    return [literal];
  }
  return await new Promise((resolve, reject) => {
    guardedLookup(internal, lookup)(hostname, { all: true }, (error, addresses) => {
      if (error !== null) reject(failure(error, host));
      else resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
    });
  });
}
