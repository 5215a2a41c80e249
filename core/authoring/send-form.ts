import { CsrfToken } from '@repoless/contract/authoring.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Call } from '../plan/plan.ts';
import type { Known } from '../situation/situation.ts';
import { failureOf, readSling } from './read-sling.ts';

/** docs/design-facts.md 2.2. */
const CSRF_PATH = '/libs/granite/csrf/token.json';

/** Sends a Sling write: a form with a CSRF token. */
export type SendForm = (call: Call) => Promise<Known<unknown>>;

/**
 * Sends Sling POSTs. The CSRF token is a field, because a browser may not send its header across origins; it is read once for several writes, and
 * again after a write was forbidden, because it may have expired.
 */
export function createSendForm(proxy: AuthoringProxy): SendForm {
  let held: Promise<Known<string>> | undefined;
  const read = () => readCsrfToken(proxy);
  return async (call) => {
    const before = held;
    const token = await (held ??= read());
    if (token.state !== 'known') {
      held = undefined;
      return token;
    }
    const answer = await post(proxy, call, token.value);
    if (before === undefined || answer.state !== 'failed' || answer.failure.status !== 403) return answer;
    // Another write that was refused with the same token has already read a new one.
    if (held === before) held = read();
    const renewed = await held;
    if (renewed.state === 'known') return post(proxy, call, renewed.value);
    held = undefined;
    return answer;
  };
}

export async function readCsrfToken(proxy: AuthoringProxy): Promise<Known<string>> {
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
