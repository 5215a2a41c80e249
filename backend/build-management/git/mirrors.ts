import type { SealedValue } from '@repoless/contract/secret.ts';
import { LRUCache } from 'lru-cache';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mirrorState, prepareRepository, tidyRepository } from '../../git/mirror.ts';
import { anySignal, gitOutput, GitFailure } from '../../git/run-git.ts';
import type { InternalAddresses, Resolve } from '../../remote/guarded-lookup.ts';
import { isVendorProblem, remoteSettings, RepositoryRemoved, repositoryProblem, type VendorRemote } from './repository-problem.ts';
import { type ListedEntry, ListingEnded, listTree, type ObjectStream, openObjectStream } from '../../git/read-objects.ts';

interface MirrorSettings {
  readonly folder: string;
  readonly internalAddresses: InternalAddresses;
  readonly lookup: Resolve;
  /** Maximum bytes of a repository in a transfer. */
  readonly repositoryLimit: number;
  /** Milliseconds of one call of a git vendor. */
  readonly timeout: number;
  readonly stopping: AbortSignal;
  /** The mirror in this folder is being removed: ends its readers. */
  onRelease(path: string): void;
  /** Whether the repository of this key still exists. */
  exists(key: string): Promise<boolean>;
}

interface MirroredRepository extends VendorRemote {
  readonly key: string;
}

interface GitRef {
  readonly name: string;
  readonly commit: string;
}

/**
 * Bare mirrors of the external repositories. Every call rejects with RepositoryProblem if the vendor is the cause, and transfers reject
 * with RepositoryRemoved if the repository was removed concurrently; no mirror of it is left then.
 */
export interface Mirrors {
  pathOf(repository: Pick<MirroredRepository, 'key' | 'vendor'>): string;
  /** The branches at the vendor; without a token, as everyone sees them. */
  branches(repository: MirroredRepository, token: SealedValue | undefined): Promise<GitRef[]>;
  /** Updates the mirror to the vendor's state after the start of this call; concurrent calls share one transfer. */
  fetch(repository: MirroredRepository, token: SealedValue): Promise<void>;
  /** `fetch`, unless the last one started within this many milliseconds. */
  fetchUnlessRecent(repository: MirroredRepository, token: SealedValue, within: number): Promise<void>;
  /** Recreates the mirror if it is damaged. Returns whether it was. */
  repair(repository: MirroredRepository, token: SealedValue): Promise<boolean>;
  remove(repository: Pick<MirroredRepository, 'key' | 'vendor'>): Promise<void>;
}

