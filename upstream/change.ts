import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { difference } from '@repoless/contract/difference.ts';
import { defined, sameValue, valueAt } from '@repoless/contract/json.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { pointerSegments } from '@repoless/contract/errors.ts';
import { type CodeSource, completeCode } from '@repoless/contract/code-source.ts';
import { withSuffix } from '@repoless/contract/aggregate-site.ts';
import type { ContentSource } from '@repoless/contract/site.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { randomUUID } from 'node:crypto';
import { aboutOf, type Call, callerName, type Outcome, outcomeUnknown, dryRunAnswer } from './call.ts';
import {
  CREDENTIALS,
  etagOf,
  parseStored,
  type LoadedDocument,
  type Kind,
  load,
  ORG,
  ownMembers,
  pick,
  withValueAt,
  type Raw,
  redacted,
  SERVER_SET,
  SITE,
  subjectOf,
  unknownWarnings,
  withUnknown,
} from './document.ts';
import { consequencesOf, preventLockout, requireSources, unenforcedRules } from './rules.ts';
import { below, missingDocument } from './refusals.ts';
import { differingPaths, type Edit, type Sent, write } from './write.ts';
import { appendEntry, entryOf } from './log.ts';
import { putChange, type Store, type StoredChange } from './store.ts';
import { currentVersion, type HostedVersion, versionName } from './versions.ts';

/**
 * Reads, checks against the version that the caller saw, sends the smallest write, and answers with what the hosted service stored. A write
 * takes two reads: the document before it, and the versions after it, which show whether someone else wrote in between; and a third if the
 * response does not say what was stored.
 */
