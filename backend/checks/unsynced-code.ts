import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { githubKey, originOf } from '../code/rules/code-origin.ts';
import type { BranchProbe, CodeFiles, CodeSources } from '../code/rules/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Store } from '../domain/ports.ts';

interface Services {
  readonly store: Pick<Store, 'checks' | 'reads' | 'shortLived' | 'write'>;
  readonly files: Pick<CodeFiles, 'availability'>;
  /** For a repository of the code host. */
  readonly head: CodeSources['head'];
  /** For an external one, with its stored secret. */
  readonly branchProbe: BranchProbe;
  /** Milliseconds between two probes of a repository, unless one is requested in between. */
  readonly interval: number;
  now(): Date;
}

interface Repository {
  readonly repository: string;
  readonly key: string;
  /** The commit of its main branch; undefined if it is unknown. */
  head(signal: AbortSignal): Promise<string | undefined>;
}

/** A commit that is served although the branch has newer ones, and since when that is known. */
const Behind = z.object({ served: z.string(), since: z.iso.datetime() });

/**
 * Whether pushes arrive (docs/contract.md 9.1): compares the served commit with the branch at the code host. A difference that persists for
 * a while, with no sync in progress, is reported; the problem ends when the two are the same again.
 */
export function unsyncedCode({ store, files, head, branchProbe, interval, now }: Services) {
  const { checks, reads, shortLived } = store;
  const compared = new LRUCache<string, { readonly at: number; readonly next: number }>({ max: REMEMBERED });

  async function compare(org: string, target: Repository, isDue: boolean, signal: AbortSignal): Promise<void> {
    const { repository, key } = target;
    const behind = Behind.safeParse(await shortLived.get('unsynced', `${org} ${key}`)).data;
    const code = await files.availability(key, DEFAULT_REF);
    if (code.state !== 'served' || (!isDue && (behind === undefined || behind.served === code.synced))) return;
    const found = await target.head(signal);
    if (found === undefined) return;
    const time = now();
    const report = (isOpen: boolean, about: string) =>
      store.write((writes) =>
        writes.setCause({
          kind: 'sync-silent',
          cause: `${key}#${DEFAULT_REF}`,
          org,
          repository,
          ref: DEFAULT_REF,
          about,
          isOpen,
          time: time.toISOString(),
        }),
      );
    // For a branch that is rolled back, pushes still arrive.
    if (found === code.synced) {
      if (behind === undefined) return;
      await report(false, found);
      await shortLived.take('unsynced', `${org} ${key}`);
    } else if (behind === undefined) {
      // A current push may still be delivered.
      const expires = new Date(time.getTime() + RETENTION);
      await shortLived.put('unsynced', `${org} ${key}`, { served: code.synced, since: time.toISOString() }, expires);
    } else if (time.getTime() - Date.parse(behind.since) >= GRACE) await report(true, found);
  }

  function onCodeHost(org: string, repository: string): Repository[] {
    const [, owner, repo] = /^github:([^/]+)\/([^/]+)$/.exec(repository) ?? [];
    if (owner === undefined || repo === undefined) return [];
    const request = { org, type: 'github', owner, repo } as const;
    return [{ repository, key: githubKey(owner, repo), head: (signal) => head(request, DEFAULT_REF, signal) }];
  }

  /** Reads an external repository with the secret that a site of the organization holds, at the addresses of that site. */
  async function external(org: string, repository: string): Promise<Repository | undefined> {
    const holder = await reads.secretHolder(org, repository);
    const site = holder === undefined ? undefined : await reads.site(holder.org, holder.site);
    const origin = originOf(org, site?.aggregate.code);
    if (origin?.type !== 'byogit') return undefined;
    const branch = async (): Promise<string | undefined> => {
      const found = await branchProbe(origin, { ref: DEFAULT_REF, branch: DEFAULT_REF }).catch(ignoreOverload);
      return found?.state === 'found' ? found.sha : undefined;
    };
    return { repository, key: origin.key, head: branch };
  }

  /** One after the other, because they are often on the same host, which may be slow. */
  async function compareExternal(
    org: string,
    repositories: readonly string[],
    { isDue, open, signal }: { isDue(repository: string): boolean; open: ReadonlySet<string>; signal: AbortSignal },
  ): Promise<void> {
    const anyBehind = repositories.length > 0 && (await shortLived.list('unsynced', `${org} byogit:`)).length > 0;
    for (const repository of repositories) {
      if (signal.aborted) return;
      if (!anyBehind && !isDue(repository)) continue;
      const target = await external(org, repository);
      if (target !== undefined && !open.has(target.key)) await compare(org, target, isDue(repository), signal);
    }
  }

  /**
   * `isComplete`: all repositories of the organization; otherwise those that are due, and those that were behind and have been synchronized
   * since.
   */
  return async (org: string, isComplete: boolean, signal: AbortSignal): Promise<void> => {
    const { at, next } = compared.get(org) ?? { at: Number.NEGATIVE_INFINITY, next: 0 };
    const time = now().getTime();
    const isDue = isComplete || (interval > 0 && at + interval <= time);
    const open = new Set(await checks.openSyncs(org, DEFAULT_REF));
    const all = (await checks.repositories(org)).map(({ repository }) => repository);
    // Those that were not compared the last time come first.
    const chosen = new Set([...all.slice(next), ...all.slice(0, next)].slice(0, LIMITS.checkedRepositories));
    if (isDue) compared.set(org, { at: time, next: all.length === 0 ? 0 : (next + chosen.size) % all.length });
    const isChosen = (repository: string): boolean => isDue && chosen.has(repository);
    const idle = all.flatMap((repository) => onCodeHost(org, repository)).filter(({ key }) => !open.has(key));
    const others = all.filter((repository) => repository.startsWith('byogit:'));
    await Promise.all([
      ...idle.map((target) => compare(org, target, isChosen(target.repository), signal)),
      compareExternal(org, others, { isDue: isChosen, open, signal }),
    ]);
  };
}

/** If too many requests are waiting, the branch is read the next time. */
export function ignoreOverload(error: unknown): undefined {
  if (!(error instanceof Refusal && error.code === 'OVERLOADED')) throw error;
}

/** Milliseconds. Longer than a push, its webhook and its sync take. */
const GRACE = 15 * 60_000;
const RETENTION = 365 * 24 * 60 * 60_000;
const REMEMBERED = 10_000;