export function openMirrors(settings: MirrorSettings): Mirrors {
  const runs = createCoalescedRuns();
  const fetched = new LRUCache<string, number>({ max: CACHED_FETCH_TIMES });
  const pathOf = ({ key }: Pick<MirroredRepository, 'key'>) => join(settings.folder, `${key}.git`);
  const signal = () => anySignal(settings.stopping, AbortSignal.timeout(settings.timeout));
  const gitSettings = async (repository: MirroredRepository, token: SealedValue | undefined) =>
    token === undefined
      ? await remoteSettings(repository, undefined, settings)
      : await token.use((value) => remoteSettings(repository, value, settings));

  async function transfer(repository: MirroredRepository, token: SealedValue): Promise<void> {
    const path = pathOf(repository);
    // It may have been removed while the caller waited in the queue.
    if (!(await settings.exists(repository.key))) throw new RepositoryRemoved();
    try {
      await fetchInto(repository, token).catch(async (error: unknown) => {
        if (isVendorProblem(error) || !(await removeIfDamaged(path))) throw error;
        await fetchInto(repository, token);
      });
    } catch (error) {
      await requireExisting(repository);
      throw repositoryProblem(error, repository);
    }
    await requireExisting(repository);
  }

  /** Removes what a transfer wrote after the mirror was removed with its repository. */
  async function requireExisting(repository: MirroredRepository): Promise<void> {
    if (await settings.exists(repository.key)) return;
    settings.onRelease(pathOf(repository));
    await mirrors.remove(repository);
    throw new RepositoryRemoved();
  }

  async function removeIfDamaged(path: string): Promise<boolean> {
    if ((await mirrorState(path, signal())) !== 'damaged') return false;
    settings.onRelease(path);
    await rm(path, { recursive: true, force: true });
    return true;
  }

  async function fetchInto(repository: MirroredRepository, token: SealedValue): Promise<void> {
    const path = pathOf(repository);
    const isNew = await prepareRepository(path, signal());
    try {
      await gitOutput({
        repository: path,
        command: ['fetch', '--quiet', '--prune', '--no-tags', '--force', repository.cloneUrl, '+refs/heads/*:refs/heads/*'],
        settings: await gitSettings(repository, token),
        signal: signal(),
        fileLimit: settings.repositoryLimit,
      });
      await tidyRepository(path, signal());
    } catch (error) {
      if (isNew) await rm(path, { recursive: true, force: true });
      throw error;
    }
  }

  const mirrors: Mirrors = {
    pathOf,
    async branches(repository, token) {
      const command = ['ls-remote', '--heads', repository.cloneUrl];
      try {
        const listed = await gitOutput({ command, settings: await gitSettings(repository, token), signal: signal() });
        return refsOf(listed);
      } catch (error) {
        throw repositoryProblem(error, repository);
      }
    },
    async fetch(repository, token) {
      await runs(repository.key, async () => {
        const started = Date.now();
        await transfer(repository, token);
        fetched.set(repository.key, started);
      });
    },
    async fetchUnlessRecent(repository, token, within) {
      if (Date.now() - (fetched.get(repository.key) ?? 0) > within) await mirrors.fetch(repository, token);
    },
    async repair(repository, token) {
      let wasDamaged = false;
      await runs(repository.key, async () => {
        wasDamaged = await removeIfDamaged(pathOf(repository));
        if (wasDamaged) await transfer(repository, token);
      });
      return wasDamaged;
    },
    async remove(repository) {
      fetched.delete(repository.key);
      // A running transfer still writes for a moment, so its folder may not stay empty.
      await rm(pathOf(repository), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
  return mirrors;
}

function refsOf(listed: string): GitRef[] {
  return listed.split('\n').flatMap((line) => {
    const [, commit, name] = /^([0-9a-f]+)\trefs\/heads\/(.+)$/.exec(line) ?? [];
    return commit === undefined || name === undefined ? [] : [{ name, commit }];
  });
}

const CACHED_FETCH_TIMES = 10_000;

export type CoalescedRuns = (key: string, work: () => Promise<void>) => Promise<void>;

/**
 * Runs work of one key at a time. A request during a run waits for the next one, which starts after the request; all waiting requests share
 * it.
 */
export function createCoalescedRuns(): CoalescedRuns {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();

  const start = (key: string, work: () => Promise<void>): Promise<void> => {
    const run = work().finally(() => {
      if (running.get(key) === run) running.delete(key);
    });
    running.set(key, run);
    return run;
  };

  return (key, work) => {
    const current = running.get(key);
    if (current === undefined) return start(key, work);
    const next =
      waiting.get(key) ??
      current
        .catch(() => undefined)
        .then(() => {
          waiting.delete(key);
          return start(key, work);
        });
    waiting.set(key, next);
    return next;
  };
}

/** Removes mirrors of repositories that no longer exist, left by a process that was killed. Other files are left alone. */
export async function sweepMirrors(folder: string, keys: () => Promise<readonly string[]>): Promise<void> {
  // Before reading the keys, so that repositories added from now on are not included.
  const stored = await readdir(folder).catch(() => []);
  const existing = new Set(await keys());
  for (const name of stored) {
    const key = MIRROR.exec(name)?.[1];
    if (key !== undefined && !existing.has(key)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

const MIRROR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.git(?:\.unfinished)?$/;

export type Objects = ReturnType<typeof openObjects>;

/**
 * Reads objects of mirrors through git processes that stay open for further reads, a pair for each of the most recently used mirrors. Takes
 * the maximum number of entries of a tree, and the milliseconds that listing them may take.
 */
export function openObjects(entryLimit: number, listingTime: number) {
  const readers = new LRUCache<string, Reader>({ max: MAX_READERS, dispose: endReader });
  const closing = new AbortController();
  const readerOf = (path: string): Reader => {
    const reader = readers.get(path) ?? startReader(path);
    readers.set(path, reader);
    return reader;
  };
  const release = (path: string) => void readers.delete(path);
  const withReader = async <T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> => {
    const reader = readerOf(path);
    try {
      return await work(reader);
    } catch {
      // The process had ended, or was displaced from the cache: retry once with a new one.
      if (readers.get(path) === reader) release(path);
      return await work(readerOf(path));
    }
  };
  return {
    /** The object that a name (`<commit>:<path>`, `refs/heads/main^{tree}` …) refers to. The name has no line break. */
    find: (path: string, name: string) => withReader(path, ({ check }) => check.query(name).then((answer) => answer?.found)),
    bytes: (path: string, oid: string) => withReader(path, ({ contents }) => contents.query(oid).then((answer) => answer?.bytes)),
    /** Streams the entries below a tree, up to the limit; undefined if there is no such tree. */
    async tree(repository: string, treeish: string, isRecursive: boolean, take: (entry: ListedEntry) => void) {
      const limits = { limit: entryLimit, time: listingTime, signal: closing.signal };
      try {
        await listTree({ repository, treeish, isRecursive, ...limits }, take);
        return { truncated: false };
      } catch (error) {
        if (error instanceof ListingEnded) return { truncated: true };
        if (error instanceof GitFailure) return undefined;
        throw error;
      }
    },
    release,
    close(): void {
      closing.abort(new Error('Build management is stopping.'));
      readers.clear();
    },
  };
}

interface Reader {
  readonly check: ObjectStream;
  readonly contents: ObjectStream;
}

function startReader(repository: string): Reader {
  return { check: openObjectStream(repository, false), contents: openObjectStream(repository, true) };
}

function endReader({ check, contents }: Reader): void {
  check.end();
  contents.end();
}

const MAX_READERS = 16;
