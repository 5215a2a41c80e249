import type { Permission } from '@repoless/contract/access.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { Site, SiteInput, SitePart } from '@repoless/contract/site.ts';
import type { Context, Outcome, Result } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads, Subject, Writes } from '../domain/ports.ts';
import { changeDocument } from './change-document.ts';
import {
  changeRequest,
  type ChangeRequest,
  type ConfigView,
  type DocumentCall,
  type DocumentKind,
  type Named,
  type StoredDocument,
} from './change.ts';

/** Sites and profiles: their parts have the same addresses and the same calls. */
export interface PartedKind<Name extends Named, S extends StoredDocument = StoredDocument> extends DocumentKind<Name, Site, SiteInput, S> {
  /** Only the name, from the parameters of a call. */
  nameOf(params: Name): Name;
  /** For reading. Refuses if it does not exist. */
  find(context: Context, name: Name): Promise<S>;
  /** `PART_NOT_FOUND`, with the part's name for messages. */
  partMissing(part: string, name: Name): Refusal;
}

/** Reads one part. */
export function readPart<Name extends Named, S extends StoredDocument>(kind: PartedKind<Name, S>, part: SitePart) {
  const view = partView(part);
  return async (context: Context, { params }: { readonly params: Name }): Promise<Outcome> => {
    const { config } = await kind.find(context, params);
    const value = view.read(config);
    if (value === undefined) throw kind.partMissing(part, params);
    return { result: 'done', body: value, etag: etagOf(value) };
  };
}

/** Replaces one complete part (calls 3, 4 and 5). */
export function replacePart<Name extends Named, S extends StoredDocument>(
  kind: PartedKind<Name, S>,
  part: SitePart,
  permission: Permission,
) {
  const view = partView(part);
  return (context: Context, input: DocumentCall<Name> & { readonly body: unknown }): Promise<Outcome> =>
    changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: `set-${part}`,
      view,
      next: (present) => withPart(present?.config ?? {}, part, input.body),
    });
}

/** Removes one part. */
export function removePart<Name extends Named, S extends StoredDocument>(
  kind: PartedKind<Name, S>,
  part: SitePart,
  permission: Permission,
) {
  const view = partView(part);
  return (context: Context, input: DocumentCall<Name>): Promise<Outcome> =>
    changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: `delete-${part}`,
      view,
      next: (present) => {
        if (present === undefined || view.read(present.config) === undefined) throw kind.partMissing(part, input.params);
        return withPart(present.config, part, undefined);
      },
    });
}

/** A part whose entries have their own addresses: `groups/{group}.json`, `editor/{name}.json`. */
export interface EntryPart<Params> {
  readonly part: 'groups' | 'editor';
  /** The name of an entry in messages. */
  readonly noun: string;
  nameIn(params: Params): string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const GROUP: EntryPart<{ readonly group: string }> = { part: 'groups', noun: 'group', nameIn: ({ group }) => group };
export const EDITOR: EntryPart<{ readonly name: string }> = { part: 'editor', noun: 'editor configuration', nameIn: ({ name }) => name };

export function readEntry<Name extends Named, S extends StoredDocument, Params>(kind: PartedKind<Name, S>, entry: EntryPart<Params>) {
  return async (context: Context, { params }: { readonly params: Name & Params }): Promise<Outcome> => {
    const name = entry.nameIn(params);
    const { config } = await kind.find(context, params);
    const value = entryOf(config, entry.part, name);
    if (value === undefined) throw kind.partMissing(`${entry.noun} "${name}"`, params);
    // The part may be a text, which is also sent as JSON.
    const text = typeof value === 'string' ? { body: JSON.stringify(value), headers: JSON_TYPE } : { body: value };
    return { result: 'done', ...text, etag: etagOf(value) };
  };
}

export function replaceEntry<Name extends Named, S extends StoredDocument, Params>(
  kind: PartedKind<Name, S>,
  entry: EntryPart<Params>,
  permission: Permission,
) {
  return (context: Context, input: DocumentCall<Name & Params> & { readonly body: unknown }): Promise<Outcome> => {
    const { part } = entry;
    const name = entry.nameIn(input.params);
    return changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: `set-${part}/${name}`,
      view: entryView(part, name),
      next: (present) => withEntries(present?.config ?? {}, part, { ...present?.config[part], [name]: input.body }),
    });
  };
}

export function removeEntry<Name extends Named, S extends StoredDocument, Params>(
  kind: PartedKind<Name, S>,
  entry: EntryPart<Params>,
  permission: Permission,
) {
  return (context: Context, input: DocumentCall<Name & Params>): Promise<Outcome> => {
    const { part } = entry;
    const name = entry.nameIn(input.params);
    return changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: `delete-${part}/${name}`,
      view: entryView(part, name),
      next: (present) => {
        if (entryOf(present?.config, part, name) === undefined) throw kind.partMissing(`${entry.noun} "${name}"`, input.params);
        const { [name]: _removed, ...entries } = present?.config[part] ?? {};
        return withEntries(present?.config ?? {}, part, entries);
      },
    });
  };
}

function entryView(part: EntryPart<never>['part'], name: string): ConfigView {
  return { pointer: jsonPointer([part, name]), read: (config) => entryOf(config, part, name) };
}

