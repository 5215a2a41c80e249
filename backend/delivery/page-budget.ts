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
  queueTimeout(request: IncomingMessage): AbortSignal;
  /** The share for a request for an organization's page. */
  shareFor(request: IncomingMessage, org: string): PageShare;
  /**
   * A large answer is about to be sent: its bytes count until it was sent, once for all readers of the same bytes, and slow readers are cut
   * off. Returns whether it fits.
   */
  send(request: IncomingMessage, response: ServerResponse, org: string, answer: Pick<ReadyAnswer, 'bytes' | 'stream'>): boolean;
}

/** The part of the budget that a page uses until it is sent. */
export interface PageShare {
  /** The visitor who waits for it; absent if none does. */
  readonly visit?: Visit;
  /** Counts bytes before they are held. Refuses with OVERLOADED if they do not fit. */
  reserve(bytes: number): void;
  /** Releases bytes that are not part of the answer. */
  drop(): void;
}

interface Reservation {
  readonly org: string;
  bytes: number;
}

/** Bytes being sent, and the number of their readers. */
interface Lent extends Reservation {
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
  const shares = new WeakMap<IncomingMessage, Reservation>();
  const lent = new WeakMap<Uint8Array, Lent>();

  const visitOf = (request: IncomingMessage): Visit => {
    const visit = visits.get(request);
    if (visit === undefined) throw new Error('The request is followed.');
    return visit;
  };
  const hasCapacity = (org: string, bytes: number) => memory.full(org, bytes) === undefined;
  const count = (reservation: Reservation, bytes: number) => {
    reservation.bytes += bytes;
    memory.count(reservation.org, bytes);
  };
  const reserve = (request: IncomingMessage, org: string): Reservation => {
    const reservation = { org, bytes: 0 };
    const response = answers.get(request);
    shares.set(request, reservation);
    if (response !== undefined) {
      follow(response, sending, () => {
        count(reservation, -reservation.bytes);
        answers.delete(request);
      });
    }
    return reservation;
  };
  /** Returns a function to call when the bytes were sent; undefined if there is no memory for them. */
  const lend = (org: string, bytes: Uint8Array): (() => void) | undefined => {
    const known = lent.get(bytes);
    if (known === undefined && !hasCapacity(org, bytes.length)) return undefined;
    const reservation = known ?? { org, bytes: 0, readers: 0 };
    if (known === undefined) {
      lent.set(bytes, reservation);
      count(reservation, bytes.length);
    }
    reservation.readers += 1;
    return () => {
      reservation.readers -= 1;
      if (reservation.readers > 0) return;
      lent.delete(bytes);
      count(reservation, -reservation.bytes);
    };
  };
  return {
    follow(request, response, visit) {
      answers.set(request, response);
      visits.set(request, visit);
    },
    queueTimeout: (request) => visitOf(request).queueTimeout(),
    shareFor(request, org) {
      const reservation = shares.get(request) ?? reserve(request, org);
      return {
        visit: visitOf(request),
        reserve(bytes) {
          // After the caller has disconnected, the answer is not needed.
          const isDisconnected = answers.get(request)?.closed !== false;
          if (isDisconnected || !hasCapacity(org, bytes)) throw overloaded();
          count(reservation, bytes);
        },
        drop: () => count(reservation, -reservation.bytes),
      };
    },
    send(request, response, org, { bytes, stream }) {
      // A page has its share and its deadline since it was requested.
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
  const timer = setTimeout(() => response.destroy(), sending);
  timer.unref();
  response.once('close', () => {
    clearTimeout(timer);
    left();
  });
}

function overloaded(): Refusal {
  return new Refusal('OVERLOADED', 'Too many pages are being read right now. Try again in a moment.', { retryAfter: 1 });
}

/** How long a request for a page may wait in total. */
interface Visit {
  timeLeft(): number;
  /** Aborted when the time to wait for a turn is over, or when the caller disconnects. */
  queueTimeout(): AbortSignal;
  disconnected(): AbortSignal;
}

/**
 * Takes the milliseconds within which the caller must get an answer. At most half of it may pass before its turn, so that enough is left to
 * read the page.
 */
export function startVisit(response: ServerResponse, time: number): Visit {
  const until = performance.now() + time;
  let leaving: AbortSignal | undefined;
  const disconnected = () => (leaving ??= signalOf((end) => response.once('close', end), response.closed));
  return {
    timeLeft: () => Math.max(1, until - performance.now()),
    disconnected,
    queueTimeout() {
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

function signalOf(subscribe: (end: () => void) => void, hasEnded: boolean): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (hasEnded) end();
  else subscribe(end);
  return controller.signal;
}
