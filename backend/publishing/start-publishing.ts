import { randomUUID } from 'node:crypto';
import type { CopyPlace, PublishStore, SiteName } from '#backend/domain/publishing/ports.ts';
import type { Store } from '#backend/domain/ports.ts';
import { lookAtAll } from './look-at-all.ts';
import { publishBatch } from './publish-batch.ts';
import type { Purge } from './purge.ts';
import { startPurging } from './start-purging.ts';

export interface PublishingOptions {
  readonly store: Pick<Store, 'publishing' | 'onSiteChange' | 'code' | 'sharedTime'>;
  readonly place: CopyPlace;
  /** What the place is told from others by. */
  readonly placeName: string;
  /** Tells a CDN; rejects where it was not told. Left out where there is none. */
  readonly purge: Purge | undefined;
  now(): Date;
  /** An error of the storage, the place or the CDN, and what met it; one of a batch. */
  failed(what: string, error: unknown): void;
}

/** How often something happened since the start. */
export interface PublishingFigures {
  readonly copies: Readonly<Record<'written' | 'removed' | 'unchanged' | 'failed', number>>;
  readonly purges: Readonly<Record<'sent' | 'failed', number>>;
}

export interface PublishingWork {
  figures(): PublishingFigures;
  /** What is under way is given back, and published by whoever is next. */
  close(): Promise<void>;
}

/**
 * Writes the copy of the public configurations (docs/contract.md 6.5), and compares all of it with what is stored once a day. Batches of
 * sites are claimed under leases, so that a program that is killed leaves them to the next one. While place or storage are away, they are
 * asked again after pauses, which grow to 15 seconds. CDNs are told beside it: the copy does not wait for them.
 */
export function startPublishing({ store, place, placeName, purge, now, failed }: PublishingOptions): PublishingWork {
  const queue: PublishStore = store.publishing;
  const leaseTime = () => store.sharedTime(now());
  const figures = { copies: { written: 0, removed: 0, unchanged: 0, failed: 0 }, purges: { sent: 0, failed: 0 } };
  const ended = (outcome: 'sent' | 'failed') => void (figures.purges[outcome] += 1);
  const purging = purge && startPurging({ queue, purge, now, leaseTime, ended, failed });
  const stopping = new AbortController();
  const late = new AbortController();
  let [isNamed, failures, pausedUntil, lookAgainAt] = [false, 0, 0, 0];
  let working: Promise<void> | undefined;
  let workAgain = false;
  let behind = '';
  // An embedded store is this program's alone: whoever held a lease on it is gone.
  let leased = store.code.shared ? undefined : new Date(FAR_FUTURE);

  function wake(): void {
    workAgain = working !== undefined;
    if (stopping.signal.aborted || now().getTime() < pausedUntil) return;
    working ??= work()
      .catch((error: unknown) => {
        failed('publish', error);
        pause();
      })
      .finally(() => {
        working = undefined;
        if (workAgain) wake();
      });
  }

  function pause(): void {
    pausedUntil = now().getTime() + Math.min(PAUSE * 2 ** failures, LONGEST_PAUSE);
    failures += 1;
  }

  const goesOn = () => !stopping.signal.aborted && now().getTime() >= pausedUntil;

  async function work(): Promise<void> {
    if (!isNamed) await queue.publishTo(placeName);
    isNamed = true;
    while (goesOn()) {
      while (goesOn() && (await publishSome()));
      if (!goesOn() || !(await look())) return;
    }
  }

  /** Out: whether there may be more. */
  async function publishSome(): Promise<boolean> {
    if (!(await queue.isWaiting())) return false;
    const [owner, present] = [randomUUID(), await leaseTime()];
    const lease = { place: placeName, owner, until: new Date(present.getTime() + LEASE), now: present, leased: leased ?? present };
    const sites = await queue.claim({ ...lease, limit: SITES_AT_ONCE, behind });
    behind = lastInTurn(sites, behind);
    leased = undefined;
    if (sites.length === 0) return false;
    const batch = await publishBatch({ queue, place, purging, leaseTime, stopping: stopping.signal, late: late.signal }, sites, lease);
    for (const outcome of batch.published) figures.copies[outcome] += 1;
    figures.copies.failed += batch.failed;
    if (batch.error !== undefined) failed(batch.failedSite ?? 'publish', batch.error);
    if (batch.isAway) pause();
    else failures = 0;
    return true;
  }

  /** Out: whether there is something to be published now. */
  async function look(): Promise<boolean> {
    if (now().getTime() < lookAgainAt) return false;
    const { next, queued } = await lookAtAll({
      queue,
      place,
      placeName,
      now,
      leaseTime,
      lease: LEASE,
      isCdnBehind: purging?.isBehind() ?? false,
    });
    lookAgainAt = next.getTime();
    return queued;
  }

  const end = store.onSiteChange(wake);
  const timer = setInterval(wake, ASK_EVERY);
  timer.unref();
  wake();
  return {
    figures: () => figures,
    async close() {
      clearInterval(timer);
      end();
      workAgain = false;
      stopping.abort(new Error('The service stops.'));
      const patience = setTimeout(() => late.abort(new Error('The service stops.')), PATIENCE);
      await working;
      clearTimeout(patience);
      await purging?.close();
      await place.close();
    },
  };
}

/** Of the organizations that a batch has sites of, in the order that begins behind one and goes around. */
function lastInTurn(sites: readonly SiteName[], behind: string): string {
  const orgs = sites.map(({ org }) => org).toSorted(byCode);
  return orgs.filter((org) => org <= behind).at(-1) ?? orgs.at(-1) ?? behind;
}

function byCode(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const SITES_AT_ONCE = 60;
const ASK_EVERY = 1000;
const PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const PATIENCE = 2000;
/** Longer than a batch takes: see its deadline. */
const LEASE = 60_000;
const FAR_FUTURE = '9999-12-31';
