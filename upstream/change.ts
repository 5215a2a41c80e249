import { difference } from '@repoless/contract/difference.ts';

import { sameValue } from '@repoless/contract/json.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { type ContentSource, SITE_PARTS } from '@repoless/contract/site.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { completeCode, withSuffix } from '@repoless/contract/complete-sources.ts';
import { randomUUID } from 'node:crypto';
import type { HostedAnswer } from './ask.ts';
import { aboutOf, ask, type Call, type Outcome, outcomeUnknown, tried } from './call.ts';
import { type Held, held, type Kind, load, ORG, SERVER_SET, SITE, subjectOf, unknownWarnings } from './document.ts';
import { CREDENTIALS, etagOf, placed, type Raw, redacted, valueAt, withUnknown } from './documents.ts';
import { consequencesOf, preventLockout } from './people.ts';
import { below, refusalOf } from './refusals.ts';
import { requireSources, unheldRules } from './rules.ts';
import { putChange, type StoredChange } from './store.ts';
import { currentVersion, type HostedVersion } from './versions.ts';

/** A change of a document or of one of its parts. */
export interface Edit {
  /** The part that the call is about; empty: the whole document. */
  readonly view: readonly string[];
  /** The document may be made by it. */
  readonly creates?: true;
  /** What is shown of the document after it; null: it is removed. Refuses by throwing. */
  next(present: Raw | undefined): Raw | null;
  /** Sent in this way, where it is no write of the document or a part: the restoring of a version, the users of an organization. */
  send?(): Promise<HostedAnswer | undefined>;
  /** Finds the part that the call is about, where the view is a list around it. */
  reads?(shown: Raw): unknown;
  /** What is answered of the document, where it is not the part. */
  answers?(shown: Raw): unknown;
}

/**
 * Reads, checks against what the caller saw, sends the smallest write, and answers what the hosted service stored. Two reads for a write: the document
 * before it, and its versions after it, which show whether somebody else wrote in between.
 */
