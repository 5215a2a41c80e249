import { JobStatus } from '@repoless/contract/job.ts';
import { pause } from '../run/retry.ts';
import type { BranchPlace, JobUpdate } from '../sync/ports.ts';
import type { Failure, Known } from '../situation/situation.ts';
import type { Client } from './client.ts';
import { readEvents } from './event-stream.ts';
import { parseJson } from './exchange.ts';
import { wait } from './wait.ts';

export interface JobFeedOptions {
  readonly client: Pick<Client, 'open'>;
  readonly address: (place: BranchPlace) => string;
  readonly status: (place: BranchPlace) => Promise<Known<JobStatus>>;
  /** Streams at one time: browsers allow six connections to an origin, over all its frames. */
  readonly streams?: number;
  /** Milliseconds between looks at a job for which no stream is free. */
  readonly look?: number;
}

export type WatchJob = (place: BranchPlace, tell: (news: JobUpdate) => void) => () => void;

/**
 * Follows jobs: the first few by a stream of events each, the others by looking now and then; a stream that breaks is
 * opened again, later and later while nothing answers. Where waiting mends nothing it ends, and says so.
 */
export function createJobFeed({ client, address, status, streams = 2, look = 10_000 }: JobFeedOptions): WatchJob {
  let free = streams;
  return (place, tell) => {
    const stopper = new AbortController();
    const { signal } = stopper;
    const say = (news: JobUpdate): void => (signal.aborted ? undefined : tell(news));
    void follow();
    return () => stopper.abort();

    async function follow(): Promise<void> {
      let failures = 0;
      while (!signal.aborted) {
        const outcome = free > 0 ? await stream() : await glance();
        const isOver = outcome.failure !== undefined && isFinal(outcome.failure);
        if (outcome.failure !== undefined) say({ status: { state: 'failed', failure: outcome.failure }, live: false, isOver });
        failures = outcome.failure === undefined || outcome.told ? 0 : failures + 1;
        if (isOver) return;
        await wait(outcome.failure === undefined ? (outcome.wait ?? 0) : pause(failures + 1, outcome.failure.retryAfter), signal);
      }
    }

    async function stream(): Promise<Outcome> {
      free--;
      let told = false;
      try {
        const opened = await client.open({ method: 'GET', path: address(place), headers: { accept: 'text/event-stream' } }, signal);
        if (!opened.ok) return { told, failure: opened.failure };
        if (opened.body === undefined) return { told, wait: look };
        for await (const { data } of readEvents(opened.body)) {
          const parsed = JobStatus.safeParse(parseJson(data));
          if (parsed.success) say({ status: { state: 'known', value: parsed.data }, live: true, isOver: false });
          told ||= parsed.success;
        }
        return { told, wait: AGAIN };
      } catch {
        return { told, failure: { kind: 'unreachable' } };
      } finally {
        free++;
      }
    }

    async function glance(): Promise<Outcome> {
      const answer = await status(place);
      if (answer.state === 'failed') return { told: false, failure: answer.failure };
      say({ status: answer, live: false, isOver: false });
      return { told: true, wait: look };
    }
  };
}

interface Outcome {
  readonly told: boolean;
  readonly failure?: Failure;
  readonly wait?: number;
}

/** The service ends a stream now and then; a moment, so that one that always ends at once does no harm. */
const AGAIN = 300;

/** Nothing that waiting mends. */
function isFinal({ status }: Failure): boolean {
  return status === 401 || status === 403 || status === 404;
}
