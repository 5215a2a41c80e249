import type { CopyPlace, PublishStore, QueuedSite, QueueLease, SiteName } from '#backend/domain/publishing/ports.ts';
import { publishSite } from './publish-site.ts';
import type { Published } from './publish-site.ts';
import type { Purging } from './start-purging.ts';
import { without } from './without.ts';

interface Batch {
  readonly queue: PublishStore;
  readonly place: CopyPlace;
  /** Undefined where there is no CDN. */
  readonly purging: Purging | undefined;
  /** The present by the clock that all nodes share: what is stored of leases and attempts is set and compared by it. */
  leaseTime(): Promise<Date>;
  /** Nothing further is begun. */
  readonly stopping: AbortSignal;
  /** What is begun is given up. */
  readonly late: AbortSignal;
}

export interface BatchEnd {
  /** Of each host. */
  readonly published: readonly Published[];
  /** Sites that wait for another attempt. */
  readonly failed: number;
  /** The first one that was met, and where. */
  readonly error: unknown;
  readonly failedSite: string | undefined;
  /** Nothing succeeded: the place or the storage are away. */
  readonly isAway: boolean;
}

/**
 * Publishes what was claimed, then notes it: whoever is killed in between leaves all of it to be done again, which changes nothing that is
 * right. What a CDN is to be told of stays in the queue until it was.
 */
export async function publishBatch(
  batch: Batch,
  sites: readonly QueuedSite[],
  lease: Omit<QueueLease, 'limit' | 'behind'>,
): Promise<BatchEnd> {
  const { queue, leaseTime } = batch;
  const { signal: deadline, end } = deadlineOf(batch.late);
  const rest = [...sites];
  const published: Published[] = [];
  const changed: QueuedSite[] = [];
  const failures: { readonly site: QueuedSite; readonly error: unknown }[] = [];
  let succeeded = 0;

  async function worker(): Promise<void> {
    while (!batch.stopping.aborted && !deadline.aborted && (succeeded > 0 || failures.length < ENOUGH_FAILURES)) {
      const site = rest.shift();
      if (site === undefined) return;
      try {
        const outcomes = await publishSite({ store: queue, place: batch.place }, site, deadline);
        succeeded += 1;
        published.push(...outcomes);
        // An earlier attempt may have written it and not told the CDN.
        if (site.attempts > 1 || outcomes.some((outcome) => outcome !== 'unchanged')) changed.push(site);
      } catch (error) {
        failures.push({ site, error });
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(COPIES_AT_ONCE, sites.length) }, worker));
  end();
  for (const site of rest) await queue.release(site, lease.owner);
  for (const { site } of failures) await queue.failed(site, lease.owner, nextAttempt(site, await leaseTime()), SENTENCE);
  const told = batch.purging === undefined ? [] : changed;
  if (told.length > 0) await batch.purging?.take(told, lease.owner);
  await note(queue, without(sites, [...rest, ...failures.map(({ site }) => site), ...told]), lease);
  const [first] = failures;
  return {
    published,
    failed: failures.length,
    error: first?.error,
    failedSite: first && `${first.site.org}/${first.site.site}`,
    isAway: failures.length > 0 && failures.length >= succeeded,
  };
}

/** A timer of our own holds it: Node.js lets go of an `AbortSignal.timeout` that only a combined signal knows of. */
function deadlineOf(late: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('The time of the batch is over.')), DEADLINE);
  return { signal: AbortSignal.any([controller.signal, late]), end: () => clearTimeout(timer) };
}

/**
 * What changed while its copy was written waits again. What is no longer the owner's was taken over by somebody who may have written
 * before us: it is compared once more.
 */
async function note(queue: PublishStore, sites: readonly SiteName[], { owner, now }: Omit<QueueLease, 'limit' | 'behind'>): Promise<void> {
  const finished = await queue.finish(owner);
  const lost: SiteName[] = [];
  for (const site of without(sites, finished)) if (!(await queue.again(site, owner, now))) lost.push(site);
  await queue.queue(lost, now);
}

function nextAttempt({ attempts }: QueuedSite, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_PAUSE * 2 ** Math.min(attempts - 1, 10), LONGEST_PAUSE));
}

const SENTENCE = 'The copy was not written.';
const COPIES_AT_ONCE = 16;
const ENOUGH_FAILURES = 3;
/** Milliseconds, well within the lease: all is noted after it. */
const DEADLINE = 25_000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
