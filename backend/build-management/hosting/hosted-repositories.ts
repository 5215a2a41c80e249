import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '#contract/limits.ts';
import { anySignal } from '#backend/git/any-signal.ts';
import { listRefs } from '#backend/git/list-refs.ts';
import { prepareRepository, tidyRepository } from '#backend/git/prepare-repository.ts';
import type { GitRef, MirroredRepository, Mirrors } from '../git/mirrors.ts';
import { RepositoryProblem, TOO_MANY_BRANCHES } from '../git/repository-problem.ts';

export interface HostingSettings {
  readonly folder: string;
  /** Milliseconds of one call of git. */
  readonly timeout: number;
  /** Ends what is under way when the program stops. */
  readonly stopping: AbortSignal;
}

/**
 * The bare repositories that lie here themselves. They are read as mirrors are, but they are nobody's copy: nothing is
 * fetched, and what looks damaged is never removed.
 */
export interface HostedRepositories extends Mirrors {
  readonly folder: string;
  create(key: string): Promise<void>;
  /** How many references there are, and the commits of those of these names that are there. */
  refs(
    repository: Pick<MirroredRepository, 'key'>,
    names: ReadonlySet<string>,
  ): Promise<{ readonly count: number; readonly commits: ReadonlyMap<string, string> }>;
  /** Makes ready for a push: clears what one that was killed left. Out: the bytes that the repository has. */
  beforePush(repository: Pick<MirroredRepository, 'key' | 'vendor'>): Promise<number>;
  /** Each push leaves a pack; many of them make git slow. */
  afterPush(repository: Pick<MirroredRepository, 'key' | 'vendor'>): Promise<void>;
}

export function openHostedRepositories({ folder, timeout, stopping }: HostingSettings): HostedRepositories {
  const pathOf = ({ key }: Pick<MirroredRepository, 'key'>) => join(folder, `${key}.git`);
  const signal = () => anySignal(stopping, AbortSignal.timeout(timeout));
  const remove = async (repository: Pick<MirroredRepository, 'key'>) =>
    await rm(pathOf(repository), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return {
    folder,
    pathOf,
    remove,
    async create(key) {
      await prepareRepository(pathOf({ key }), signal());
    },
    async branches(repository) {
      const found: GitRef[] = [];
      await listRefs({ repository: pathOf(repository), below: 'refs/heads', signal: signal() }, ({ name, oid }) => {
        if (found.length <= MOST_LISTED) found.push({ name: name.replace('refs/heads/', ''), commit: oid });
      });
      if (found.length > MOST_LISTED) throw new RepositoryProblem(TOO_MANY_BRANCHES);
      return found;
    },
    async refs(repository, names) {
      const commits = new Map<string, string>();
      let count = 0;
      await listRefs({ repository: pathOf(repository), signal: signal() }, ({ name, oid }) => {
        count += 1;
        if (names.has(name)) commits.set(name, oid);
      });
      return { count, commits };
    },
    async fetch() {},
    async fresh() {},
    async mend() {
      return false;
    },
    async beforePush(repository) {
      const objects = join(pathOf(repository), 'objects');
      const left = (await readdir(objects)).filter((name) => name.startsWith('tmp_'));
      for (const name of left) await rm(join(objects, name), { recursive: true, force: true });
      return await sizeOf(objects);
    },
    async afterPush(repository) {
      await tidyRepository(pathOf(repository), signal());
    },
  };
}

/** Mirrors and hosted repositories as one, told apart by the vendor. */
export function withHosted(mirrors: Mirrors, hosted: Mirrors): Mirrors {
  const of = ({ vendor }: Pick<MirroredRepository, 'vendor'>) => (vendor === 'hosted' ? hosted : mirrors);
  return {
    pathOf: (repository) => of(repository).pathOf(repository),
    branches: (repository, token) => of(repository).branches(repository, token),
    fetch: (repository, token) => of(repository).fetch(repository, token),
    fresh: (repository, token, within) => of(repository).fresh(repository, token, within),
    mend: (repository, token) => of(repository).mend(repository, token),
    remove: (repository) => of(repository).remove(repository),
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let size = 0;
  for (const entry of entries) if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}

/** What was pushed before there was a bound can be listed, and so removed. */
const MOST_LISTED = 50 * LIMITS.hostedRefs;
