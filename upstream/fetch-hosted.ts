import { Agent, type Dispatcher, request } from 'undici';
import { Refusal } from '@repoless/contract/refusal.ts';

export interface HostedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly base: string;
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
export type FetchHosted = (request: HostedRequest) => Promise<HostedAnswer>;

/** Milliseconds to wait after `429` without `retry-after`, the maximum wait, and the number of attempts. */
const WAIT = 30_000;
const LONGEST_WAIT = 120_000;
const ATTEMPTS = 3;
/** Milliseconds without any data, and until the response is complete. */
const TIMEOUT = 30_000;
const LONGEST = 90_000;
/** Maximum bytes of a response. */
const LARGEST = 25_000_000;

/** The memory that responses share while they are received. */
export interface ResponseMemory {
  /** Takes an organization. `reserve` throws a refusal if there is no memory for so many more bytes. */
  open(org: string): { reserve(bytes: number): void; release(): void };
}

export interface FetchHostedOptions extends Clock {
  readonly memory?: ResponseMemory;
  readonly dispatcher?: Dispatcher;
  /** Milliseconds within which the response has to be complete. */
  readonly longest?: number;
  readonly watch?: RequestObserver;
}

/** Observes requests, for operators. */
export interface RequestObserver {
  /** A request to an organization is queued. The returned functions report that it was sent, and then that it ended. */
  queued(org: string): { started(): void; ended(): void };
  /** A response with this status, or none (undefined), and the milliseconds since the request was sent. */
  answered(status: number | undefined, milliseconds: number): void;
}

/**
 * Uses `undici.request`, which sends no Origin, Referer or sec-fetch-mode: by those the hosted service refuses writes with tokens that were
 * issued to a browser extension. A request refused with `429` had no effect and is sent again after the wait that the response asks for.
 */
