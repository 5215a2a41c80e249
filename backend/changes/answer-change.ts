import { etagOf } from '../domain/canonical.ts';
import { difference } from '../domain/difference.ts';
import { Refusal } from '../domain/errors.ts';
import type { Outcome, Result } from '../domain/operation.ts';
import type { Change, Decision, Loaded, View } from './change.ts';

type Asked<D> = Pick<Change<unknown, D, unknown>, 'view' | 'answers' | 'createsPart' | 'query' | 'replacesWhole'>;

/** What is answered of a document, whole or by its part; undefined where it does not have the part. */
export function seenOf<D>(view: View<D> | undefined, config: D, { shown }: Pick<Loaded<D>, 'shown'>): unknown {
  if (view !== undefined) return view.read(config);
  return shown === undefined ? config : shown(config);
}

/** The answer to a change that was made. */
export function answered<D>(change: Asked<D>, decision: Decision<D>): Outcome {
  return warned(outcome(change, decision), warnings(change, decision));
}

/** The answer to one that was only tried. */
export function tried<D>(change: Asked<D>, decision: Decision<D>): Outcome {
  const part = (config: D | null | undefined) => (config === undefined || config === null ? undefined : seenOf(change.view, config, {}));
  const before = part(decision.present?.config);
  const after = part(decision.config);
  const told = warnings(change, decision);
  const removal = before === undefined ? [] : [{ op: 'remove' as const, path: '' }];
  const body = decision.config === null ? undefined : seenOf(change.answers ?? change.view, decision.config, decision);
  const trial = {
    result: resultOf(change, decision),
    body: body ?? null,
    diff: after === undefined ? removal : difference(before ?? {}, after),
    ...(told.length > 0 && { warnings: told }),
  };
  return { result: 'done', trial };
}

function outcome<D>(change: Asked<D>, decision: Decision<D>): Outcome {
  const result = resultOf(change, decision);
  if (result === 'removed' || decision.config === null) return { result: 'removed' };
  const body = seenOf(change.answers ?? change.view, decision.config, decision);
  return { result, body, etag: body === decision.config && decision.etag !== undefined ? decision.etag : etagOf(body) };
}

function resultOf<D>({ view, answers, createsPart }: Asked<D>, decision: Decision<D>): Result {
  const { present, config } = decision;
  if (config === null || seenOf(answers ?? view, config, decision) === undefined) return 'removed';
  const isNew = present === undefined || (createsPart === true && view?.read(present.config) === undefined);
  return isNew ? 'created' : 'done';
}

/** What a change does beside what was asked, or leaves undone, a sentence each. */
function warnings<D>(change: Asked<D>, decision: Decision<D>): string[] {
  return [...(decision.warnings ?? []), ...dropped(change, decision), ...unnamed(change, decision)];
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
function dropped<D>(change: Asked<D>, { present, config }: Decision<D>): string[] {
  if (present === undefined || config === null || change.replacesWhole?.(present) !== true) return [];
  const kept = new Set(Object.keys(config as object));
  const parts = Object.keys(present.config as object).filter((part) => !kept.has(part));
  if (parts.length === 0) return [];
  const how = 'PUT without "replace" and "if-match" keeps the parts that the body does not name.';
  return [`The whole configuration is replaced, which removes ${parts.join(', ')}. ${how}`];
}

/** A name for a version that is not made: nothing that was sent is silently ignored. */
function unnamed<D>({ query: { versionName } }: Asked<D>, { changed }: Decision<D>): string[] {
  if (changed || versionName === undefined) return [];
  return ['Nothing changed, so no version was created, and versionName was not used.'];
}

function warned(outcome: Outcome, sentences: readonly string[]): Outcome {
  if (sentences.length === 0) return outcome;
  // A header holds one line of printable ASCII.
  const line = sentences.join(' ').replaceAll(/[^\x20-\x7e]/g, '?');
  return { ...outcome, headers: { 'x-warning': line } };
}

/** Pointers of a part's call lead into the part, as its body does. */
export async function within<D, T>({ view }: Pick<Asked<D>, 'view'>, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined || view === undefined) throw error;
    throw new Refusal(error.code, error.message, {
      errors: error.errors.map((item) => ({ ...item, pointer: inside(view.pointer, item.pointer) })),
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.data === undefined ? {} : { data: error.data }),
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    });
  }
}

function inside(part: string, pointer: string): string {
  return pointer.startsWith(`${part}/`) ? pointer.slice(part.length) : pointer;
}
