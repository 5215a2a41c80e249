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
  /** Whose share of requests it takes. */
  readonly org?: string;
  /** Who asks, by anything that tells callers apart: of those that wait each has a turn. */
  readonly caller?: string;
  /** It is answered to whoever has a role in the organization, and to nobody else. */
  readonly needsRole?: boolean;
}

export interface HostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request to the hosted service. Throws where no answer came. */
export type Ask = (request: HostedRequest) => Promise<HostedAnswer>;

/** Milliseconds that a request is waited for after `429` without `retry-after`, and at most; and how often. */
const WAIT = 30_000;
const LONGEST_WAIT = 120_000;
const ATTEMPTS = 3;
/** Milliseconds without a sign of an answer, and until it is there as a whole. */
const TIMEOUT = 30_000;
const LONGEST = 90_000;
/** Bytes of an answer that are read. */
const LARGEST = 25_000_000;

export interface AskOptions extends Clock {
  readonly dispatcher?: Dispatcher;
  /** Milliseconds in which an answer has to be there as a whole. */
  readonly longest?: number;
  readonly watch?: AskWatch;
}

/** Is told what becomes of requests, for whoever runs the program. */
export interface AskWatch {
  /** A request to an organization asks for its turn. Out: called when it has it, and then when it ended. */
  asked(org: string): { begun(): void; ended(): void };
  /** An answer came, or none (undefined). In: its status, and the milliseconds since it was sent. */
  answered(status: number | undefined, milliseconds: number): void;
}

/**
 * By `undici.request`: it sends no Origin, Referer or sec-fetch-mode, by which the hosted service refuses the writes of tokens that were issued to a
 * browser extension. What `429` refused was not done, and is sent again after the wait that it names.
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

/** Whether an answer shows that its caller has a role in the organization. */
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
      // Who sends a byte now and then would hold a place of the organization for ever.
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
