import { sameValue } from '#contract/same-value.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { difference, timeless } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Subject, VersionData, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import type { Outcome, Result } from '../operation.ts';
import { requireUser } from '../roles/permit.ts';
import { WHOLE } from './change.ts';
import type { Change, ConfigView, Decision, StoredDocument } from './change.ts';

export interface Steps<D extends Decision> {
  /** What is changed: its changes take turns. */
  readonly subject: Subject;
  /** Permission, preconditions and rules. Refuses by throwing. */
  decide(reads: Reads): Promise<D>;
  /** Stores what was decided, its version and its audit row. */
  record(decision: D, writes: Writes): Promise<void>;
}

/**
 * Decides and stores in one transaction; with `?dryRun=true` everything but the storing. A change of nothing stores nothing
 * and answers what is stored (docs/contract.md 2.3, docs/contract.md 2.7). Out: the answer, and what was stored, where something was.
 */
export async function runChange<D extends Decision>(
  context: Context,
  change: Change,
  steps: Steps<D>,
): Promise<{ readonly outcome: Outcome; readonly stored?: D }> {
  if (change.query.dryRun === true) return { outcome: dryRun(change, await steps.decide(context.store.reads)) };
  const decision = await context.store.write(async (writes: Writes) => {
    const made = await steps.decide(writes);
    if (made.changed) await steps.record(made, writes);
    return made;
  }, steps.subject);
  return { outcome: warned(outcome(change, decision), warnings(change, decision)), ...(decision.changed ? { stored: decision } : {}) };
}

/** Refuses with PRECONDITION_FAILED. The etag is that of the part that the call is about. */
export function checkWanted(change: Change, present: StoredDocument | undefined): void {
  if (change.ifMatch === undefined && change.ifNoneMatch === undefined) return;
  const shown = present === undefined ? undefined : (change.view ?? WHOLE).read(present.config);
  checkPreconditions(change, shown === undefined ? undefined : etagOf(shown));
}

/** When the document was made: a restored one, when it was made first. */
export function createdAt(
  change: Change,
  present: StoredDocument | undefined,
  input: { created?: string | undefined },
  now: string,
): string {
  return present?.config.created ?? (change.restores !== undefined ? input.created : undefined) ?? now;
}

/** Whether two states of a document differ in nothing but the times that the service sets. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  return sameValue(timeless(before), timeless(after));
}

/** Pointers of a part's call lead into the part, as its body does. */
export function within<T>(change: Pick<Change, 'view'>, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw refusedWithin(change, error);
  }
}

/** The same of a check that reads. */
export async function readWithin<T>(change: Pick<Change, 'view'>, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw refusedWithin(change, error);
  }
}

function refusedWithin({ view = WHOLE }: Pick<Change, 'view'>, error: unknown): unknown {
  if (!(error instanceof Refusal) || error.errors === undefined) return error;
  return new Refusal(error.code, error.message, {
    errors: error.errors.map((item) => ({ ...item, pointer: inside(view, item.pointer) })),
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.data === undefined ? {} : { data: error.data }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
}

export interface NewVersion {
  readonly subject: Subject;
  readonly version: number;
  /** null records the deletion. */
  readonly data: VersionData['data'];
  readonly time: Date;
  readonly name: string | undefined;
  /** The version that this one brings back. */
  readonly restores: number | undefined;
}

/** Stores a version of what the caller changed, and lets go of those that the settings no longer keep. */
export async function addVersion(context: Context, writes: Writes, made: NewVersion): Promise<void> {
  const { subject, version, data, time, name, restores } = made;
  const forget = version - context.settings.versionsKept;
  await writes.addVersion({
    subject,
    version,
    created: time,
    user: requireUser(context.caller).email,
    data,
    ...(name === undefined ? {} : { name }),
    ...(restores === undefined ? {} : { restoredFrom: restores }),
    ...(forget < 1 ? {} : { forget }),
  });
}

function inside(view: ConfigView, pointer: string): string {
  return pointer.startsWith(`${view.pointer}/`) ? pointer.slice(view.pointer.length) : pointer;
}

function outcome(change: Change, decision: Decision): Outcome {
  const result = resultOf(change, decision);
  if (result === 'removed' || decision.config === null) return { result: 'removed' };
  const body = (change.view ?? WHOLE).read(decision.config);
  return { result, body, etag: body === decision.config && decision.etag !== undefined ? decision.etag : etagOf(body) };
}

/** What a change does beside what was asked, or leaves undone, a sentence each. */
function warnings(change: Change, decision: Decision): string[] {
  return [...(decision.warnings ?? []), ...dropped(change, decision), ...unnamed(change.query, decision)];
}

/**
 * A document is known by its address. One that was read elsewhere and is written here brings the name that it had there: the address
 * wins, and the answer says so. In: the name that was sent, and that of the address.
 */
export function otherName(sent: string | undefined, name: string): string[] {
  if (sent === undefined || sent === name) return [];
  const shown = sent.length > SHOWN_NAME ? `${sent.slice(0, SHOWN_NAME)}...` : sent;
  return [`The name "${shown}" in the body is not used: the address names "${name}".`];
}

const SHOWN_NAME = 80;

/** What a replacement drops without having named it, for people lose sites by that. */
function dropped(change: Change, { present, config }: Decision): string[] {
  if (present === undefined || config === null || change.replacesWhole?.(present) !== true) return [];
  const parts = Object.keys(present.config).filter((part) => !(part in config));
  if (parts.length === 0) return [];
  const how = 'PUT without "replace" and "if-match" keeps the parts that the body does not name.';
  return [`The whole configuration is replaced, which removes ${parts.join(', ')}. ${how}`];
}

/** A name for a version that is not made: nothing that was sent is silently ignored. */
export function unnamed(
  { versionName }: { readonly versionName?: string | undefined },
  { changed }: { readonly changed: boolean },
): string[] {
  if (changed || versionName === undefined) return [];
  return ['Nothing changed, so no version was created, and versionName was not used.'];
}

export function warned(outcome: Outcome, sentences: readonly string[]): Outcome {
  if (sentences.length === 0) return outcome;
  // A header holds one line of printable ASCII.
  const line = sentences.join(' ').replaceAll(/[^\x20-\x7e]/g, '?');
  return { ...outcome, headers: { 'x-warning': line } };
}

function dryRun(change: Change, decision: Decision): Outcome {
  const view = change.view ?? WHOLE;
  const before = decision.present === undefined ? undefined : view.read(decision.present.config);
  const after = decision.config === null ? undefined : view.read(decision.config);
  const told = warnings(change, decision);
  const removal = before === undefined ? [] : [{ op: 'remove' as const, path: '' }];
  const trial = {
    result: resultOf(change, decision),
    body: after ?? null,
    diff: after === undefined ? removal : difference(before ?? {}, after),
    ...(told.length > 0 && { warnings: told }),
  };
  return { result: 'done', trial };
}

function resultOf(change: Change, decision: Decision): Result {
  if (decision.config === null || (change.view ?? WHOLE).read(decision.config) === undefined) return 'removed';
  const { present } = decision;
  const isNew = present === undefined || (change.createsPart === true && change.view?.read(present.config) === undefined);
  return isNew ? 'created' : 'done';
}
