import { canonical, valueAt } from '@repoless/contract/json.ts';
import { hideCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Org } from '@repoless/contract/org.ts';
import { Profile, Site } from '@repoless/contract/site.ts';
import { aboutOf, type Call, type HostedAddress, read, unreadable } from './call.ts';
import { missingDocument } from './refusals.ts';

export type Raw = Readonly<Record<string, unknown>>;

/** A member that the contract does not define: preserved in the stored document, omitted from answers. */
export interface Unknown {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** A kind of configuration document: its address in the hosted service, and how the contract shows it. */
export interface Kind {
  readonly whole: HostedAddress;
  readonly part: HostedAddress;
  readonly schema: z.ZodType;
  /** Its key among the parameters of an address. */
  readonly name: 'site' | 'profile' | 'org';
  /** Members that the contract has in every such document and the hosted service does not. */
  readonly always: Raw;
}

export const SITE: Kind = { whole: 'site', part: 'sitePart', schema: Site, name: 'site', always: {} };
export const PROFILE: Kind = { whole: 'profile', part: 'profilePart', schema: Profile, name: 'profile', always: {} };
export const ORG: Kind = { whole: 'org', part: 'orgPart', schema: Org, name: 'org', always: { users: [] } };

/** A document as the hosted service has it (`raw`), and as the contract shows it (`shown`). */
export interface LoadedDocument {
  readonly raw: Raw;
  readonly shown: Raw;
  readonly unknown: readonly Unknown[];
}

/** Set by the hosted service with each write, and not sent. */
export const SERVER_SET = ['created', 'lastModified', 'version', 'name'] as const;

/** Stands in for unknown times. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

export async function load(call: Call, kind: Kind): Promise<LoadedDocument | undefined> {
  const raw = await read(call, kind.whole, call.params);
  if (raw === undefined) return undefined;
  if (Array.isArray(raw)) throw unreadable();
  const found = parseStored(call, kind, raw as Raw);
  const { org, site } = call.params;
  if (kind === SITE && org !== undefined && site !== undefined)
    call.options.paths?.set(`${org}/${site}`, Object(valueAt(found.shown, ['public', 'paths'])) as object);
  return found;
}

/** The same, refusing callers for whom it does not exist. */
export async function requireDocument(call: Call, kind: Kind): Promise<LoadedDocument> {
  const current = await load(call, kind);
  if (current === undefined) throw missingDocument(aboutOf(call, call.params));
  return current;
}

/** The members of a document that its writers set. */
export function ownMembers(document: Raw): Raw {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SERVER_SET.some((one) => one === name)));
}

/** Those of these members that a document has. */
export function pick(document: Raw | undefined, names: readonly string[]): Raw {
  return Object.fromEntries(names.flatMap((name) => (document?.[name] === undefined ? [] : [[name, document[name]]])));
}

/** A document of the hosted service in the form of the contract, with the members that the contract does not define. */
export function parseStored({ params }: Pick<Call, 'params'>, kind: Kind, raw: Raw): LoadedDocument {
  const complete = {
    ...kind.always,
    version: 1,
    created: NO_TIME,
    lastModified: raw['created'] ?? NO_TIME,
    ...raw,
    name: params[kind.name],
  };
  const { value, unknown } = parseTolerantly(kind.schema, complete);
  return { raw, shown: value as Raw, unknown };
}

/** A warning about members that the contract does not define: they are preserved, and not shown. */
export function unknownWarnings(unknown: readonly Unknown[]): string[] {
  if (unknown.length === 0) return [];
  const names = unknown.map(({ path }) => path.join('/')).join(', ');
  return [`${UNKNOWN}${names}.`];
}
const UNKNOWN = 'The hosted service has members that are not shown here, and kept in every change: ';

/** The member names in that warning, if an answer contains it. */
export function unknownMembers(warnings: string): string | undefined {
  const at = warnings.indexOf(UNKNOWN);
  return at === -1 ? undefined : /^[^;]*(?=\.)/.exec(warnings.slice(at + UNKNOWN.length))?.[0];
}

/** `sites/de`, `profiles/base`, or empty: the organization itself. */
export function subjectOf(kind: Kind, { site, profile }: Call['params']): string {
  return kind.name === 'site' ? `sites/${site ?? ''}` : kind.name === 'profile' ? `profiles/${profile ?? ''}` : '';
}

/** A site as listed by the hosted service. */
export type Listed = Raw & { readonly name: string };

