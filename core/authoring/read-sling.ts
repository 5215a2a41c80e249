import type { z } from 'zod';
import { parseJson, refusal } from '../api/exchange.ts';
import type { Received } from '../api/exchange.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Failure, Known } from '../situation/situation.ts';

/** Reads a resource as JSON. 404 is `missing`; 300 (too many resources), 403 and everything else is `failed`. */
export async function readSling<S extends z.ZodType>(
  proxy: AuthoringProxy,
  path: string,
  schema: S,
  query?: Readonly<Record<string, string>>,
): Promise<Known<z.output<S>>> {
  const answer = await proxy.read(path, query);
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { status, text } = answer.received;
  if (status === 404) return { state: 'missing' };
  if (status !== 200) return { state: 'failed', failure: failureOf(answer.received) };
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return { state: 'known', value: parsed.data };
  return { state: 'failed', failure: { kind: 'unexpected', status, finding: { kind: 'unread', from: 'authoring', about: path } } };
}

/**
 * The authoring system's own refusal: its status, and its first line if it is text. Older Sling versions report a write that access
 * control forbids as 500, which becomes 403 here. Newer ones answer 409 or 422, as for a lock or a concurrent change, and give no reason.
 */
export function failureOf(received: Received): Failure {
  const isDenied = received.status === 500 && DENIALS.some((denial) => received.text.includes(denial));
  const failure = { ...refusal(received), ...(isDenied ? { status: 403 } : {}), system: 'authoring' as const };
  const line = received.text.trim().split('\n')[0] ?? '';
  const isText = received.headers.get('content-type')?.startsWith('text/plain') === true;
  return isText && line !== '' ? { ...failure, message: line.slice(0, 300) } : failure;
}

/** A node that the caller may read but not change; a refused commit of the repository. */
const DENIALS = [' is not modifiable.', 'OakAccess0000'];
