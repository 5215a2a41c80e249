import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInternalAddress, isLoopbackName } from './internal-addresses.ts';

export type InternalAddresses = 'refuse' | 'allow';

/** How names are resolved. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The connection was not made because it would have led to an internal address. */
export class InternalAddressRefused extends Error {
  override readonly name = 'InternalAddressRefused';
}

/**
 * Resolves names for connections, so that the address that is checked is the one that is connected to. `*.localhost` is
 * this machine, which resolvers do not always know.
 */
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
