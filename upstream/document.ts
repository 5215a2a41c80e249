import { Org } from '@repoless/contract/org.ts';
import { Profile, Site } from '@repoless/contract/site.ts';
import type { z } from 'zod';
import type { HostedAddress } from './addresses.ts';
import { type Call, read, unreadable } from './call.ts';
import { parseTolerantly, type Raw, type Unknown, valueAt } from './documents.ts';

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
  const shown = value as Raw;
  return { raw, shown, unknown };
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
