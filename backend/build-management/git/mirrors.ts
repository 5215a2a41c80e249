import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SealedValue } from '#backend/domain/secrets/sealed-value.ts';
import type { InternalAddresses } from '#backend/remote/guarded-lookup.ts';
import { freshRuns } from './fresh-runs.ts';
import { repositoryProblem } from './repository-problem.ts';
import { askGit } from './run-git.ts';
import { remoteSettings } from './vendor-remote.ts';
import type { VendorRemote } from './vendor-remote.ts';

export interface MirrorSettings {
  readonly folder: string;
  readonly internalAddresses: InternalAddresses;
  /** Bytes of a repository as it is transferred. */
  readonly repositoryLimit: number;
  /** Milliseconds of one call of a git vendor. */
  readonly timeout: number;
  /** Ends what is under way when the program stops. */
  readonly stopping: AbortSignal;
}

export interface MirroredRepository extends VendorRemote {
  readonly key: string;
}

export interface GitRef {
  readonly name: string;
  readonly commit: string;
}

/** Bare mirrors of the external repositories. Every call rejects with RepositoryProblem where the vendor is the reason. */
export interface Mirrors {
  pathOf(repository: Pick<MirroredRepository, 'key'>): string;
  /** The branches at the vendor; without a token as anybody sees them. */
  branches(repository: MirroredRepository, token: SealedValue | undefined): Promise<GitRef[]>;
  /** Brings the mirror up to what the vendor has after this call began; calls at the same time share one transfer. */
  fetch(repository: MirroredRepository, token: SealedValue): Promise<void>;
  /** The same, unless that was done within so many milliseconds. */
  fresh(repository: MirroredRepository, token: SealedValue, within: number): Promise<void>;
  remove(repository: Pick<MirroredRepository, 'key'>): Promise<void>;
}

export function openMirrors(settings: MirrorSettings): Mirrors {
  const runs = freshRuns();
  const fetched = new Map<string, number>();
  const pathOf = ({ key }: Pick<MirroredRepository, 'key'>) => join(settings.folder, `${key}.git`);
  const signal = () => AbortSignal.any([settings.stopping, AbortSignal.timeout(settings.timeout)]);
  const login = async (repository: MirroredRepository, token: SealedValue | undefined) =>
    token === undefined
      ? await remoteSettings(repository, undefined, settings.internalAddresses)
      : await token.use((value) => remoteSettings(repository, value, settings.internalAddresses));

  async function transfer(repository: MirroredRepository, token: SealedValue): Promise<void> {
    const path = pathOf(repository);
    const isNew = await prepare(path);
    try {
      await askGit({
        repository: path,
        command: ['fetch', '--quiet', '--prune', '--no-tags', '--force', repository.cloneUrl, '+refs/heads/*:refs/heads/*'],
        settings: await login(repository, token),
        signal: signal(),
        fileLimit: settings.repositoryLimit,
      });
      await tidy(path);
    } catch (error) {
      if (isNew) await rm(path, { recursive: true, force: true });
      throw repositoryProblem(error);
    }
  }

  const mirrors: Mirrors = {
    pathOf,
    async branches(repository, token) {
      const command = ['ls-remote', '--heads', repository.cloneUrl];
      try {
        const listed = await askGit({ command, settings: await login(repository, token), signal: signal() });
        return refsOf(listed);
      } catch (error) {
        throw repositoryProblem(error);
      }
    },
    async fetch(repository, token) {
      await runs(repository.key, async () => {
        const began = Date.now();
        await transfer(repository, token);
        fetched.set(repository.key, began);
      });
    },
    async fresh(repository, token, within) {
      if (Date.now() - (fetched.get(repository.key) ?? 0) > within) await mirrors.fetch(repository, token);
    },
    async remove(repository) {
      fetched.delete(repository.key);
      // A transfer that is under way goes on writing for a moment: its folder is not empty yet where it was just emptied.
      await rm(pathOf(repository), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
  return mirrors;
}

/** Makes the mirror where it is missing, and clears what a program that was killed left. Out: whether it is new. */
async function prepare(path: string): Promise<boolean> {
  if ((await stat(join(path, 'HEAD')).catch(() => undefined)) === undefined) {
    await mkdir(path, { recursive: true });
    await askGit({ repository: path, command: ['init', '--quiet', '--bare', '--initial-branch=main', path] });
    return true;
  }
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const isLeftOver = entry.name.endsWith('.lock') || entry.name.startsWith('tmp_');
    if (entry.isFile() && isLeftOver) await rm(join(entry.parentPath, entry.name), { force: true });
  }
  return false;
}

/** Each transfer leaves a pack, or loose objects; many of them make git slow. */
async function tidy(path: string): Promise<void> {
  const packs = (await readdir(join(path, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length > MANY_PACKS) await askGit({ repository: path, command: ['gc', '--quiet', '--prune=now'] });
}

function refsOf(listed: string): GitRef[] {
  return listed.split('\n').flatMap((line) => {
    const [, commit, name] = /^([0-9a-f]+)\trefs\/heads\/(.+)$/.exec(line) ?? [];
    return commit === undefined || name === undefined ? [] : [{ name, commit }];
  });
}

const MANY_PACKS = 40;
