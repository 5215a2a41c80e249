import { lookup } from 'node:dns';
import { LIMITS } from '#contract/limits.ts';
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
 * Slots for what tenants name, and others for the operator's partners, so that nobody can stop the sign-in of all by names that are
 * never answered. In: addresses of partners that are reached beside others, by git for example.
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
 * Resolves names with few questions at a time. A question holds one of the four threads that files and cryptography of
 * everybody wait for, and a name server that a tenant names may never answer: so some of the threads are kept from it, and whoever
 * waits longer than the limit is answered EAI_AGAIN and waits no more. A thread is free again only when its question has ended.
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
