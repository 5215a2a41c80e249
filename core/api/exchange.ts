import { Problem } from '@repoless/contract/errors.ts';
import type { Failure } from '../situation/call.ts';

/** Maximum wait for an answer, in milliseconds; the authoring proxy's own limit is shorter, so that its error comes first. */
const TIMEOUT = 45_000;

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Exchanged = { readonly ok: true; readonly received: Received } | { readonly ok: false; readonly failure: Failure };

/** One request and its complete answer, whatever its status; only a missing answer is a failure. Never throws. */
export async function exchange(fetcher: typeof fetch, address: string, init: RequestInit): Promise<Exchanged> {
  try {
    const response = await fetcher(address, { redirect: 'manual', ...init, signal: AbortSignal.timeout(TIMEOUT) });
    return { ok: true, received: { status: response.status, headers: response.headers, text: await response.text() } };
  } catch (error) {
    const timeout = error instanceof DOMException && error.name === 'TimeoutError';
    return { ok: false, failure: { kind: timeout ? 'timeout' : 'unreachable' } };
  }
}

/** Starts a request for a stream of events. Never throws; `body` is absent if the answer is not a stream of events. */
export async function openStream(
  fetcher: typeof fetch,
  address: string,
  init: RequestInit,
): Promise<
  | { readonly ok: true; readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined }
  | { readonly ok: false; readonly failure: Failure }
> {
  try {
    const response = await fetcher(address, { redirect: 'manual', ...init });
    if (!response.ok) {
      const { status, headers } = response;
      return { ok: false, failure: refusal({ status, headers, text: await response.text() }) };
    }
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    if (!isStream) await response.body?.cancel();
    return { ok: true, body: isStream ? (response.body ?? undefined) : undefined };
  } catch {
    return { ok: false, failure: { kind: 'unreachable' } };
  }
}

/** The failure in a refusal, with its problem document if it has one. */
export function refusal({ status, headers, text }: Received): Failure {
  const problem = Problem.safeParse(parseJson(text));
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    kind: 'refused',
    status,
    ...(problem.success ? { problem: problem.data } : {}),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Resolves after so many milliseconds, or immediately when the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
