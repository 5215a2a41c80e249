import { sameValue } from '@repoless/contract/json.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import { EDITED_PARTS, type EditedPart, partSchema, Site } from '@repoless/contract/site.ts';
import type { AccessKind, Base } from '../access/access-kind.ts';
import { mayChange } from '../access/change-access.ts';
import { readAggregate } from '../access/read-access.ts';
import { describeChange } from '../history/describe-change.ts';
import { type StoredDocument, subjectPath } from '../history/history-port.ts';
import { at, isObject, keysOf, mergeValue, overlaps, pointerTo, without } from '../history/json-values.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { ServicePort } from '../situation/ports.ts';
import { emptyValue, type FormNode, formOf, variantOf } from './form-node.ts';

/** The edited parts of a site that have a form. */
export type ConfigurationDraft = Readonly<Partial<Record<SectionName, unknown>>>;

/** A site's configuration, edited by part and stored as a whole by one call: one version, one preview, one undo. */
export function configurationKind(organization: string, site: string): AccessKind<ConfigurationDraft> {
  return {
    address: `${subjectPath({ kind: 'site', organization, name: site })}.json`,
    isPart: false,
    draftOf,
    valueOf: (value, draft) => ({ ...documentOf(without(value, ...SECTIONS)), ...emptied(value), ...draftOf(draft) }),
    merge: (base, mine, theirs) => eachSection((name) => mergeValue(at(base, name), at(mine, name), at(theirs, name))),
    overlaps,
    changes: (before, after) => describeChange(documentOf(before), documentOf(after)),
    entryAt: fieldAt,
  };
}

export function draftOf(value: unknown): ConfigurationDraft {
  return eachSection((name) => at(value, name));
}

/** The draft with a part replaced; undefined removes it. */
export function withSection(draft: ConfigurationDraft, name: SectionName, value: unknown): ConfigurationDraft {
  return eachSection((one) => (one === name ? value : draft[one]));
}

function eachSection(valueOf: (name: SectionName) => unknown): ConfigurationDraft {
  const entries = SECTIONS.map((name) => [name, valueOf(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The service preserves a file that a document does not name (docs/contract.md 3.14), so a file is removed by sending it empty. */
function emptied(value: unknown): StoredDocument {
  return Object.fromEntries(SITE_YAML_NAMES.filter((name) => at(value, name) !== undefined).map((name) => [name, { yaml: '' }]));
}

function documentOf(value: unknown): StoredDocument {
  return isObject(value) ? value : {};
}

/**
 * The field that shows an error at a pointer (RFC 6901): the field at that location, or its nearest visible ancestor. Undefined if no part
 * with a form contains it.
 */
export function fieldAt(draft: ConfigurationDraft, pointer: string): string | undefined {
  const [name, ...keys] = keysOfPointer(pointer);
  const section = SECTIONS.find((one) => one === name);
  if (section === undefined) return undefined;
  const location: string[] = [section];
  let node: FormNode | undefined = FORMS[section];
  let value: unknown = draft[section];
  for (const key of keys) {
    node = childOf(node, value, key);
    if (node === undefined) break;
    value = Array.isArray(value) ? (value[Number(key)] as unknown) : at(value, key);
    location.push(key);
  }
  return pointerTo(...location);
}

function childOf(node: FormNode, value: unknown, key: string): FormNode | undefined {
  switch (node.kind) {
    case 'list':
      return Array.isArray(value) && Number(key) < value.length ? node.item : undefined;
    case 'record':
      return isObject(value) && Object.hasOwn(value, key) ? node.value : undefined;
    case 'object':
      return node.fields.find(({ name }) => name === key)?.node;
    case 'variants': {
      if (key === node.by) return { kind: 'text' };
      const variant = variantOf(node, at(value, node.by));
      return variant === undefined ? undefined : childOf(variant.node, value, key);
    }
    case 'text':
    case 'number':
    case 'switch':
    case 'choice':
    case 'choices':
    case 'json':
      return undefined;
    default:
      return node satisfies never;
  }
}

function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const SECTIONS = EDITED_PARTS;
export type SectionName = EditedPart;

/** How each part is edited, derived from the contract's schema. */
export const FORMS = Object.fromEntries(SECTIONS.map((name) => [name, formOf(partSchema(name))])) as Readonly<
  Record<SectionName, FormNode>
>;

/** Multiline texts, which the schema doesn't distinguish. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['robots/txt', 'query/yaml', 'sitemap/yaml']);

/** Takes a location whose keys and indexes are written as `*`. */
export function isLongText(location: string): boolean {
  return LONG_TEXTS.has(location);
}

/** An object with a member replaced; undefined removes it. An optional object is removed with its last value. */
export function withMember(value: unknown, name: string, next: unknown, isRequired: boolean): unknown {
  const members = Object.entries({ ...(isObject(value) ? value : {}), [name]: next }).filter(([, one]) => one !== undefined);
  const isEmpty = members.every(([, one]) => one === '');
  return isEmpty && !isRequired ? undefined : Object.fromEntries(members);
}

/** Entries with one of them renamed, in the same order. */
export function renamed(entries: readonly (readonly [string, unknown])[], from: string, to: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map(([name, value]) => [name === from ? to : name, value]));
}

/**
 * A value as another variant: with the members that both share, the stored values of that variant, and empty values for its other required
 * members.
 */
export function asVariant(
  node: Extract<FormNode, { kind: 'variants' }>,
  type: string | undefined,
  value: unknown,
  stored: unknown,
): unknown {
  const variant = node.variants.find(({ name }) => name === type);
  if (variant === undefined) return value;
  const base = isObject(stored) && at(stored, node.by) === type ? stored : {};
  const known = { ...base, ...(isObject(without(value, node.by)) ? withoutEmpty(without(value, node.by)) : {}) };
  const members = variant.node.fields.flatMap(({ name, isRequired, node: inner }) => {
    const previous = at(known, name);
    return previous !== undefined ? [[name, previous] as const] : isRequired ? [[name, emptyValue(inner)] as const] : [];
  });
  const next = { ...(type === undefined ? {} : { [node.by]: type }), ...Object.fromEntries(members) };
  return Object.values(next).every((one) => one === '') ? undefined : next;
}

function withoutEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([, one]) => one !== ''));
}