export async function change(call: Call, kind: Kind, edit: Edit): Promise<Outcome> {
  const current = await load(call, kind);
  if (current === undefined && edit.creates !== true) throw missingDocument(aboutOf(call, call.params));
  checkPreconditions(call, etagOfPart(edit, current?.shown));
  const next = completed(call, edit, current?.shown, await edit.next(current?.shown));
  if (kind === SITE && next !== null) requireSources(next);
  const isRemoval = next === null && edit.view.length === 0;
  const intended = next === null ? null : withoutEmptyParents(rawOf(current, next), edit.view);
  const after = intended === null ? undefined : parseStored(call, kind, intended);
  const changed = changedParts(current?.raw, intended);
  const warnings = [
    ...(edit.warnings ?? []),
    ...unknownWarnings(current?.unknown ?? []),
    ...(await preventLockout(call, kind, current?.shown, after?.shown)),
    ...(await unenforcedRules(call, kind, current?.shown, after?.shown)),
  ];
  const status = isRemoval || isPartRemoval(edit, after) ? 204 : current === undefined ? 201 : 200;
  if (call.isDryRun) {
    return dryRunAnswer({
      status,
      result: after === undefined ? null : (answerOf(edit, after.shown) ?? null),
      diff: difference(current?.shown ?? null, after?.shown ?? null),
      ...(warnings.length === 0 ? {} : { warnings }),
      consequences: changed.length === 0 && !isRemoval ? [] : [...(await consequencesOf(call, kind, current?.shown, after?.shown))],
    });
  }
  if (current !== undefined && !isRemoval && changed.length === 0) return answered(edit, status, current, warnings);
  const id = randomUUID();
  const name = versionName(call, id);
  const sent = await write(call, kind, edit, { current, intended, changed, name });
  const others = await foreignWrite(call, kind, current, name);
  const stored =
    intended === null || after === undefined ? undefined : await storedAfter(call, kind, { intended, after }, { sent, own: others.own });
  // Parts that were not sent may have been changed by others.
  const paths = stored === undefined || intended === null ? [] : differingPaths(intended, stored.raw);
  const differs = sent?.parts === undefined ? paths : paths.filter((pointer) => sent.parts?.includes(pointerSegments(pointer)[0] ?? ''));
  const reported = [
    ...warnings,
    ...(differs.length === 0 ? [] : [codeSentence('hostedDiffers.parts', { parts: differs.join(', ') })]),
    ...foreignWarning(others.foreign),
    ...(stored?.isUnread === true ? ['The hosted service took the change; what it stored could not be read back.'] : []),
  ];
  const record: StoredChange = {
    id,
    time: call.options.now().toISOString(),
    org: call.params['org'] ?? '',
    subject: subjectOf(kind, call.params),
    user: callerName(call),
    call: `${call.method} ${call.address}`,
    before: redacted(current?.shown ?? null),
    after: redacted(stored?.shown ?? null),
    diff: difference(redacted(current?.shown ?? null), redacted(stored?.shown ?? null)),
    ...unknownOf([current, stored]),
    ...defined({ version: others.own?.version, previous: others.previous }),
    ...(sent?.answer.headers['x-invocation-id'] === undefined ? {} : { invocation: sent.answer.headers['x-invocation-id'] }),
    outcome: differs.length > 0 ? 'differs' : 'stored',
  };
  // The change is made, even if it cannot be recorded.
  await recorded(call.options.store, record).catch((error: unknown) => {
    reported.push(`The change was made, but could not be recorded: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (stored === undefined) return { status: 204, warnings: reported, change: record };
  return { ...answered(edit, status, stored, reported), change: record };
}

/** Names recorded of what the contract does not define, and characters of each. */
const MAX_UNKNOWN = 50;
const UNKNOWN_LENGTH = 200;

function unknownOf(documents: readonly (LoadedDocument | undefined)[]): Pick<StoredChange, 'unknown'> {
  const paths = documents.flatMap((document) => document?.unknown ?? []).map(({ path }) => path.join('/').slice(0, UNKNOWN_LENGTH));
  return paths.length === 0 ? {} : { unknown: [...new Set(paths)].slice(0, MAX_UNKNOWN) };
}

async function recorded(store: Store, record: StoredChange): Promise<void> {
  await putChange(store, record);
  if (store.trail !== undefined) await appendEntry(store.trail, record.org, entryOf(record));
}

/** Adds to the code and content sources what the contract lets a client omit, but the hosted service does not. */
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

function isPartRemoval(edit: Edit, after: LoadedDocument | undefined): boolean {
  return edit.view.length > 0 && (after === undefined || partOf(edit, after.shown) === undefined);
}

function partOf({ view, reads }: Edit, shown: Raw): unknown {
  return reads === undefined ? valueAt(shown, view) : reads(shown);
}

function etagOfPart(edit: Edit, shown: Raw | undefined): string | undefined {
  const value = shown === undefined ? undefined : partOf(edit, shown);
  return value === undefined ? undefined : etagOf(value);
}

function answered(edit: Edit, status: number, { shown }: LoadedDocument, warnings: readonly string[]): Outcome {
  const body = answerOf(edit, shown);
  if (body === undefined) return { status: 204, warnings };
  return { status, body, etag: etagOf(body), warnings };
}

function answerOf(edit: Edit, shown: Raw): unknown {
  return edit.answers === undefined ? partOf(edit, shown) : edit.answers(shown);
}

/** Also removes a parent part that becomes empty. */
function withoutEmptyParents(document: Raw, view: readonly string[]): Raw {
  if (valueAt(document, view) !== undefined) return document;
  return view.reduceRight<Raw>((now, _name, depth) => {
    const above = view.slice(0, depth);
    const value = valueAt(now, above);
    const isEmpty = above.length > 0 && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? withValueAt(now, above, undefined) : now;
  }, document);
}

/** The document to send: the caller's, plus whatever the hosted service has that the contract does not define. */
function rawOf(current: LoadedDocument | undefined, next: Raw): Raw {
  const raw = current?.raw;
  const sent = { version: 1, ...pick(raw, SERVER_SET), ...ownMembers(next), ...pick(raw, CREDENTIALS) };
  return withUnknown(withContentId(sent, raw), current?.unknown ?? []);
}

/** The hosted service names each content source; an unchanged source keeps its name if the caller omits it. */
function withContentId(document: Raw, before: Raw | undefined): Raw {
  const at = ['content', 'contentBusId'];
  const isSame = sameValue(valueAt(document, ['content', 'source']), valueAt(before, ['content', 'source']));
  const isLeftOut = document['content'] !== undefined && valueAt(document, at) === undefined;
  return isSame && isLeftOut ? withValueAt(document, at, valueAt(before, at)) : document;
}

function changedParts(before: Raw | undefined, after: Raw | null): string[] {
  if (before === undefined || after === null) return [];
  const names = Object.keys(ownMembers({ ...before, ...after }));
  return names.filter((name) => !sameValue(before[name], after[name]));
}

/** Takes the stored state from the responses to the writes if they are complete and no one wrote in between; otherwise reads it. */
async function storedAfter(
  call: Call,
  kind: Kind,
  { intended, after }: { readonly intended: Raw; readonly after: LoadedDocument },
  { sent, own }: { readonly sent: Sent | undefined; readonly own: (HostedVersion & { readonly isNext: boolean }) | undefined },
): Promise<LoadedDocument & { readonly isUnread?: boolean }> {
  if (sent?.isEchoed === true && own?.isNext === true) {
    const lastModified = new Date(own.created).toISOString();
    return { ...after, raw: { ...intended, lastModified }, shown: { ...after.shown, lastModified } };
  }
  const whole = sent?.answer.status === 200 ? (parseJson(sent.answer.text) as Raw | undefined) : undefined;
  if (whole !== undefined && typeof whole === 'object' && whole !== null && 'created' in whole && isWholeOf(whole, intended))
    return parseStored(call, kind, whole);
  const now = await load(call, kind).catch((error: unknown) => {
    // The write was accepted, so being unable to read it does not make it fail.
    if (error instanceof Refusal) return { ...after, isUnread: true };
    throw error;
  });
  if (now !== undefined) return now;
  throw outcomeUnknown();
}

/** A part with its own timestamps is not the document. */
function isWholeOf(answer: Raw, intended: Raw): boolean {
  return ['content', 'code'].every((name) => name in intended === name in answer) || !('content' in intended);
}

/** Finds writes between the read and the write, by the versions that the hosted service stores. */
async function foreignWrite(
  call: Call,
  kind: Kind,
  current: LoadedDocument | undefined,
  written: string,
): Promise<{ readonly own?: HostedVersion & { readonly isNext: boolean }; readonly previous?: number; readonly foreign?: HostedVersion }> {
  const versions = kind === ORG ? undefined : await currentVersion(call, kind).catch(() => undefined);
  const own = versions?.findLast(({ name }) => name === written) ?? versions?.at(-1);
  if (versions === undefined || own === undefined) return {};
  if (current === undefined) return { own: { ...own, isNext: false } };
  const before = versions.findLast(({ version, name }) => version < own.version && name !== written);
  const read = Date.parse(textOf(current.raw['lastModified']));
  const isForeign = before !== undefined && Number.isFinite(read) && Date.parse(before.created) > read;
  // It directly follows the version that was read, and is the newest.
  const isNext = before !== undefined && Date.parse(before.created) <= read && own.name === written && own === versions.at(-1);
  const previous = before === undefined ? {} : { previous: before.version };
  return { own: { ...own, isNext }, ...previous, ...(isForeign ? { foreign: before } : {}) };
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
