import { Agent, type Dispatcher, request } from 'undici';
import { type Clock, createPaces } from './pace.ts';

export interface HostedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Scheme and host. */
  readonly base: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The organization whose request budget it uses. */
  readonly org?: string;
  /** Identifies the caller, in any form: waiting callers take turns. */
  readonly caller?: string;
  /** Answered only to callers with a role in the organization. */
  readonly needsRole?: boolean;
}

export interface HostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request to the hosted service. Throws if there is no response. */
export type Ask = (request: HostedRequest) => Promise<HostedAnswer>;

/** Milliseconds to wait after `429` without `retry-after`, the maximum wait, and the number of attempts. */
const WAIT = 30_000;
const LONGEST_WAIT = 120_000;
const ATTEMPTS = 3;
/** Milliseconds without any data, and until the response is complete. */
const TIMEOUT = 30_000;
const LONGEST = 90_000;
/** Maximum bytes of a response. */
const LARGEST = 25_000_000;

export interface AskOptions extends Clock {
  readonly dispatcher?: Dispatcher;
  /** Milliseconds within which the response has to be complete. */
  readonly longest?: number;
  readonly watch?: AskWatch;
}

/** Observes requests, for operators. */
export interface AskWatch {
  /** A request to an organization is queued. The returned functions report that it was sent, and then that it ended. */
  asked(org: string): { begun(): void; ended(): void };
  /** A response with this status, or none (undefined), and the milliseconds since the request was sent. */
  answered(status: number | undefined, milliseconds: number): void;
}

/**
 * Uses `undici.request`, which sends no Origin, Referer or sec-fetch-mode: by those the hosted service refuses writes with tokens that were
 * issued to a browser extension. A request refused with `429` had no effect and is sent again after the wait that the response asks for.
 */
export function createAsk({
  wait,
  now,
  watch,
  longest = LONGEST,
  dispatcher = new Agent({ connect: { timeout: 10_000 } }),
}: AskOptions): Ask {
  const paceOf = createPaces({ wait, now });
  const send = sender(dispatcher, longest);
  const sent = watch === undefined ? send : watched(send, watch, now);
  return async (asked) => {
    const org = asked.org ?? '';
    for (let attempt = 1; ; attempt += 1) {
      const turn = watch?.asked(org);
      const begin = () => {
        turn?.begun();
        return sent(asked);
      };
      const answer = await paceOf(org)(asked.caller ?? '', begin, (one) => letIn(asked, one)).finally(() => turn?.ended());
      if (answer.status !== 429 || attempt === ATTEMPTS) return answer;
      const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
      await wait(Math.min(LONGEST_WAIT, Number.isFinite(seconds) ? seconds * 1000 : WAIT));
    }
  };
}

/** Whether a response shows that its caller has a role in the organization. */
function letIn({ needsRole }: HostedRequest, { status }: HostedAnswer): boolean | undefined {
  if (status === 401 || status === 403) return false;
  return needsRole === true && status < 300 ? true : undefined;
}

function watched(send: Ask, watch: AskWatch, now: () => number): Ask {
  return async (asked) => {
    const began = now();
    try {
      const answer = await send(asked);
      watch.answered(answer.status, now() - began);
      return answer;
    } catch (error) {
      watch.answered(undefined, now() - began);
      throw error;
    }
  };
}

function sender(dispatcher: Dispatcher, longest: number): Ask {
  return async ({ method, base, path, headers, body }) => {
    const {
      statusCode,
      headers: got,
      body: stream,
    } = await request(`${base}${path}`, {
      method,
      headers: { accept: 'application/json, text/plain;q=0.9, */*;q=0.5', ...headers },
      ...(body === undefined ? {} : { body }),
      dispatcher,
      headersTimeout: TIMEOUT,
      bodyTimeout: TIMEOUT,
      // A host that sends a byte now and then would otherwise occupy a slot of the organization forever.
      signal: AbortSignal.timeout(longest),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > LARGEST) {
        stream.destroy();
        throw new Error(`The hosted service answered more than ${LARGEST} bytes.`);
      }
    }
    const flat = Object.entries(got).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
    return { status: statusCode, headers: Object.fromEntries(flat), text: Buffer.concat(chunks).toString() };
  };
}
