import { externalSource, type ExternalSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import { type SecretMetadata, REPOSITORY_SECRET, type SentSecret } from '@repoless/contract/secret.ts';
import type { Site, SiteInput } from '@repoless/contract/site.ts';
import { createHash } from 'node:crypto';

import { rolesOf, notAuthorized } from '../access/roles.ts';
import type { Context } from '../domain/context.ts';
import { bodyInvalid } from '@repoless/contract/refusal.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { requireCapacity } from '../domain/documents.ts';
import { ownerAt, ownerAudit, type StoredOwner } from '../owners/owner.ts';
import { type StoredSecret, writtenSecret } from './secret-box.ts';
import type { Caller } from '../sessions/identity.ts';

/** What a document stores of its credentials: nothing that grants access (docs/contract.md 3.8). */
export function withoutValues({ secrets, tokens }: Pick<SiteInput, 'secrets' | 'tokens'>): Pick<Site, 'secrets' | 'tokens'> {
  return {
    ...(secrets === undefined ? {} : { secrets: mapped(secrets, redacted) }),
    ...(tokens === undefined ? {} : { tokens: mapped(tokens, ({ hash: _hash, ...token }) => token) }),
  };
}

/**
 * The secrets of a document that are stored separately: values, sealed, hashes, and expiry dates. Redacted ones keep the stored value, and
 * in a restored version also its expiry, which belongs to the value. Refuses with QUOTA_REACHED if there is no quota left for them.
 */
export async function takenSecrets(
  context: Context,
  reads: Reads,
  owner: StoredOwner,
  { sent, restores }: { readonly sent: Readonly<Record<string, SentSecret>>; readonly restores: number | undefined },
): Promise<StoredSecret[]> {
  const brought = Object.entries(sent).filter((entry) => restores === undefined || isBrought(entry[1]));
  if (brought.length === 0) return [];
  const current = new Map((await reads.secrets(owner.org, owner.site)).map((secret) => [secret.name, secret]));
  const taken = brought.flatMap(([name, secret]) => takenSecret(context, { ...owner, name }, secret, current.get(name)));
  const more = taken.filter(({ name }) => !current.has(name)).length;
  if (more > 0) requireCapacity(context.settings.quotas, owner.org, await reads.usage(owner.org), { secrets: more });
  return taken;
}

/** Stores a secret with its audit entry. */
export async function storeSecret(context: Context, writes: Writes, secret: StoredSecret): Promise<void> {
  await writes.putSecret(secret);
  await addSecretAudit(context, writes, secret, 'set');
}

/**
 * Removes stored secrets of a profile or the organization that its document named before and no longer names, each with its audit entry,
 * unless that is the change's own. Secrets set at their own address stay.
 */
export async function removeUnnamedSecrets(
  context: Context,
  writes: Writes,
  owner: StoredOwner,
  { before = {}, after = {}, action }: { readonly before: Names | undefined; readonly after: Names | undefined; readonly action: string },
): Promise<void> {
  for (const secret of await writes.secrets(owner.org, owner.site)) {
    if (!Object.hasOwn(before, secret.name) || Object.hasOwn(after, secret.name)) continue;
    await writes.deleteSecret(secret);
    if (action !== `delete-secret/${secret.name}`) await addSecretAudit(context, writes, secret, 'delete');
  }
}

type Names = Readonly<Record<string, unknown>>;

/** When a secret expires, in the form of a `StoredSecret`. Refuses a time in the past with BODY_INVALID. */
export function secretEnd({ now }: Context, expires: string | undefined, pointer = '/expires'): { readonly expires?: Date } {
  if (expires === undefined) return {};
  const end = new Date(expires);
  if (end.getTime() > now().getTime()) return { expires: end };
  throw bodyInvalid(pointer, 'This end date has passed. Write a future one, or omit it.');
}

async function addSecretAudit(context: Context, writes: Writes, secret: StoredSecret, done: 'set' | 'delete'): Promise<void> {
  await writes.addAudit(ownerAudit(context, ownerAt(secret), [done, 'secret', secret.name]));
}

function takenSecret(
  context: Context,
  location: StoredOwner & { readonly name: string },
  secret: SentSecret,
  current: StoredSecret | undefined,
): StoredSecret[] {
  if (!isBrought(secret)) return current === undefined ? [] : withDocument(context, secret, current);
  const { type, value, hash } = secret;
  const end = value === undefined ? endOf(secret) : secretEnd(context, secret.expires, `/secrets/${location.name}/expires`);
  const hashed = hash ?? (type === 'hashed' && value !== undefined ? createHash('sha256').update(value).digest('base64url') : undefined);
  const isSame = hashed !== undefined && current?.type === 'hashed' && current.sealed === hashed;
  const described = describedAs(secret);
  if (isSame && current.expires?.getTime() === end.expires?.getTime() && current.description === described.description) return [];
  const sealed = hashed ?? context.box.seal(value ?? '', location);
  const stored = { ...location, type: hashed === undefined ? ('key' as const) : ('hashed' as const), sealed, ...end, ...described };
  return [writtenSecret(context.now(), stored, current)];
}

/** Secrets have their own addresses, where an expiry or a description may have been set that the document does not know. */
function withDocument(context: Context, secret: SentSecret, current: StoredSecret): StoredSecret[] {
  const described = { ...endOf(secret), ...describedAs(secret) };
  const isSame =
    (described.expires ?? current.expires)?.getTime() === current.expires?.getTime() &&
    (described.description ?? current.description) === current.description;
  return isSame ? [] : [writtenSecret(context.now(), { ...current, ...described }, current)];
}

function isBrought({ value, hash }: SentSecret): boolean {
  return value !== undefined || hash !== undefined;
}

function endOf({ expires }: SentSecret): { readonly expires?: Date } {
  return expires === undefined ? {} : { expires: new Date(expires) };
}

function describedAs({ description }: SentSecret): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

function redacted({ value: _value, hash: _hash, ...shown }: SentSecret): SecretMetadata {
  return shown;
}

function mapped<T, R>(entries: Readonly<Record<string, T>>, map: (entry: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]));
}

