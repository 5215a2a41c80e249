import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { DEFAULT_REF } from '#contract/names.ts';
import { BoundedMap } from '#backend/domain/bounded-map.ts';
import { githubKey } from '#backend/domain/code/code-origin.ts';
import type { CodeSources } from '#backend/domain/code/code-sources.ts';
import type { CodeFiles } from '#backend/domain/code/ports.ts';
import type { Store } from '#backend/domain/ports.ts';

interface Services {
  readonly store: Pick<Store, 'checks' | 'shortLived' | 'write'>;
  readonly files: Pick<CodeFiles, 'standing'>;
  readonly head: CodeSources['head'];
  /** Milliseconds between two looks at a repository; one may be asked for in between. */
  readonly interval: number;
  now(): Date;
}

interface Repository {
  readonly repository: string;
  readonly key: string;
  readonly owner: string;
  readonly repo: string;
}

/** A commit that is served although the branch has gone on, and since when that is known. */
const Behind = z.object({ served: z.string(), since: z.iso.datetime() });

/**
 * Whether pushes arrive (docs/contract.md 9.1): compares what is served with the branch at the code host. A difference that is there still after
 * a while, with no sync under way, is told; it ends when the two are the same again.
 */
export function unsyncedCode({ store, files, head, interval, now }: Services) {
  const { checks, shortLived } = store;
  const looked = new BoundedMap<string, { readonly at: number; readonly next: number }>(REMEMBERED);

  async function look(org: string, place: Repository, isDue: boolean, signal: AbortSignal): Promise<void> {
    const { repository, key, owner, repo } = place;
    const noted = Behind.safeParse(await shortLived.get('unsynced', `${org} ${key}`)).data;
    const standing = await files.standing(key, DEFAULT_REF);
    if (standing.state !== 'served' || (!isDue && (noted === undefined || noted.served === standing.sha))) return;
    const found = await head({ org, type: 'github', owner, repo }, DEFAULT_REF, signal);
    if (found === undefined) return;
    const time = now();
    const tell = (isOpen: boolean, about: string) =>
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
    if (found === standing.sha) {
      if (noted === undefined) return;
      await tell(false, found);
      await shortLived.take('unsynced', `${org} ${key}`);
    } else if (noted === undefined) {
      // A push that came this moment may still be told.
      const expires = new Date(time.getTime() + KEPT);
      await shortLived.put('unsynced', `${org} ${key}`, { served: standing.sha, since: time.toISOString() }, expires);
    } else if (time.getTime() - Date.parse(noted.since) >= GRACE) await tell(true, found);
  }

  /** `whole`: all repositories of the organization; else those that are due, and those that were behind and have been synchronised since. */
  return async (org: string, whole: boolean, signal: AbortSignal): Promise<void> => {
    const { at, next } = looked.get(org) ?? { at: Number.NEGATIVE_INFINITY, next: 0 };
    const time = now().getTime();
    const isDue = whole || (interval > 0 && at + interval <= time);
    const open = new Set(await checks.openSyncs(org, DEFAULT_REF));
    const hosted = (await checks.repositories(org)).flatMap(({ repository }) => onCodeHost(repository));
    // Those that were not compared the last time come first.
    const turn = new Set([...hosted.slice(next), ...hosted.slice(0, next)].slice(0, LIMITS.checkedRepositories));
    if (isDue) looked.set(org, { at: time, next: hosted.length === 0 ? 0 : (next + turn.size) % hosted.length });
    const idle = hosted.filter(({ key }) => !open.has(key));
    await Promise.all(idle.map((place) => look(org, place, isDue && turn.has(place), signal)));
  };
}

/** An external repository is asked for by build management, which is told of its pushes. */
function onCodeHost(repository: string): Repository[] {
  const [, owner, repo] = /^github:([^/]+)\/([^/]+)$/.exec(repository) ?? [];
  return owner === undefined || repo === undefined ? [] : [{ repository, key: githubKey(owner, repo), owner, repo }];
}

/** Milliseconds. Longer than a push, its webhook and its sync take. */
const GRACE = 15 * 60_000;
const KEPT = 365 * 24 * 60 * 60_000;
const REMEMBERED = 10_000;
