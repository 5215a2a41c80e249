import type { Reads } from '../ports.ts';

/** All whose sites use a repository, in the order of their names: whoever comes late in it counts as much as the first. */
export async function* organizationsOn(reads: Pick<Reads, 'orgsOfRepository'>, repository: string): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const orgs = await reads.orgsOfRepository(repository, { after, limit: PAGE });
    yield* orgs;
    if (orgs.length < PAGE) return;
    after = orgs[orgs.length - 1] ?? '';
  }
}

const PAGE = 50;
