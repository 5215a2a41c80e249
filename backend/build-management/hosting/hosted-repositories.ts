import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { anySignal } from '#backend/git/any-signal.ts';
import { prepareRepository, tidyRepository } from '#backend/git/prepare-repository.ts';
import { askGit } from '#backend/git/run-git.ts';
import type { GitRef, MirroredRepository, Mirrors } from '../git/mirrors.ts';

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
      const command = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads'];
      return refsOf(await askGit({ repository: pathOf(repository), command, signal: signal() }));
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

function refsOf(listed: string): GitRef[] {
  return listed.split('\n').flatMap((line) => {
    const [, commit, name] = /^([0-9a-f]+) refs\/heads\/(.+)$/.exec(line) ?? [];
    return commit === undefined || name === undefined ? [] : [{ name, commit }];
  });
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let size = 0;
  for (const entry of entries) if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  return size;
}