export async function change(call: Call, kind: Kind, edit: Edit): Promise<Outcome> {
  const present = await load(call, kind);
  if (present === undefined && edit.creates !== true) throw refusalOf({ status: 404, headers: {}, text: '' }, aboutOf(call, call.params));
  checkPreconditions(call, etagOfPart(edit, present?.shown));
  const next = completed(call, edit, present?.shown, edit.next(present?.shown));
  if (kind === SITE && next !== null) requireSources(next);
  const isRemoval = next === null && edit.view.length === 0;
  const intended = next === null ? null : withoutEmptyParents(rawOf(present, next), edit.view);
  const after = intended === null ? undefined : held(call, kind, intended);
  const changed = changedParts(present?.raw, intended);
  const warnings = [
    ...unknownWarnings(present?.unknown ?? []),
    ...(await preventLockout(call, kind, present?.shown, after?.shown)),
    ...(await unheldRules(call, kind, present?.shown, after?.shown)),
  ];
  const status = isRemoval || isPartRemoval(edit, after) ? 204 : present === undefined ? 201 : 200;
  if (call.isDryRun) {
    return tried({
      status,
      result: after === undefined ? null : (answerOf(edit, after.shown) ?? null),
      diff: difference(present?.shown ?? null, after?.shown ?? null),
      ...(warnings.length === 0 ? {} : { warnings }),
      consequences: changed.length === 0 && !isRemoval ? [] : [...(await consequencesOf(call, kind, present?.shown, after?.shown))],
    });
  }
  if (present !== undefined && !isRemoval && changed.length === 0) return answered(edit, status, present, warnings);
  const id = randomUUID();
  const sent = await write(call, kind, edit, { present, intended, changed, id });
  const stored = intended === null ? undefined : await storedAfter(call, kind, intended, sent);
  const others = await foreignWrite(call, kind, present, id);
  const differs = stored === undefined || intended === null ? [] : differingPlaces(intended, stored.raw);
  const told = [
    ...warnings,
    ...(differs.length === 0 ? [] : [`The hosted service stored something else than was sent: ${differs.join(', ')}.`]),
    ...foreignWarning(others.foreign),
    ...(stored?.isUnread === true ? ['The hosted service took the change; what it stored could not be read back.'] : []),
  ];
  const record: StoredChange = {
    id,
    time: call.options.now().toISOString(),
    org: call.params['org'] ?? '',
    subject: subjectOf(kind, call.params),
    user: call.credential?.email ?? (call.credential?.id === undefined ? '' : `api-key:${call.credential.id}`),
    call: `${call.method} ${call.address}`,
    before: redacted(present?.raw ?? null),
    after: redacted(stored?.raw ?? null),
    diff: difference(redacted(present?.shown ?? null), redacted(stored?.shown ?? null)),
    ...(others.version === undefined ? {} : { version: others.version }),
    ...(sent?.headers['x-invocation-id'] === undefined ? {} : { invocation: sent.headers['x-invocation-id'] }),
    outcome: differs.length > 0 ? 'differs' : 'stored',
  };
  // The change is made, whether it can be recorded or not.
  await putChange(call.options.store, record).catch((error: unknown) => {
    told.push(`The change was made, but could not be recorded: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (stored === undefined) return { status: 204, warnings: told };
  return answered(edit, status, stored, told);
}

/** The code and content sources with what the contract lets a client leave out, and the hosted service does not. */
function completed(call: Call, { view }: Edit, before: Raw | undefined, next: Raw | null): Raw | null {
  if (next === null) return null;
  // Safe: they were parsed by the schema of their part.
  const { code, content } = next as { readonly code?: CodeSource; readonly content?: ContentSource };
  const isNew = (name: string) => next[name] !== undefined && !sameValue(next[name], before?.[name]);
  const source = code !== undefined && isNew('code') ? completeCode(code, call.options.info.codeHost) : undefined;
  const [error] = source?.errors ?? [];
  if (error !== undefined) throw new Refusal('BODY_INVALID', error.detail, { errors: below(source?.errors ?? [], view.join('/')) });
  return {
    ...next,
    ...(source === undefined ? {} : { code: source.code }),
    ...(content !== undefined && isNew('content') ? { content: withSuffix(content) } : {}),
  };
}

function isPartRemoval(edit: Edit, after: Held | undefined): boolean {
  return edit.view.length > 0 && (after === undefined || partOf(edit, after.shown) === undefined);
}

function partOf({ view, reads }: Edit, shown: Raw): unknown {
  return reads === undefined ? valueAt(shown, view) : reads(shown);
}

function etagOfPart(edit: Edit, shown: Raw | undefined): string | undefined {
  const value = shown === undefined ? undefined : partOf(edit, shown);
  return value === undefined ? undefined : etagOf(value);
}

function answered(edit: Edit, status: number, { shown }: Held, warnings: readonly string[]): Outcome {
  const body = answerOf(edit, shown);
  if (body === undefined) return { status: 204, warnings };
  return { status, body, etag: etagOf(body), warnings };
}

function answerOf(edit: Edit, shown: Raw): unknown {
  return edit.answers === undefined ? partOf(edit, shown) : edit.answers(shown);
}

/** A part that is left empty by the removing of one below it goes, too. */
function withoutEmptyParents(document: Raw, view: readonly string[]): Raw {
  if (valueAt(document, view) !== undefined) return document;
  return view.reduceRight<Raw>((now, _name, depth) => {
    const above = view.slice(0, depth);
    const value = valueAt(now, above);
    const isEmpty = above.length > 0 && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? placed(now, above, undefined) : now;
  }, document);
}

/** What is sent of a document: what the caller means, and whatever the hosted service has that the contract does not know. */
function rawOf(present: Held | undefined, next: Raw): Raw {
  const own = Object.fromEntries(Object.entries(next).filter(([name]) => !SERVER_SET.some((one) => one === name)));
  const kept = Object.fromEntries(CREDENTIALS.flatMap((name) => (present?.raw[name] === undefined ? [] : [[name, present.raw[name]]])));
  const server = Object.fromEntries(SERVER_SET.flatMap((name) => (present?.raw[name] === undefined ? [] : [[name, present.raw[name]]])));
  return withUnknown(withContentId({ version: 1, ...server, ...own, ...kept }, present?.raw), present?.unknown ?? []);
}

/** The hosted service names each content source; the same source keeps its name where the caller leaves it out. */
function withContentId(document: Raw, before: Raw | undefined): Raw {
  const at = ['content', 'contentBusId'];
  const isSame = sameValue(valueAt(document, ['content', 'source']), valueAt(before, ['content', 'source']));
  const isLeftOut = document['content'] !== undefined && valueAt(document, at) === undefined;
  return isSame && isLeftOut ? placed(document, at, valueAt(before, at)) : document;
}

function changedParts(before: Raw | undefined, after: Raw | null): string[] {
  if (before === undefined || after === null) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !SERVER_SET.some((one) => one === name) && !sameValue(before[name], after[name]));
}

interface Writing {
  readonly present: Held | undefined;
  readonly intended: Raw | null;
  readonly changed: readonly string[];
  readonly id: string;
}

/** The smallest write. Undefined: no answer came, and reading showed that it was stored. */
async function write(call: Call, kind: Kind, edit: Edit, writing: Writing): Promise<HostedAnswer | undefined> {
  const { present, intended, changed, id } = writing;
  const query = { versionName: id };
  const { params } = call;
  if (edit.send !== undefined) return await decided(call, kind, writing, edit.send);
  if (intended === null) return await decided(call, kind, writing, async () => ask(call, kind.whole, params, { method: 'DELETE' }));
  const parts = changed.filter((name) => isPart(kind, name));
  const path = edit.view.join('/');
  const isBelow = edit.view.length > 1 && changed.length === 1 && valueAt(intended, edit.view.slice(0, -1)) !== undefined;
  if (present !== undefined && isBelow && path in SITE_PARTS)
    return await decided(call, kind, writing, async () => part(call, kind, path, valueAt(intended, edit.view), query));
  if (present !== undefined && parts.length === changed.length && (parts.length === 1 || holdsCredentials(present.raw))) {
    return await eachPart(parts, async (name, written) => {
      const upTo = [...written, name].reduce<Raw>((now, one) => placed(now, [one], intended[one]), present.raw);
      return await decided(call, kind, { ...writing, intended: upTo }, async () => part(call, kind, name, intended[name], query));
    });
  }
  return await decided(call, kind, writing, async () =>
    source(intended, (json) => ask(call, kind.whole, params, { method: present === undefined ? 'PUT' : 'POST', json, query })),
  );
}

/** One after the other. What is stored by then when one is refused is said with the refusal. */
export async function eachPart<T>(
  parts: readonly string[],
  send: (name: string, written: readonly string[]) => Promise<T>,
): Promise<T | undefined> {
  let last: T | undefined;
  for (const [index, name] of parts.entries()) {
    const written = parts.slice(0, index);
    last = await send(name, written).catch((error: unknown) => {
      if (!(error instanceof Refusal) || written.length === 0) throw error;
      const { detail = error.message, errors, data, retryAfter } = error;
      const parted = `Already stored: ${written.join(', ')}. Not stored: ${parts.slice(index).join(', ')}. ${detail}`;
      throw new Refusal(error.code, error.message, {
        detail: parted,
        ...(errors === undefined ? {} : { errors }),
        ...(data === undefined ? {} : { data }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        cause: error,
      });
    });
  }
  return last;
}

function isPart(kind: Kind, name: string): boolean {
  return kind.name !== 'org' && name in SITE_PARTS;
}

/** Whether a write of the whole document could take keys with it: what becomes of their values is not documented. */
function holdsCredentials(raw: Raw): boolean {
  return CREDENTIALS.some((name) => Object.keys(Object(raw[name])).length > 0);
}

async function part(call: Call, kind: Kind, name: string, value: unknown, query: object): Promise<HostedAnswer> {
  const params = { ...call.params, part: name };
  if (value === undefined) return await ask(call, kind.part, params, { method: 'DELETE' });
  if (name !== 'code') return await ask(call, kind.part, params, { method: 'POST', json: value, query });
  return await source({ code: value }, (document) => ask(call, kind.part, params, { method: 'POST', json: document['code'], query }));
}

/** Some installations take an external repository only as `github`, with the same addresses. */
async function source(document: Raw, send: (document: Raw) => Promise<HostedAnswer>): Promise<HostedAnswer> {
  const answer = await send(document);
  const at = ['code', 'source', 'type'];
  const isRefused = answer.status === 400 && valueAt(document, at) === 'byogit' && /source/.test(answer.headers['x-error'] ?? '');
  return isRefused ? await send(placed(document, at, 'github')) : answer;
}

/**
 * Sends a write and refuses what was refused. A write without an answer is never sent again: reading decides what became of it.
 */
async function decided(
  call: Call,
  kind: Kind,
  { present, intended }: Pick<Writing, 'present' | 'intended'>,
  send: () => Promise<HostedAnswer | undefined>,
): Promise<HostedAnswer | undefined> {
  const answer = await send().catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'OUTCOME_UNKNOWN') return undefined;
    throw error;
  });
  if (answer !== undefined && answer.status < 500) {
    if (answer.status < 300 || (answer.status === 404 && intended === null)) return answer;
    if (answer.status === 409 && present === undefined)
      throw new Refusal('PRECONDITION_FAILED', 'Somebody else made it in the meantime. Read it again.', {});
    throw refusalOf(answer, aboutOf(call, call.params));
  }
  const now = await load(call, kind).catch((error: unknown) => {
    throw outcomeUnknown(error);
  });
  if (intended === null ? now === undefined : now !== undefined && differingPlaces(intended, now.raw).length === 0) return undefined;
  const isAsBefore = present === undefined ? now === undefined : now !== undefined && sameValue(now.raw, present.raw);
  if (!isAsBefore) throw outcomeUnknown();
  throw new Refusal('HOSTED_UNREACHABLE', 'The hosted service does not respond. Nothing was changed.', { data: { says: 'no response' } });
}

/** What a write answers where it answers a document, else what is read. */
async function storedAfter(
  call: Call,
  kind: Kind,
  intended: Raw,
  sent: HostedAnswer | undefined,
): Promise<Held & { readonly isUnread?: boolean }> {
  const whole = sent?.status === 200 ? (parseJson(sent.text) as Raw | undefined) : undefined;
  if (whole !== undefined && typeof whole === 'object' && whole !== null && 'created' in whole && isWholeOf(whole, intended))
    return held(call, kind, whole);
  const now = await load(call, kind).catch((error: unknown) => {
    // It was taken: that it cannot be read, by now or any more, makes no failure of it.
    if (error instanceof Refusal) return { ...held(call, kind, intended), isUnread: true };
    throw error;
  });
  if (now !== undefined) return now;
  throw outcomeUnknown();
}

/** A part that has times of its own is not the document. */
function isWholeOf(answer: Raw, intended: Raw): boolean {
  return ['content', 'code'].every((name) => name in intended === name in answer) || !('content' in intended);
}

/** Places where what is stored is not what was sent. Addresses of a code source count, not the name of its type; identifiers of users are given there. */
function differingPlaces(intended: Raw, stored: Raw): string[] {
  const plain = (document: Raw) => {
    const own = Object.fromEntries(
      Object.entries(document).filter(([name]) => ![...SERVER_SET, ...CREDENTIALS].some((one) => one === name)),
    );
    return [
      ['code', 'source', 'type'],
      ['content', 'contentBusId'],
    ].reduce<Raw>((now, path) => placed(now, path, undefined), own);
  };
  return difference(plain(intended), plain(stored)).flatMap(({ path }) => (/^\/users\/\d+\/id$/.test(path) ? [] : [path]));
}

/** Who wrote between the reading and the writing, by the versions that the hosted service keeps. */
async function foreignWrite(
  call: Call,
  kind: Kind,
  present: Held | undefined,
  id: string,
): Promise<{ readonly version?: number; readonly foreign?: HostedVersion }> {
  const versions = kind === ORG ? undefined : await currentVersion(call, kind).catch(() => undefined);
  const own = versions?.findLast(({ name }) => name === id) ?? versions?.at(-1);
  if (versions === undefined || own === undefined || present === undefined) return own === undefined ? {} : { version: own.version };
  const before = versions.findLast(({ version, name }) => version < own.version && name !== id);
  const read = Date.parse(textOf(present.raw['lastModified']));
  const isForeign = before !== undefined && Number.isFinite(read) && Date.parse(before.created) > read;
  return { version: own.version, ...(isForeign ? { foreign: before } : {}) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function foreignWarning(foreign: HostedVersion | undefined): string[] {
  if (foreign === undefined) return [];
  const who = foreign.user === undefined ? 'Somebody else' : foreign.user;
  return [
    `${who} changed it between your reading and your writing. What that changed in the same place was replaced: it is in version ${foreign.version}.`,
  ];
}