interface SourceChange {
  readonly caller: Caller;
  readonly org: Org;
  readonly site: string;
  /** The site with its profile before and after; undefined if there was none. */
  readonly before: Site | undefined;
  readonly after: Site;
  /** The secrets sent with the change: a caller who sends a value knows it. */
  readonly sent: SiteInput['secrets'];
}

/**
 * Refuses with NOT_AUTHORIZED a change after which the stored secret of an external repository would be sent to other addresses, unless by
 * an admin of the site: anyone who writes its configuration could otherwise have it sent to a host of their own. Rule: docs/contract.md
 * 3.7.
 */
export async function requireSameAddresses(reads: Reads, { caller, org, site, before, after, sent }: SourceChange): Promise<void> {
  const source = sourceOf(after);
  if (source === undefined || isSame(source, sourceOf(before)) || sent?.[REPOSITORY_SECRET]?.value !== undefined) return;
  if (rolesOf(caller, org, before).has('admin')) return;
  if ((await reads.secret(org.name, site, REPOSITORY_SECRET)) === undefined) return;
  const sentence = `Only an admin may send the stored secret "${REPOSITORY_SECRET}" to other addresses (code.source.url and raw_url).`;
  const why = `${sentence} Delete the secret first, then store it again.`;
  throw notAuthorized(caller, org, { why, reason: 'secretAddress', site: before });
}

/** The external repository of a site that holds its secret. */
function sourceOf(site: Site | undefined): ExternalSource | undefined {
  const source = externalSource(site?.code);
  return source?.secretId === undefined ? undefined : source;
}

function isSame(one: ExternalSource, other: ExternalSource | undefined): boolean {
  return one.url === other?.url && one.rawUrl === other.rawUrl;
}
