import { SealedValue } from '@repoless/contract/secret.ts';
import { type ApiKeyInfo, type ApiKeyInput, ApiKeyList, CreatedApiKey } from '@repoless/contract/credentials.ts';
import { type HistorySubject, subjectPath } from '../history/subject.ts';
import type { ServicePort } from '../plan/ports.ts';
import { anyOf, failureUnlessMissing } from '../run/failures.ts';
import type { Failure, Known } from '../situation/situation.ts';

/** A key that was just made. Its value prints nowhere by accident. */
export interface NewApiKey {
  readonly info: ApiKeyInfo;
  readonly value: SealedValue;
}

export type KeyValidity = 'good' | 'soon' | 'expired';

const DAY = 86_400;
/** A key that ends within so many days is to be renewed. */
const SOON = 14;
const LIFETIMES = [1, 7, 30, 90, 180, 365];
/** What the service allows where it does not say otherwise, in seconds. */
const LONGEST = 365 * DAY;

/** The days for which a key can be made. In: the longest that the service allows, in seconds. */
export function lifetimes(longest: number = LONGEST): readonly number[] {
  const most = Math.floor(longest / DAY);
  return most === 0 ? [longest / DAY] : [...LIFETIMES.filter((days) => days < most), most];
}

export function keyValidity(expires: string, now: Date): KeyValidity {
  const left = (Date.parse(expires) - now.getTime()) / 1000;
  if (left <= 0) return 'expired';
  return left <= SOON * DAY ? 'soon' : 'good';
}

/** The keys of a site or of an organization, those that end first at the top. */
export async function readKeys(service: Pick<ServicePort, 'stored'>, subject: HistorySubject): Promise<Known<readonly ApiKeyInfo[]>> {
  const stored = await service.stored(listPath(subject));
  if (stored.state !== 'known') return stored;
  const parsed = ApiKeyList.safeParse(stored.value.value);
  if (!parsed.success) return { state: 'failed', failure: { kind: 'unexpected' } };
  return {
    state: 'known',
    value: Object.values(parsed.data).toSorted((one, other) => Date.parse(one.expires) - Date.parse(other.expires)),
  };
}

/** In: what it shall be for, its roles, and the days that it lives. */
export async function createKey(
  service: Pick<ServicePort, 'send'>,
  subject: HistorySubject,
  { description = '', roles, days }: Pick<ApiKeyInput, 'description' | 'roles'> & { readonly days: number },
): Promise<Known<NewApiKey>> {
  const value: ApiKeyInput = {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(roles === undefined ? {} : { roles }),
    expiresIn: Math.floor(days * DAY),
  };
  const answer = await service.send({ target: 'service', method: 'POST', address: listPath(subject), body: { type: 'json', value } });
  if (answer.state !== 'known') return answer;
  const parsed = CreatedApiKey.safeParse(answer.value);
  if (!parsed.success) return { state: 'failed', failure: { kind: 'unexpected' } };
  const { value: secret, ...info } = parsed.data;
  return { state: 'known', value: { info, value: new SealedValue(secret) } };
}

/** Out: why it was not revoked. A key that is not there any more is revoked. */
export async function revokeKey(
  service: Pick<ServicePort, 'send' | 'stored'>,
  subject: HistorySubject,
  id: string,
): Promise<Failure | undefined> {
  const address = `${subjectPath(subject)}/apiKeys/${encodeURIComponent(id)}.json`;
  const answer = await service.send({ target: 'service', method: 'DELETE', address });
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  return failureUnlessMissing(failure, async () => anyOf(await readKeys(service, subject), (one) => one.id === id));
}

function listPath(subject: HistorySubject): string {
  return `${subjectPath(subject)}/apiKeys.json`;
}