function entryOf(config: Pick<Site, 'groups' | 'editor'> | undefined, part: EntryPart<never>['part'], name: string): unknown {
  const entries = config?.[part] ?? {};
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** The part is removed with its last entry. Safe: each was parsed by the schema of an entry of this part. */
function withEntries(config: SiteInput, part: EntryPart<never>['part'], entries: Readonly<Record<string, unknown>>): SiteInput {
  const { [part]: _before, ...rest } = config;
  return (Object.keys(entries).length === 0 ? rest : { ...rest, [part]: entries }) as SiteInput;
}

/** Only the text of robots.txt, which is not JSON. */
const ROBOTS: ConfigView = { pointer: '/robots', read: (config) => config.robots?.txt };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;

export function readRobots<Name extends Named, S extends StoredDocument>(kind: PartedKind<Name, S>) {
  return async (context: Context, { params }: { readonly params: Name }): Promise<Outcome> => {
    const { config } = await kind.find(context, params);
    const text = ROBOTS.read(config);
    if (typeof text !== 'string') throw kind.partMissing('robots.txt', params);
    return { result: 'done', body: text, etag: etagOf(text), headers: TEXT };
  };
}

export function replaceRobots<Name extends Named, S extends StoredDocument>(kind: PartedKind<Name, S>, permission: Permission) {
  return async (
    context: Context,
    input: DocumentCall<Name> & { readonly body: string | { readonly txt?: string | undefined } | undefined },
  ): Promise<Outcome> => {
    const txt = typeof input.body === 'string' ? input.body : input.body?.txt;
    if (txt === undefined || txt === '') {
      throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the text of robots.txt; DELETE removes it.' });
    }
    const outcome = await changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: 'set-robots',
      view: ROBOTS,
      next: (present) => ({ ...present?.config, robots: { txt } }),
    });
    return input.query.dryRun === true ? outcome : { ...outcome, headers: TEXT };
  };
}

export function removeRobots<Name extends Named, S extends StoredDocument>(kind: PartedKind<Name, S>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name>): Promise<Outcome> =>
    changeDocument(context, kind, {
      name: kind.nameOf(input.params),
      ...changeRequest(input),
      permission,
      action: 'delete-robots',
      view: ROBOTS,
      next: (present) => {
        if (present?.config.robots === undefined) throw kind.partMissing('robots.txt', input.params);
        const { robots: _robots, ...rest } = present.config;
        return rest;
      },
    });
}

type Tree = Readonly<Record<string, unknown>>;

/** One part of a document by its address, e.g. `access/admin`. */
export function partView(part: SitePart): ConfigView {
  return { pointer: `/${part}`, read: (config) => part.split('/').reduce<unknown>(child, config) };
}

/**
 * The document with the part set (undefined: removed). A parent that becomes empty is removed too. `value` was parsed by the schema of the
 * part.
 */
export function withPart(config: SiteInput, part: SitePart, value: unknown): SiteInput {
  return asSite(placed(config, part.split('/'), value));
}

function placed(tree: Tree, [key = '', ...below]: readonly string[], value: unknown): Tree {
  const next = below.length === 0 ? value : placed(asTree(tree[key]), below, value);
  const { [key]: _before, ...rest } = tree;
  const gone = next === undefined || (below.length > 0 && Object.keys(asTree(next)).length === 0);
  return gone ? rest : { ...rest, [key]: next };
}

function child(value: unknown, key: string): unknown {
  return asTree(value)[key];
}

function asTree(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

// Safe: the address of a part is its path in a site, and its value was parsed by the schema of that path.
function asSite(tree: Tree): SiteInput {
  return tree as SiteInput;
}

/** The outcome of a write of something without versions (a secret, a key, the name of a version), before it is stored. */
export interface Prepared {
  /** Of the answer, and of the dry run's prediction. */
  readonly result: Result;
  readonly body?: unknown;
  readonly etag?: string;
  /** The body of a dry run's answer, if it contains values that are generated each time. */
  readonly dryRunResult?: unknown;
  readonly diff: Patch;
  /** Absent: there is nothing to store. */
  store?(writes: Writes): Promise<void>;
}

/**
 * Prepares and stores in one transaction; with `?dryRun=true` does not store. `prepare` checks permission, preconditions and rules, and
 * throws refusals. Writes of the same `subject` take turns.
 */
export async function runWrite(
  context: Context,
  asked: ChangeRequest,
  prepare: (reads: Reads) => Promise<Prepared>,
  subject?: Subject,
): Promise<Outcome> {
  if (asked.query.dryRun === true) return dryRunOf(await prepare(context.store.reads));
  const { result, body, etag } = await context.store.write(async (writes) => {
    const prepared = await prepare(writes);
    await prepared.store?.(writes);
    return prepared;
  }, subject);
  return { result, ...(body === undefined ? {} : { body }), ...(etag === undefined ? {} : { etag }) };
}

/** The answer to a dry run. */
export function dryRunOf({ result, body, dryRunResult, diff }: Prepared): Outcome {
  return { result: 'done', trial: { result, body: dryRunResult ?? body ?? null, diff } };
}

/** The diff of a removal. */
export const REMOVAL: Patch = [{ op: 'remove', path: '' }];
