import { Agent } from 'undici';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';

/** For the hosted service and the hosts of its sites, which the operator configures: they may be internal, as a stand-in is. */
export function hostedAgent(resolve: Resolve): Agent {
  return new Agent({ connect: { timeout: 10_000, lookup: guardedLookup('allow', resolve) } });
}
