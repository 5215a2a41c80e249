import type { z } from 'zod';
import { CsrfToken } from '@repoless/contract/authoring.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import { parseJson, type Received, refusal } from '../api/exchange.ts';
import type { Call, Failure, Known } from '../situation/call.ts';

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

/** docs/design-facts.md 2.2. */
const CSRF_PATH = '/libs/granite/csrf/token.json';

interface FormSender {
  /** Reads the token that every write needs, unless it is known. */
  ready(): Promise<Known<unknown>>;
  send(call: Call): Promise<Known<unknown>>;
}

/**
 * Sends Sling POSTs. The CSRF token is a field, because a browser may not send its header across origins; it is read once for several
 * writes, and again after a write was forbidden, because it may have expired.
 */
export function createFormSender(proxy: AuthoringProxy): FormSender {
  let csrfToken: Promise<Known<string>> | undefined;
  const read = () => readCsrfToken(proxy);
  const ready = async (): Promise<Known<string>> => {
    const token = await (csrfToken ??= read());
    if (token.state !== 'known') csrfToken = undefined;
    return token;
  };
  return {
    ready,
    send: async (call) => {
      const before = csrfToken;
      const token = await ready();
      if (token.state !== 'known') return token;
      const answer = await post(proxy, call, token.value);
      if (before === undefined || answer.state !== 'failed' || answer.failure.status !== 403) return answer;
      // Another write that was refused with the same token has already read a new one.
      if (csrfToken === before) csrfToken = read();
      const renewed = await ready();
      return renewed.state === 'known' ? post(proxy, call, renewed.value) : answer;
    },
  };
}

async function readCsrfToken(proxy: AuthoringProxy): Promise<Known<string>> {
  const csrf = await readSling(proxy, CSRF_PATH, CsrfToken);
  return csrf.state === 'known' ? { state: 'known', value: csrf.value.token } : csrf;
}

async function post(proxy: AuthoringProxy, call: Call, token: string): Promise<Known<unknown>> {
  const fields = call.body?.type === 'form' ? call.body.fields : [];
  const path = call.address.slice(new URL(call.address).origin.length);
  const answer = await proxy.write(path, [['_charset_', 'utf-8'], ...fields, [':cq_csrf_token', token]]);
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { status } = answer.received;
  if (status >= 200 && status <= 299) return { state: 'known', value: status };
  const removal = fields.some(([name, value]) => name === ':operation' && value === 'delete');
  return removal && status === 404 ? { state: 'known', value: status } : { state: 'failed', failure: failureOf(answer.received) };
}
