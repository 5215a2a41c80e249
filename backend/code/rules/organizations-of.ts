import type { Reads } from '../../domain/ports.ts';
import type { CodeOrigin } from './code-origin.ts';

/** All whose sites use the code of an origin, in the order of their names: whoever comes late in it counts as much as the first. */
export async function* organizationsOf(reads: Pick<Reads, 'orgsOfRepository'>, origin: CodeOrigin): AsyncGenerator<string> {
  if (origin.type === 'byogit') return yield origin.org;
  for (let after = ''; ;) {
    const orgs = await reads.orgsOfRepository(origin.repository, { after, limit: PAGE });
    yield* orgs;
    if (orgs.length < PAGE) return;
    after = orgs[orgs.length - 1] ?? '';
  }
}

const PAGE = 50;
