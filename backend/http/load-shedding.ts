import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../domain/errors.ts';
import { answerError } from './answer-error.ts';
import { NO_STORE } from './answer.ts';
import { answerCors } from './cors.ts';
import type { AllowsOrigin } from './cors.ts';
import { throttleLines } from './request-log.ts';
import type { RequestLog } from './ports.ts';

export interface LoadShedding {
  /** Whether requests wait longer than they may at this moment. */
  isOverloaded(): boolean;
  /** Refuses a request before any work if the node is overloaded. Returns whether it was answered. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

interface Given {
  /** The program as it begins a sentence, e.g. `The service`. */
  readonly title: string;
  /** Milliseconds that the event loop may be late; 0: as many as it likes. */
  readonly limit: number;
  readonly allowsOrigin: AllowsOrigin;
  /** Whether a Host header is one of the program's own. */
  isServiceHost(host: string): boolean;
  newId(): string;
  /** Gets a few lines a second of refusals. */
  readonly log: Pick<RequestLog, 'request'>;
  clientAddress(request: IncomingMessage): string;
}

/**
 * Refuses new requests (503 OVERLOADED with `retry-after`) while the event loop is late by more than the limit: what waits
 * in a queue for longer than that is given up by its sender, and was worked on in vain. A timer says how late the last
 * turn of the loop was; the time since it was due, how late the present one is, for a turn takes all requests that have come.
 * The calls that ask whether the program is well are never refused (docs/contract.md 2.12).
 */
export function createLoadShedding(given: Given): LoadShedding {
  const refused = throttleLines(given.log.request);
  let due = performance.now() + EACH;
  let late = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    late = now - due;
    due = now + EACH;
  }, EACH);
  timer.unref();
  const isOverloaded = (): boolean => given.limit > 0 && Math.max(late, performance.now() - due) > given.limit;

  return {
    isOverloaded,
    refuse(request, response) {
      if (!isOverloaded() || isProbe(request, given.isServiceHost)) return false;
      const requestId = given.newId();
      response.setHeader('x-request-id', requestId);
      response.setHeader('cache-control', NO_STORE);
      response.setHeader('x-content-type-options', 'nosniff');
      if (hasBody(request)) response.setHeader('connection', 'close');
      if (answerCors(request, response, given.allowsOrigin)) return true;
      answerError(request, response, overloaded(given.title), { requestId, log: { failure: () => undefined } });
      const { method = '', url = '' } = request;
      const [path = ''] = url.split('?', 1);
      refused({ requestId, method, path, address: given.clientAddress(request), status: 503, code: 'OVERLOADED' });
      return true;
    },
    close: () => clearInterval(timer),
  };
}

/** Paths that are answered whatever the load is. */
export const PROBES: ReadonlySet<string> = new Set(['/live', '/ready', '/health']);

function isProbe({ url = '', headers }: IncomingMessage, isServiceHost: (host: string) => boolean): boolean {
  return PROBES.has(url.split('?', 1)[0] ?? '') && isServiceHost(headers.host ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function overloaded(title: string): Refusal {
  return new Refusal('OVERLOADED', `${title} is overloaded. Try again in a moment.`, { retryAfter: 1 });
}

/** Milliseconds between two looks at the loop. */
const EACH = 50;
