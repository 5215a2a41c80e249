import { Org } from '@repoless/contract/org.ts';
import { Profile, Site } from '@repoless/contract/site.ts';
import type { z } from 'zod';
import { aboutOf, type Call, type HostedAddress, read, unreadable } from './call.ts';
import { missingDocument } from './refusals.ts';
import { asMap, parseTolerantly, type Raw, type Unknown, valueAt } from './documents.ts';

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
export interface Held {
  readonly raw: Raw;
  readonly shown: Raw;
  readonly unknown: readonly Unknown[];
}

/** Set by the hosted service with each write, and not sent. */
export const SERVER_SET = ['created', 'lastModified', 'version', 'name'] as const;

/** Stands in for unknown times. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

export async function load(call: Call, kind: Kind): Promise<Held | undefined> {
  const raw = await read(call, kind.whole, call.params);
  if (raw === undefined) return undefined;
  if (Array.isArray(raw)) throw unreadable();
  const found = held(call, kind, raw as Raw);
  const { org, site } = call.params;
  if (kind === SITE && org !== undefined && site !== undefined)
    call.options.paths?.set(`${org}/${site}`, Object(valueAt(found.shown, ['public', 'paths'])) as object);
  return found;
}

/** The same, refusing callers for whom it does not exist. */
export async function requireDocument(call: Call, kind: Kind): Promise<Held> {
  const present = await load(call, kind);
  if (present === undefined) throw missingDocument(aboutOf(call, call.params));
  return present;
}

/** The members of a document that its writers set. */
export function ownMembers(document: Raw): Raw {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SERVER_SET.some((one) => one === name)));
}

/** Those of these members that a document has. */
export function pick(document: Raw | undefined, names: readonly string[]): Raw {
  return Object.fromEntries(names.flatMap((name) => (document?.[name] === undefined ? [] : [[name, document[name]]])));
}

export function held({ params }: Pick<Call, 'params'>, kind: Kind, raw: Raw): Held {
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

/** Warns, in a sentence, about members that the contract does not define: they are preserved and not shown. */
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
  return await call.remembered(`sites ${org}`, async () => {
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
