import { describeChange } from '@repoless/core/history/describe-change.ts';
import { without } from '@repoless/core/history/json-values.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import { type Failure, isUncertain, type Known } from '@repoless/core/situation/call.ts';
import { consequenceLines, failureLine, changeLine } from '../explain.ts';
import { changedParts, type Document, furtherParts, mergedDocument, type Carried } from './carried-document.ts';
import type { DocumentService, Stored } from './document-service.ts';

/** A profile or a site to transfer. */
export interface Subject {
  readonly of: string;
  readonly document: Document;
  /** Tested instead while something that it depends on is still missing. */
  readonly tested?: Document;
}

export interface Carrying {
  readonly target: DocumentService;
  /** Only describes what would be done. */
  readonly isPlan: boolean;
  /** Names of what may be replaced. */
  readonly replaced: readonly string[];
}

type Result = Omit<Carried, 'of'>;
const NOTHING: Result = { state: 'unchanged', changes: [], objections: [], warnings: [], stays: [] };

/** Writes a document to the target, or describes the effect. A different existing value stays unless it was named. */
export async function carryDocument(carrying: Carrying, subject: Subject): Promise<Carried> {
  const { target, isPlan, replaced } = carrying;
  const { of } = subject;
  const path = `/${of}`;
  const stored = await target.read(path);
  if (stored.state === 'failed') return { of, ...refused(stored.failure) };
  if (stored.state === 'missing') {
    if (isPlan) return { of, ...(await triedCreation(target, path, subject)) };
    return { of, ...(await created(target, path, subject.document)) };
  }
  const { value: current } = stored;
  const stays = furtherParts(current.document, subject.document);
  const next = mergedDocument(current.document, subject.document);
  const tried = await evaluate(target, path, current, next);
  if (tried.state !== 'known') return { of, ...refusedOf(tried), stays };
  const { added, changed, warnings, result } = tried.value;
  if (added.length + changed.length === 0) return { of, ...NOTHING, stays };
  const changes = sentences(current.document, result);
  if (changed.length > 0 && !replaced.includes(nameOf(of)))
    return { of, state: 'differs', changes, objections: [messages.transfer.differs(of, nameOf(of))], warnings, stays };
  const state = changed.length > 0 ? 'replaced' : 'completed';
  if (isPlan) return { of, state, changes, objections: [], warnings, stays };
  return { of, ...(await changedOnTarget(target, path, { current, next, parts: [...added, ...changed], state, changes })), stays };
}