type Service = Pick<ServicePort, 'stored' | 'effective' | 'dryRun' | 'send' | 'history'>;

/** Values that a site inherits from its profile. */
interface Inherited {
  readonly profile: string;
  readonly values: ConfigurationDraft;
}

export interface ConfigurationRead {
  readonly base: Base;
  readonly inherited?: Inherited;
  /** Why the caller may only read. */
  readonly refused?: Failure;
}

/** Reads the edited parts of a site and the values that it inherits. Missing if there is no such site. */
export async function readConfiguration(service: Service, organization: string, site: string): Promise<Known<ConfigurationRead>> {
  const kind = configurationKind(organization, site);
  const stored = await service.stored(kind.address);
  if (stored.state !== 'known') return stored;
  const config = Site.safeParse(stored.value.value).data;
  if (config === undefined) return { state: 'failed', failure: { kind: 'unexpected' } };
  const [refused, aggregate] = await Promise.all([
    mayChange(service, kind, stored.value),
    readAggregate(service, organization, site, config),
  ]);
  const profile = aggregate?.extends?.profile;
  const values = draftOf(Object.fromEntries(SECTIONS.map((name) => [name, inheritedOf(at(config, name), at(aggregate, name))])));
  return {
    state: 'known',
    value: {
      base: stored.value,
      ...(profile === undefined || Object.keys(values).length === 0 ? {} : { inherited: { profile, values } }),
      ...(refused === undefined ? {} : { refused }),
    },
  };
}

/**
 * The effective values of a site that come from its profile, not from the site itself. Takes a value of the site and the effective value at
 * the same location. Returns undefined if there are none. Objects are merged, and the headers of a path are combined (docs/contract.md
 * 3.12).
 */
export function inheritedOf(own: unknown, aggregate: unknown): unknown {
  if (own === undefined) return aggregate;
  if (isObject(own) && isObject(aggregate)) {
    const entries = keysOf(aggregate)
      .map((key) => [key, inheritedOf(at(own, key), at(aggregate, key))] as const)
      .filter(([, value]) => value !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  // Of two lists that are not combined, only the site's own is effective.
  if (!Array.isArray(own) || !Array.isArray(aggregate) || aggregate.length <= own.length) return undefined;
  return aggregate.filter((entry) => !own.some((mine) => sameValue(mine, entry)));
}
