import { Agent, type Dispatcher, request } from 'undici';

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
}

export interface HostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request to the hosted service. Throws where no answer came. */
export type Ask = (request: HostedRequest) => Promise<HostedAnswer>;

/** Requests to an organization in a second, and at once: below what the hosted service documents (10 in a second). */
const RATE = 8;
const AT_ONCE = 5;
/** Milliseconds that a request is waited for after `429` without `retry-after`, and at most; and how often. */
const WAIT = 30_000;
const LONGEST_WAIT = 120_000;
const ATTEMPTS = 3;
const TIMEOUT = 30_000;
/** Bytes of an answer that are read. */
const LARGEST = 25_000_000;

export interface AskOptions {
  wait(milliseconds: number): Promise<void>;
  now(): number;
  readonly dispatcher?: Dispatcher;
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
export function createAsk({ wait, now, watch, dispatcher = new Agent({ connect: { timeout: 10_000 } }) }: AskOptions): Ask {
  const paces = new Map<string, Pace>();
  const sent = watch === undefined ? send : watched(watch, now);
  return async (asked) => {
    const org = asked.org ?? '';
    const pace = paceOf(paces, org, { wait, now });
    for (let attempt = 1; ; attempt += 1) {
      const turn = watch?.asked(org);
      const answer = await pace(() => {
        turn?.begun();
        return sent(asked, dispatcher);
      }).finally(() => turn?.ended());
      if (answer.status !== 429 || attempt === ATTEMPTS) return answer;
      const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
      await wait(Math.min(LONGEST_WAIT, Number.isFinite(seconds) ? seconds * 1000 : WAIT));
    }
  };
}

function watched(watch: AskWatch, now: () => number): typeof send {
  return async (asked, dispatcher) => {
    const began = now();
    try {
      const answer = await send(asked, dispatcher);
      watch.answered(answer.status, now() - began);
      return answer;
    } catch (error) {
      watch.answered(undefined, now() - began);
      throw error;
    }
  };
}

async function send({ method, base, path, headers, body }: HostedRequest, dispatcher: Dispatcher): Promise<HostedAnswer> {
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
}

type Pace = <T>(work: () => Promise<T>) => Promise<T>;

function paceOf(paces: Map<string, Pace>, org: string, clock: Pick<AskOptions, 'wait' | 'now'>): Pace {
  const known = paces.get(org);
  if (known !== undefined) return known;
  const pace = createPace(clock);
  paces.set(org, pace);
  return pace;
}

/** In no second do more begin than the rate; the first of them at once. */
function createPace({ wait, now }: Pick<AskOptions, 'wait' | 'now'>): Pace {
  const waiting: (() => void)[] = [];
  const begun: number[] = [];
  let running = 0;
  return async (work) => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const free = (begun.at(-RATE) ?? -Infinity) + SECOND;
      const begins = Math.max(free, now());
      begun.push(begins);
      if (begun.length > RATE) begun.shift();
      if (begins > now()) await wait(begins - now());
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
/** Clocks differ by a little. */
const SECOND = 1050;
