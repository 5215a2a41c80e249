import { lookup } from 'node:dns';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Resolve } from './guarded-lookup.ts';

type Callback = Parameters<Resolve>[2];

/** How a program resolves names; made once for it, as its threads are. */
export interface Lookups {
  /** For hosts that tenants name. Those of the given partners take the slots of partners here too. */
  readonly tenants: Resolve;
  /** For systems that the operator names: identity provider, code host, the other program. */
  readonly partners: Resolve;
}

/**
 * Separate slots for names of tenants and of the operator's partners, so that unanswered lookups cannot block sign-in. Takes addresses of partners
 * that are reached otherwise, by git for example.
 */
export function createLookups(partnerAddresses: readonly string[], resolve: Resolve = lookup): Lookups {
  const names = new Set(partnerAddresses.map((address) => new URL(address).hostname));
  const partners = limitLookups(resolve, { most: LIMITS.partnerLookups, deadline: LIMITS.lookupTime });
  const others = limitLookups(resolve, { most: LIMITS.lookups, deadline: LIMITS.lookupTime });
  return {
    partners,
    tenants: (hostname, options, callback) => (names.has(hostname) ? partners : others)(hostname, options, callback),
  };
}

interface Waiting {
  readonly hostname: string;
  readonly options: Parameters<Resolve>[1];
  /** Told once: of the answer, or that it did not come in time. */
  readonly tell: Callback;
}

/**
 * Limits concurrent lookups. Each holds one of the four threads that files and cryptography share, and a tenant's name server may never answer: so
 * some threads are reserved, and a lookup that waits longer than the limit fails with EAI_AGAIN. A thread is free again only when its lookup has
 * ended.
 */
export function limitLookups(resolve: Resolve, { most, deadline }: { most: number; deadline: number }): Resolve {
  const queue = new Set<Waiting>();
  let asked = 0;
  const next = (): void => {
    for (const waiting of queue) {
      if (asked >= most) return;
      queue.delete(waiting);
      asked += 1;
      resolve(waiting.hostname, waiting.options, (error, addresses) => {
        asked -= 1;
        waiting.tell(error, addresses);
        next();
      });
    }
  };
  return (hostname, options, callback) => {
    let isOver = false;
    const tell: Callback = (error, addresses) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      callback(error, addresses);
    };
    const waiting: Waiting = { hostname, options, tell };
    const late = setTimeout(() => {
      queue.delete(waiting);
      tell(tooLate(hostname), []);
    }, deadline);
    queue.add(waiting);
    next();
  };
}

function tooLate(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`The name ${hostname} was not resolved in time.`), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
}
