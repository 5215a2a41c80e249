import { randomUUID } from 'node:crypto';
import type { PublishStore, SiteName } from '#backend/domain/publishing/ports.ts';
import type { Purge } from './purge.ts';
import { without } from './without.ts';

export interface PurgingOptions {
  readonly queue: PublishStore;
  readonly purge: Purge;
  now(): Date;
  /** The present by the clock that all nodes share: what is stored of leases and attempts is set and compared by it. */
  leaseTime(): Promise<Date>;
  ended(outcome: 'sent' | 'failed'): void;
  failed(what: string, error: unknown): void;
}

export interface Purging {
  /** What this batch wrote is told soon. Resolves when no change of these sites waits for that any longer. */
  take(sites: readonly SiteName[], owner: string): Promise<void>;
  /** Whether sites wait for the CDN: it did not take the last purge, or is slower than the copying. */
  isBehind(): boolean;
  /** What is not told is given back. */
  close(): Promise<void>;
}

interface Group {
  readonly owner: string;
  readonly sites: readonly SiteName[];
}

/**
 * Tells the CDNs of copies that are written, beside the copying: nobody waits for a CDN but the sites that it is to forget (decision 0202).
 * These stay in the queue until it was told, so that whoever is killed leaves them to the next one. A CDN that does not take a purge
 * is asked again after pauses; where very many sites wait for it, they come so slowly that comparing them again costs little.
 */
export function startPurging({ queue, purge, now, leaseTime, ended, failed }: PurgingOptions): Purging {
  const groups: Group[] = [];
  let [failures, pausedUntil, isFull, isStopping] = [0, 0, false, false];
  let counted = { count: 0, until: 0 };
  let working: Promise<void> | undefined;

  const after = async (milliseconds: number) => new Date((await leaseTime()).getTime() + milliseconds);

  /** When those that are not told now are done again. */
  async function later(): Promise<Date> {
    const present = now().getTime();
    if (present >= counted.until) counted = { count: (await queue.waiting()).count, until: present + COUNT_EVERY };
    return await after(Math.max(pausedUntil - present, FIRST_PAUSE) + Math.random() * (counted.count / SITES_A_SECOND) * 1000);
  }

  function wake(): void {
    working ??= work()
      .catch((error: unknown) => failed('purge', error))
      .finally(() => {
        working = undefined;
        if (groups.length > 0 && !isStopping) wake();
      });
  }

  async function work(): Promise<void> {
    while (groups.length > 0 && !isStopping) {
      const told = groups.splice(0);
      const isTold = await tell(told.flatMap(({ sites }) => sites));
      for (const one of told) await (isTold ? finish(one) : giveBack(one, await later()));
    }
  }

  async function tell(sites: readonly SiteName[]): Promise<boolean> {
    try {
      await purge(sites);
      failures = 0;
      ended('sent');
      return true;
    } catch (error) {
      pausedUntil = now().getTime() + Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
      failures += 1;
      ended('failed');
      failed(sites.map(({ org, site }) => `${org}/${site}`)[0] ?? 'purge', error);
      return false;
    }
  }

  async function finish({ owner, sites }: Group): Promise<void> {
    const finished = await queue.finish(owner);
    // Those that changed meanwhile. Whoever claimed one of them tells the CDN again.
    for (const site of without(sites, finished)) await queue.again(site, owner, now());
  }

  async function giveBack({ owner, sites }: Group, next: Date): Promise<void> {
    await queue.written({ sites, owner, as: '', next, problem: SENTENCE });
  }

  return {
    async take(sites, owner) {
      const present = now().getTime();
      isFull = groups.length > 0 && groups.reduce((sum, group) => sum + group.sites.length, sites.length) > SITES_AT_ONCE;
      const isTaken = !isStopping && !isFull && present >= pausedUntil;
      const group = { owner: isTaken ? randomUUID() : '', sites };
      const next = isTaken ? await after(TOLD_WITHIN) : await later();
      const written = await queue.written({ sites, owner, as: group.owner, next, problem: SENTENCE });
      // What changes just now, and what somebody took over who may have written before us, is compared once more.
      const lost = without(sites, written);
      for (const site of lost) await queue.failed(site, owner, await leaseTime(), SENTENCE);
      await queue.queue(lost, now());
      if (!isTaken) return;
      groups.push(group);
      wake();
    },
    isBehind: () => failures > 0 || isFull,
    async close() {
      isStopping = true;
      await working;
      for (const group of groups.splice(0)) await giveBack(group, await leaseTime());
    },
  };
}

const SENTENCE = 'The CDN has not been notified yet.';
/** So many wait in memory while a purge is under way; a batch has no more. */
const SITES_AT_ONCE = 60;
/** Milliseconds: longer than two purges of so many take. Sites whose publisher was killed are told again after it. */
const TOLD_WITHIN = 60_000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const COUNT_EVERY = 10_000;
const SITES_A_SECOND = 100;