/** Sorted by name. Always requested with details: one answer serves all. */
export async function listedSites(call: Call): Promise<readonly Listed[]> {
  const { org = '' } = call.params;
  return await call.cached(`sites ${org}`, async () => {
    const all = items(await read(call, 'sites', { org }, { details: true }), 'sites');
    return all.map((site) => ({ ...site, name: String(site.name) })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  });
}

export async function siteNames(call: Call): Promise<string[]> {
  return (await listedSites(call)).map(({ name }) => name);
}

/** The entries of a list of the hosted service, in any of its forms. */
export function items(answer: unknown, name: string): readonly (Raw & { readonly name: unknown })[] {
  const list: unknown = Array.isArray(answer) ? answer : Reflect.get(Object(answer), name);
  return Array.isArray(list)
    ? (list as unknown[]).flatMap((one) =>
        typeof one === 'object' && one !== null && 'name' in one ? [one as Raw & { name: unknown }] : [],
      )
    : Object.entries(asMap(list)).map(([key, one]) => ({ name: key, ...one }));
}

/** The value as the contract defines it. Members that it does not define are listed with their paths. */
export function parseTolerantly(schema: z.ZodType, value: unknown): { readonly value: unknown; readonly unknown: readonly Unknown[] } {
  let now = value;
  const unknown: Unknown[] = [];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const { error } = schema.safeParse(now);
    const found = (error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
    );
    if (found.length === 0) return { value: now, unknown };
    for (const path of found) {
      unknown.push({ path, value: valueAt(now, path) });
      now = setAt(now, path, undefined);
    }
  }
  return { value: now, unknown };
}
const DEPTH = 20;

/** Restores the members that the contract does not define, if their parents still exist. */
export function withUnknown(document: Raw, unknown: readonly Unknown[]): Raw {
  return unknown.reduce<Raw>((now, { path, value }) => {
    const above = valueAt(now, path.slice(0, -1));
    const last = path.at(-1);
    if (typeof above !== 'object' || above === null || last === undefined || Object.hasOwn(above, last)) return now;
    return withValueAt(now, path, value);
  }, document);
}

/**
 * The document with the value at a path, or without it if the value is undefined. Creates missing parents; a parent that becomes empty
 * stays.
 */
export function withValueAt(document: Raw, path: readonly PropertyKey[], value: unknown): Raw {
  if (value === undefined && valueAt(document, path) === undefined) return document;
  return setAt(document, path, value) as Raw;
}

function setAt(at: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at)) return at.map((item, index) => (String(index) === String(key) ? setAt(item, rest, value) : item));
  const object: Raw = typeof at === 'object' && at !== null ? (at as Raw) : {};
  const { [String(key)]: old, ...others } = object;
  const next = setAt(old, rest, value);
  if (next === undefined) return others;
  // An existing member keeps its position: the order of headers matters.
  return Object.hasOwn(object, key) ? { ...object, [String(key)]: next } : { ...others, [String(key)]: next };
}

/** The hosted service has no ETags. The time of the last write is left out, because it is unknown for a write that is not read back. */
export function etagOf(value: unknown): string {
  const { lastModified: _time, ...own } = Object(value) as Raw;
  const value_ = typeof value === 'object' && value !== null && !Array.isArray(value) ? own : value;
  return `"${createHash('sha256')
    .update(JSON.stringify(canonical(value_)))
    .digest('base64url')}"`;
}

/** The document without values of credentials, for storage here: secrets, tokens and keys keep only their descriptions. */
export function redacted(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => {
      if (name === 'cdn') return [name, hideCredentials(value)];
      return [name, CREDENTIALS.some((one) => one === name) ? mapped(value, withoutValue) : value];
    }),
  );
}

/** Parts that are lost with the document: changing other parts never touches them. */
export const CREDENTIALS = ['apiKeys', 'secrets', 'tokens'] as const;
const SHOWN_MEMBERS = ['id', 'name', 'type', 'created', 'lastModified', 'expires', 'expiration', 'roles', 'subject', 'description'];

function mapped(value: unknown, map: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one)]))
    : undefined;
}

function withoutValue(credential: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(credential) as object).filter(([name]) => SHOWN_MEMBERS.includes(name)));
}

/** The hosted service returns lists as a map by name, as a list of objects with `id`, or as 404: always a map here. */
export function asMap(value: unknown): Readonly<Record<string, Raw>> {
  if (Array.isArray(value)) {
    return Object.fromEntries(
      value.flatMap((item: unknown) => {
        const id = typeof item === 'object' && item !== null ? (Reflect.get(item, 'name') ?? Reflect.get(item, 'id')) : undefined;
        return typeof id === 'string' ? [[id, item as Raw]] : [];
      }),
    );
  }
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  // Safe: anything that is not an object is filtered out.
  return Object.fromEntries(entries.filter(([, one]) => typeof one === 'object' && one !== null)) as Record<string, Raw>;
}

/** A time of the hosted service in the contract's format. */
export function isoTime(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
}