/** Its name for `--replace`. */
export function nameOf(of: string): string {
  return of.replace(/^sites\//, '');
}

interface Evaluated {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** What it does to people and visitors, and the target's warnings. */
  readonly warnings: readonly string[];
  readonly result: Document;
}

/** What a document would change. The target's dry run decides, because it completes what the other service omits. */
async function evaluate(target: DocumentService, path: string, current: Stored, next: Document): Promise<Known<Evaluated>> {
  const own = changedParts(current.document, next);
  if (own.added.length + own.changed.length === 0) return { state: 'known', value: { ...own, warnings: [], result: next } };
  const body = bodyOf(target, next);
  const isDocument = partsOf(target, [...own.added, ...own.changed]).length > 0;
  if (!isDocument) return { state: 'known', value: { ...own, warnings: [], result: next } };
  const tried = await target.tried({ method: 'PUT', path: `${path}.json`, body, etag: current.etag });
  if (tried.state !== 'known') return tried;
  const texts = target.isHosted ? Object.fromEntries(SITE_YAML_NAMES.map((name) => [name, next[name]])) : {};
  const result = { ...(Object(tried.value.result) as Document), ...texts };
  const warnings = [...consequenceLines(tried.value.consequences ?? []), ...(tried.value.warnings ?? [])];
  return { state: 'known', value: { ...changedParts(current.document, result), warnings, result } };
}

async function triedCreation(target: DocumentService, path: string, { document, tested }: Subject): Promise<Result> {
  const tried = await target.tried({ method: 'PUT', path: `${path}.json`, body: bodyOf(target, tested ?? document), etag: null });
  if (tried.state !== 'known') return refusedOf(tried);
  const warnings = [...(tried.value.warnings ?? []), ...(tested === undefined ? [] : [messages.transfer.notTried])];
  return { ...NOTHING, state: 'created', warnings };
}

async function created(target: DocumentService, path: string, document: Document): Promise<Result> {
  const written = await target.written({ method: 'PUT', path: `${path}.json`, body: bodyOf(target, document), etag: null });
  if (written.state !== 'known' && !(await isStored(target, path, document, written))) return refusedOf(written);
  const texts = await textsWritten(target, path, document, undefined);
  return { ...NOTHING, state: texts.length > 0 ? 'refused' : 'created', objections: texts, warnings: warningsOf(written) };
}

interface Writing {
  readonly current: Stored;
  readonly next: Document;
  readonly parts: readonly string[];
  readonly state: 'completed' | 'replaced';
  readonly changes: readonly string[];
}

async function changedOnTarget(target: DocumentService, path: string, { current, next, parts, state, changes }: Writing): Promise<Result> {
  let warnings: readonly string[] = [];
  if (partsOf(target, parts).length > 0) {
    const written = await target.written({ method: 'PUT', path: `${path}.json`, body: bodyOf(target, next), etag: current.etag });
    if (written.state !== 'known' && !(await isStored(target, path, next, written))) return refusedOf(written);
    warnings = warningsOf(written);
  }
  const objections = await textsWritten(target, path, next, current.document);
  return { ...NOTHING, state: objections.length > 0 ? 'refused' : state, changes, objections, warnings };
}

/** Whether a write was stored even though its response was lost, or its retry found it already there. */
async function isStored(target: DocumentService, path: string, document: Document, answer: Known<unknown>): Promise<boolean> {
  if (answer.state !== 'failed') return false;
  if (!isUncertain(answer.failure) && answer.failure.status !== 412) return false;
  const now = await target.read(path);
  if (now.state !== 'known') return false;
  const { added, changed } = changedParts(now.value.document, mergedDocument(now.value.document, without(document, ...TEXTS) as Document));
  return added.length + changed.length === 0;
}
const TEXTS: readonly string[] = SITE_YAML_NAMES;

/** The hosted service takes these files at separate addresses. Returns its objections. */
async function textsWritten(target: DocumentService, path: string, next: Document, current: Document | undefined): Promise<string[]> {
  if (!target.isHosted) return [];
  const objections: string[] = [];
  for (const name of SITE_YAML_NAMES) {
    const text: unknown = Reflect.get(Object(next[name]), 'yaml');
    if (typeof text !== 'string' || text === Reflect.get(Object(current?.[name]), 'yaml')) continue;
    const written = await target.written({ method: 'POST', path: `${path}/content/${name}.yaml`, body: text });
    if (written.state === 'failed') objections.push(messages.transfer.partly([`${name}.yaml`], objectionsTo(written.failure).join(' ')));
  }
  return objections;
}

/** The part of the document that is sent in the document itself. */
function bodyOf(target: DocumentService, document: Document): Document {
  return target.isHosted ? (without(document, ...TEXTS) as Document) : document;
}

function partsOf(target: DocumentService, parts: readonly string[]): readonly string[] {
  return target.isHosted ? parts.filter((name) => !TEXTS.includes(name)) : parts;
}

export function sentences(before: Document, after: Document): string[] {
  return describeChange(before, after).map(changeLine);
}

function refusedOf(answer: Known<unknown>): Result {
  return refused(answer.state === 'failed' ? answer.failure : { kind: 'unexpected' });
}

export function refused(failure: Failure): Result {
  return { ...NOTHING, state: 'refused', objections: objectionsTo(failure) };
}

/** The objections of a service, one for each field. */
export function objectionsTo(failure: Failure): string[] {
  const line = failureLine(failure);
  return [line, ...fieldSentences(english, failure).filter((field) => !line.includes(field.replace(/^\/\S*: /, '')))];
}

function warningsOf(written: Known<string>): string[] {
  return written.state === 'known' && written.value !== '' ? [written.value] : [];
}
