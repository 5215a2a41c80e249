import { difference } from '@repoless/contract/difference.ts';
import { valueAt } from '@repoless/contract/json.ts';
import type { Permission } from '@repoless/contract/access.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import type { SitePart } from '@repoless/contract/site.ts';
import type { Context, Outcome, Result } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { changeDocument, requestOf } from './change-document.ts';
import type { Change, ChangeRequest, Document, DocumentCall, DocumentKind, Named, Sent, StoredDocument } from './change.ts';
import type { Subject } from '../history/ports.ts';

/** A part of a document with its own address. */
interface Part {
  readonly path: readonly string[];
  /** Its name in messages. */
  readonly noun: string;
  /** Its name in the audit trail, after `set-` or `delete-`. */
  readonly action: string;
  /** Its media type, if it is sent as text. */
  readonly media?: string;
  /** Callers know it as a separate document: the answer says whether it was created. */
  readonly createsPart?: true;
  /** The refusal if it is missing, instead of the kind's own. */
  missing?(): Refusal;
}

export function sitePart(part: SitePart): Part {
  return { path: part.split('/'), noun: part, action: part };
}

export function groupPart({ group }: { readonly group: string }): Part {
  return { path: ['groups', group], noun: `group "${group}"`, action: `groups/${group}` };
}

export function editorPart({ name }: { readonly name: string }): Part {
  return { path: ['editor', name], noun: `editor configuration "${name}"`, action: `editor/${name}` };
}

export function robotsPart(): Part {
  return { path: ['robots', 'txt'], noun: 'robots.txt', action: 'robots', media: 'text/plain' };
}

export function yamlPart(file: SiteYamlName): Part {
  return { path: [file, 'yaml'], noun: `${file}.yaml`, action: `content/${file}.yaml`, media: 'text/yaml', createsPart: true };
}

/** The calls that read, replace and remove a part, which is named by their parameters. */
export function partCalls<N extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>, P>(
  kind: DocumentKind<N, D, I, S>,
  permission: Permission,
  partIn: (params: P) => Part,
) {
  type Call = DocumentCall<N & P>;
  const missing = ({ noun, missing: own }: Part, params: N) => own?.() ?? kind.partMissing(noun, params);
  const change = (context: Context, input: Call, verb: 'set' | 'delete', next: Change<N, D, I>['next']): Promise<Outcome> => {
    const { path, action, createsPart } = partIn(input.params);
    return changeDocument(context, kind, {
      ...requestOf(kind, input),
      permission,
      action: `${verb}-${action}`,
      view: { pointer: jsonPointer(path), read: (config) => valueAt(config, path) },
      ...(createsPart && { createsPart }),
      next,
    });
  };
  return {
    async get(context: Context, { params }: { readonly params: N & P }): Promise<Outcome> {
      const part = partIn(params);
      const { config } = await kind.find(context, params);
      const value = valueAt(config, part.path);
      if (value === undefined) throw missing(part, params);
      // A text without its own media type is sent as JSON.
      const isJsonText = typeof value === 'string' && part.media === undefined;
      const body = isJsonText ? JSON.stringify(value) : value;
      return { result: 'done', body, etag: etagOf(value), ...(isJsonText ? headersOf('application/json') : headersOf(part.media)) };
    },
    async set(context: Context, input: Call & { readonly body: unknown }): Promise<Outcome> {
      const part = partIn(input.params);
      const { path, media } = part;
      const value = media === undefined ? input.body : requireText(part, input.body);
      const outcome = await change(context, input, 'set', (current) => withValue<I>(current?.config, path, value));
      if (media === undefined || input.query.dryRun === true) return outcome;
      return { ...outcome, headers: { ...outcome.headers, ...headersOf(media).headers } };
    },
    remove(context: Context, input: Call): Promise<Outcome> {
      const part = partIn(input.params);
      return change(context, input, 'delete', (current) => {
        if (valueAt(current?.config, part.path) === undefined) throw missing(part, input.params);
        return withValue<I>(current?.config, part.path, undefined);
      });
    },
  };
}

function headersOf(media: string | undefined): Pick<Outcome, 'headers'> {
  return media === undefined ? {} : { headers: { 'content-type': `${media}; charset=utf-8` } };
}

/** The body, or its `txt`. */
function requireText({ noun, media }: Part, body: unknown): string {
  const text = typeof body === 'string' ? body : valueAt(body, ['txt']);
  if (typeof text === 'string' && text !== '') return text;
  throw new Refusal('BODY_MISSING', 'missing body', { detail: `Send the text of ${noun} as ${media}; DELETE removes it.` });
}

type Tree = Readonly<Record<string, unknown>>;

/** The document with the value at a path, or without it if the value is undefined. Safe: it was parsed by the schema of the path. */
function withValue<I>(config: unknown, path: readonly string[], value: unknown): I {
  return withValueAt(asTree(config), path, value) as I;
}

/** A parent that becomes empty is removed too. */
function withValueAt(tree: Tree, [key = '', ...below]: readonly string[], value: unknown): Tree {
  const next = below.length === 0 ? value : withValueAt(asTree(tree[key]), below, value);
  const isRemoved = next === undefined || (below.length > 0 && Object.keys(asTree(next)).length === 0);
  if (!isRemoved) return { ...tree, [key]: next };
  const { [key]: _removed, ...rest } = tree;
  return rest;
}

function asTree(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The outcome of a write of something without versions (a secret, a key, the name of a version), before it is stored. */
export interface Prepared {
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
  request: ChangeRequest,
  prepare: (reads: Reads) => Promise<Prepared>,
  subject?: Subject,
): Promise<Outcome> {
  if (request.query.dryRun === true) return dryRunOf(await prepare(context.store.reads));
  const { result, body, etag } = await context.store.write(async (writes) => {
    const prepared = await prepare(writes);
    await prepared.store?.(writes);
    return prepared;
  }, subject);
  return { result, ...(body === undefined ? {} : { body }), ...(etag === undefined ? {} : { etag }) };
}

export function dryRunOf({ result, body, dryRunResult, diff }: Prepared): Outcome {
  return { result: 'done', prediction: { result, body: dryRunResult ?? body ?? null, diff } };
}

const REMOVAL: Patch = [{ op: 'remove', path: '' }];

export function removed(store: (writes: Writes) => Promise<void>): Prepared {
  return { result: 'removed', diff: REMOVAL, store };
}

/**
 * Something new with a generated identifier, which a dry run does not predict; neither does it predict the `secrets` that are shown only
 * now.
 */
export function created<T extends { readonly id: string }>(
  info: T,
  { etag, secrets, store }: { readonly etag: string; readonly secrets: object; store(writes: Writes): Promise<void> },
): Prepared {
  const { id: _id, ...dryRunResult } = info;
  return { result: 'created', body: { ...info, ...secrets }, etag, dryRunResult, diff: difference({}, dryRunResult), store };
}
