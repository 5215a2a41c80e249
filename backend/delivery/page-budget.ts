import { LIMITS } from '@repoless/contract/limits.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMemoryBudget } from '../domain/answer-budget.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** The memory of a node that pages and other large answers of the hosts may use, over all requests for them. */
export interface PageBudget {
  /** Releases what a request holds when its answer was sent, or its caller disconnected. */
  follow(request: IncomingMessage, response: ServerResponse, visit: Visit): void;
  /** How long a caller waits for a turn. */
  patience(request: IncomingMessage): AbortSignal;
  /** The share for a request for an organization's page. */
  shareFor(request: IncomingMessage, org: string): PageShare;
  /**
   * A large answer is about to be sent: its bytes count until it was sent, once for all readers of the same bytes, and slow readers are cut
   * off. Returns whether it fits.
   */
  send(request: IncomingMessage, response: ServerResponse, org: string, answer: Pick<ReadyAnswer, 'bytes' | 'stream'>): boolean;
}

/** What the bytes of a page use of the budget until they are sent. */
export interface PageShare {
  /** The visitor who waits for it; absent if none does. */
  readonly visit?: Visit;
  /** Counts bytes before they are held. Refuses with OVERLOADED if they do not fit. */
  hold(bytes: number): void;
  /** Releases bytes that are not part of the answer. */
  drop(): void;
}

interface Held {
  readonly org: string;
  bytes: number;
}

/** Bytes being sent, and the number of their readers. */
interface Lent extends Held {
  readers: number;
}

/**
 * One organization gets at most half of it, so that there is always some for the pages of others. Takes the milliseconds for sending an
 * answer of `LIMITS.pageSize`; a larger one gets proportionally more.
 */
export function createPageBudget(sending: number = LIMITS.pageSending): PageBudget {
  const memory = createMemoryBudget(LIMITS.pageBytes, LIMITS.pageBytes / 2);
  const answers = new WeakMap<IncomingMessage, ServerResponse>();
  const visits = new WeakMap<IncomingMessage, Visit>();
  const shares = new WeakMap<IncomingMessage, Held>();
  const lent = new WeakMap<Uint8Array, Lent>();

  const visitOf = (request: IncomingMessage): Visit => {
    const visit = visits.get(request);
    if (visit === undefined) throw new Error('The request is followed.');
    return visit;
  };
  const hasRoom = (org: string, bytes: number) => memory.full(org, bytes) === undefined;
  const count = (held: Held, bytes: number) => {
    held.bytes += bytes;
    memory.count(held.org, bytes);
  };
  const begin = (request: IncomingMessage, org: string): Held => {
    const held = { org, bytes: 0 };
    const response = answers.get(request);
    shares.set(request, held);
    if (response !== undefined) {
      follow(response, sending, () => {
        count(held, -held.bytes);
        answers.delete(request);
      });
    }
    return held;
  };
  /** Returns a function to call when the bytes were sent; undefined if there is no memory for them. */
  const lend = (org: string, bytes: Uint8Array): (() => void) | undefined => {
    const known = lent.get(bytes);
    if (known === undefined && !hasRoom(org, bytes.length)) return undefined;
    const held = known ?? { org, bytes: 0, readers: 0 };
    if (known === undefined) {
      lent.set(bytes, held);
      count(held, bytes.length);
    }
    held.readers += 1;
    return () => {
      held.readers -= 1;
      if (held.readers > 0) return;
      lent.delete(bytes);
      count(held, -held.bytes);
    };
  };
  return {
    follow(request, response, visit) {
      answers.set(request, response);
      visits.set(request, visit);
    },
    patience: (request) => visitOf(request).patience(),
    shareFor(request, org) {
      const held = shares.get(request) ?? begin(request, org);
      return {
        visit: visitOf(request),
        hold(bytes) {
          // After the caller has disconnected, the answer is not needed.
          const isGone = answers.get(request)?.closed !== false;
          if (isGone || !hasRoom(org, bytes)) throw overloaded();
          count(held, bytes);
        },
        drop: () => count(held, -held.bytes),
      };
    },
    send(request, response, org, { bytes, stream }) {
      // A page has had its share, and its time, since it was requested.
      if (response.closed || shares.has(request)) return true;
      const giveBack = stream === undefined && typeof bytes !== 'string' ? lend(org, bytes) : () => undefined;
      if (giveBack === undefined) return false;
      follow(response, sending * Math.max(1, (stream?.length ?? 0) / LIMITS.pageSize), giveBack);
      return true;
    },
  };
}

/** Slow readers are cut off. */
function follow(response: ServerResponse, sending: number, left: () => void): void {
  const late = setTimeout(() => response.destroy(), sending);
  late.unref();
  response.once('close', () => {
    clearTimeout(late);
    left();
  });
}

function overloaded(): Refusal {
  return new Refusal('OVERLOADED', 'Too many pages are being read right now. Try again in a moment.', { retryAfter: 1 });
}

/** How long a request for a page may wait in total. */
interface Visit {
  left(): number;
  /** Aborted when the time to wait for a turn is over, or when the caller disconnects. */
  patience(): AbortSignal;
  gone(): AbortSignal;
}

/**
 * Takes the milliseconds within which the caller must get an answer. At most half of it may pass before its turn, so that enough is left to read
 * the page.
 */
export function startVisit(response: ServerResponse, time: number): Visit {
  const until = performance.now() + time;
  let leaving: AbortSignal | undefined;
  const gone = () => (leaving ??= signalOf((end) => response.once('close', end), response.closed));
  return {
    left: () => Math.max(1, until - performance.now()),
    gone,
    patience() {
      return signalOf((end) => {
        const timer = setTimeout(end, time / 2);
        timer.unref();
        response.once('close', () => {
          clearTimeout(timer);
          end();
        });
      }, response.closed);
    },
  };
}

function signalOf(begin: (end: () => void) => void, isOver: boolean): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (isOver) end();
  else begin(end);
  return controller.signal;
}
