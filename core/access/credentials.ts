import { type ApiKeyInfo, type ApiKeyInput, ApiKeyList, CreatedApiKey, SiteTokenList } from '@repoless/contract/credentials.ts';
import { GeneratedSecret, SealedValue, type SecretInfo, SecretList } from '@repoless/contract/secret.ts';
import { type HistorySubject, subjectPath } from '../history/history-port.ts';
import { anyOf, type Failure, failureUnlessMissing, type Known } from '../situation/call.ts';
import type { ServicePort } from '../situation/ports.ts';

export interface NamedSecret extends SecretInfo {
  readonly name: string;
}

/** A new secret. Its value cannot be printed by accident. */
export interface NewSecret {
  readonly name: string;
  readonly id: string;
  readonly value: SealedValue;
}

/** A site token, without its value. One that came with a configuration of the public service never expires. */
export interface SiteToken {
  readonly name: string;
  readonly created?: string;
}

export async function readSecrets(service: Pick<ServicePort, 'stored'>, site: HistorySubject): Promise<Known<readonly NamedSecret[]>> {
  return readList(service, `${subjectPath(site)}/secrets.json`, SecretList, (list) =>
    Object.entries(list)
      .map(([name, info]) => ({ name, ...info }))
      .toSorted((one, other) => Date.parse(other.created) - Date.parse(one.created)),
  );
}

/**
 * Asks the service to generate a secret. An existing one of that name is refused, never replaced. Without a name the service generates one;
 * `expires` is an ISO time.
 */
export async function createSecret(
  service: Pick<ServicePort, 'send'>,
  site: HistorySubject,
  { name, expires }: { readonly name?: string | undefined; readonly expires?: string | undefined },
): Promise<Known<NewSecret>> {
  const body = { type: 'json', value: expires === undefined ? {} : { expires } } as const;
  const address = name === undefined ? `${subjectPath(site)}/secrets.json` : secretPath(site, name);
  const answer = await service.send({
    target: 'service',
    method: 'POST',
    address,
    body,
    ...(name === undefined ? {} : { ifNoneMatch: '*' as const }),
  });
  if (answer.state !== 'known') return answer;
  const parsed = GeneratedSecret.safeParse(answer.value);
  if (!parsed.success) return UNEXPECTED;
  const { id, value } = parsed.data;
  return { state: 'known', value: { name: name ?? id, id, value: new SealedValue(value) } };
}

/** Returns why it was not removed. A missing secret counts as removed. */
export async function removeSecret(
  service: Pick<ServicePort, 'send' | 'stored'>,
  site: HistorySubject,
  name: string,
): Promise<Failure | undefined> {
  return remove(service, secretPath(site, name), async () => anyOf(await readSecrets(service, site), (one) => one.name === name));
}

export async function readTokens(service: Pick<ServicePort, 'stored'>, site: HistorySubject): Promise<Known<readonly SiteToken[]>> {
  return readList(service, `${subjectPath(site)}/tokens.json`, SiteTokenList, (list) =>
    Object.entries(list).map(([name, { created }]) => ({ name, ...(created === undefined ? {} : { created }) })),
  );
}

/** Returns why it was not removed. A missing token counts as removed. */
export async function removeToken(
  service: Pick<ServicePort, 'send' | 'stored'>,
  site: HistorySubject,
  name: string,
): Promise<Failure | undefined> {
  const address = `${subjectPath(site)}/tokens/${encodeURIComponent(name)}.json`;
  return remove(service, address, async () => anyOf(await readTokens(service, site), (one) => one.name === name));
}

const UNEXPECTED = { state: 'failed', failure: { kind: 'unexpected' } } as const;

async function readList<List, T>(
  service: Pick<ServicePort, 'stored'>,
  path: string,
  schema: { safeParse(value: unknown): { readonly data?: List } },
  pick: (list: List) => T,
): Promise<Known<T>> {
  const stored = await service.stored(path);
  if (stored.state !== 'known') return stored;
  const { data } = schema.safeParse(stored.value.value);
  return data === undefined ? UNEXPECTED : { state: 'known', value: pick(data) };
}

async function remove(
  service: Pick<ServicePort, 'send'>,
  address: string,
  exists: () => Promise<Known<boolean>>,
): Promise<Failure | undefined> {
  const answer = await service.send({ target: 'service', method: 'DELETE', address });
  return failureUnlessMissing(answer.state === 'failed' ? answer.failure : undefined, exists);
}

function secretPath(site: HistorySubject, name: string): string {
  return `${subjectPath(site)}/secrets/${encodeURIComponent(name)}.json`;
}

/** The expiry time of a secret with this last day: the end of that day in the person's time zone. Takes `YYYY-MM-DD`. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** Whether that day has passed or is invalid. */
export function isPast(day: string, now: Date): boolean {
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) || end <= now.getTime();
}

/** A new key. Its value cannot be printed by accident. */
export interface NewApiKey {
  readonly info: ApiKeyInfo;
  readonly value: SealedValue;
}

type KeyValidity = 'good' | 'soon' | 'expired';

const DAY = 86_400;
/** Days before expiry from which a key should be renewed. */
const SOON = 14;
const LIFETIMES = [1, 7, 30, 90, 180, 365];
/** The service's limit if it states none, in seconds. */
const LONGEST = 365 * DAY;

/** The lifetimes to choose from, in days. Takes the service's limit in seconds. */
export function lifetimes(longest: number = LONGEST): readonly number[] {
  const most = Math.floor(longest / DAY);
  return most === 0 ? [longest / DAY] : [...LIFETIMES.filter((days) => days < most), most];
}

export function keyValidity(expires: string, now: Date): KeyValidity {
  const left = (Date.parse(expires) - now.getTime()) / 1000;
  if (left <= 0) return 'expired';
  return left <= SOON * DAY ? 'soon' : 'good';
}

/** The keys of a site or an organization, the first to expire at the top. */
export async function readKeys(service: Pick<ServicePort, 'stored'>, subject: HistorySubject): Promise<Known<readonly ApiKeyInfo[]>> {
  return readList(service, listPath(subject), ApiKeyList, (list) =>
    Object.values(list).toSorted((one, other) => Date.parse(one.expires) - Date.parse(other.expires)),
  );
}

/** Takes its purpose, its roles and its lifetime in days. */
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
  if (!parsed.success) return UNEXPECTED;
  const { value: secret, ...info } = parsed.data;
  return { state: 'known', value: { info, value: new SealedValue(secret) } };
}

/** Returns why it was not revoked. A missing key counts as revoked. */
export async function revokeKey(
  service: Pick<ServicePort, 'send' | 'stored'>,
  subject: HistorySubject,
  id: string,
): Promise<Failure | undefined> {
  const address = `${subjectPath(subject)}/apiKeys/${encodeURIComponent(id)}.json`;
  return remove(service, address, async () => anyOf(await readKeys(service, subject), (one) => one.id === id));
}

function listPath(subject: HistorySubject): string {
  return `${subjectPath(subject)}/apiKeys.json`;
}