export function createFetchHosted({
  wait,
  now,
  watch,
  memory,
  longest = LONGEST,
  dispatcher = new Agent({ connect: { timeout: 10_000 } }),
}: FetchHostedOptions): FetchHosted {
  const paceOf = createPaces({ wait, now });
  const send = sender(dispatcher, longest, memory);
  const sent = watch === undefined ? send : watched(send, watch, now);
  return async (request) => {
    const org = request.org ?? '';
    for (let attempt = 1; ; attempt += 1) {
      const queuedRequest = watch?.queued(org);
      const start = () => {
        queuedRequest?.started();
        return sent(request);
      };
      const answer = await paceOf(org)(request.caller ?? '', start, (one) => letIn(request, one)).finally(() => queuedRequest?.ended());
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

function watched(send: FetchHosted, watch: RequestObserver, now: () => number): FetchHosted {
  return async (request) => {
    const began = now();
    try {
      const answer = await send(request);
      watch.answered(answer.status, now() - began);
      return answer;
    } catch (error) {
      watch.answered(undefined, now() - began);
      throw error;
    }
  };
}

function sender(dispatcher: Dispatcher, longest: number, memory: ResponseMemory | undefined): FetchHosted {
  return async ({ method, base, path, headers, body, org = '' }) => {
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
    const reserved = memory?.open(org);
    try {
      const text = await received(stream, (bytes) => reserved?.reserve(bytes));
      const flat = Object.entries(got).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
      return { status: statusCode, headers: Object.fromEntries(flat), text };
    } catch (error) {
      // Refused means that nothing was done, but a write was sent.
      throw method !== 'GET' && error instanceof Refusal ? new Error('There is no memory for the answer.', { cause: error }) : error;
    } finally {
      reserved?.release();
    }
  };
}

/** Leaving the loop closes the connection. */
async function received(stream: AsyncIterable<Buffer>, reserve: (bytes: number) => void): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > LARGEST) throw new Error(`The hosted service answered more than ${LARGEST} bytes.`);
    reserve(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Requests to an organization per second, and concurrently: below the documented limit of the hosted service (10 per second). */
const RATE = 8;

const AT_ONCE = 5;

/** Requests of one caller that may wait for an organization. */
const MAX_WAITING = 200;

/** Maximum callers of an organization whose access is remembered. */
const MAX_KNOWN = 1000;

/** Milliseconds; allows for clock differences. */
const SECOND = 1050;

interface Clock {
  wait(milliseconds: number): Promise<void>;
  now(): number;
}

/**
 * Runs the work in its turn. Refuses with RATE_LIMITED if too many requests of the same caller are waiting. `letIn`: whether the result
 * shows that the caller has a role in the organization; undefined if it shows neither.
 */
type Pace = <T>(caller: string, work: () => Promise<T>, letIn?: (result: T) => boolean | undefined) => Promise<T>;

type Resume = () => void;

/** The paces of organizations. Idle ones are removed, since callers may use any name. */
export function createPaces(clock: Clock): (org: string) => Pace {
  const paces = new Map<string, ReturnType<typeof createPace>>();
  return (org) => {
    const known = paces.get(org);
    if (known !== undefined) return known.run;
    for (const [name, pace] of paces) if (pace.isIdle()) paces.delete(name);
    const created = createPace(clock);
    paces.set(org, created);
    return created.run;
  };
}

/**
 * No more requests than the rate arrive within any second, however long each takes; the first ones start at once. Waiting callers take
 * turns. Each caller that was let in before has a share of the turns; all refused callers have one together, and so do all unknown ones: an
 * outsider can create any number of keys, and must not delay callers with a role.
 */
function createPace({ wait, now }: Clock): { readonly run: Pace; isIdle(): boolean } {
  /** By share, and within it by caller. */
  const waiting = new Map<string, Map<string, readonly Resume[]>>();
  /** Whether the latest answers let a caller in. */
  const known = new Map<string, boolean>();
  /** The last requests with the time of arrival: when answered, or a second after sending. Until then, the time of sending. */
  const sent: { at: number }[] = [];
  let running = 0;
  const shareOf = (caller: string): string => {
    const isLetIn = known.get(caller);
    return isLetIn === undefined ? 'unknown' : isLetIn ? `let in: ${caller}` : 'refused';
  };
  const enqueue = (caller: string, added: readonly Resume[]): void => {
    const share = waiting.get(shareOf(caller)) ?? new Map<string, readonly Resume[]>();
    if (added.length > 0) waiting.set(shareOf(caller), share.set(caller, [...(share.get(caller) ?? []), ...added]));
  };
  const dequeue = (share: string, caller: string): readonly Resume[] => {
    const callers = waiting.get(share);
    const queue = callers?.get(caller) ?? [];
    callers?.delete(caller);
    if (callers?.size === 0) waiting.delete(share);
    return queue;
  };
  const waitForTurn = async (caller: string): Promise<void> => {
    if ((waiting.get(shareOf(caller))?.get(caller)?.length ?? 0) >= MAX_WAITING)
      throw new Refusal('RATE_LIMITED', `${MAX_WAITING} of your requests wait for the hosted service already. Try again later.`, {
        retryAfter: Math.ceil(MAX_WAITING / RATE),
      });
    await new Promise<void>((resolve) => enqueue(caller, [resolve]));
  };
  const next = (): void => {
    const [first] = waiting;
    const [caller] = first?.[1].keys() ?? [];
    if (first === undefined || caller === undefined) return void (running -= 1);
    const [share, callers] = first;
    const [resume, ...rest] = dequeue(share, caller);
    // Share and caller move to the end of the queue.
    if (waiting.delete(share)) waiting.set(share, callers);
    enqueue(caller, rest);
    resume?.();
  };
  const note = (caller: string, isLetIn: boolean | undefined): void => {
    const before = shareOf(caller);
    known.delete(caller);
    if (isLetIn !== undefined) known.set(caller, isLetIn);
    // Waiting requests move along.
    if (shareOf(caller) !== before) enqueue(caller, dequeue(before, caller));
  };
  const learn = (caller: string, isLetIn: boolean): void => {
    // A caller with a role may still be refused single calls.
    note(caller, isLetIn || known.get(caller) === true);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) note(oldest, undefined);
  };
  return {
    isIdle: () => running === 0 && (sent.at(-1)?.at ?? -Infinity) + SECOND <= now(),
    async run(caller, work, letIn) {
      if (running >= AT_ONCE) await waitForTurn(caller);
      else running += 1;
      try {
        const free = (sent.at(-RATE)?.at ?? -Infinity) + SECOND;
        const startsAt = Math.max(free, now());
        const one = { at: startsAt };
        sent.push(one);
        if (sent.length > RATE) sent.shift();
        if (startsAt > now()) await wait(startsAt - now());
        const result = await work().finally(() => (one.at = Math.max(startsAt, Math.min(now(), startsAt + SECOND))));
        const isLetIn = letIn?.(result);
        if (isLetIn !== undefined) learn(caller, isLetIn);
        return result;
      } finally {
        next();
      }
    },
  };
}
