import type { DryRun } from '#contract/history.ts';
import { etagOf, sameValue } from '../canonical.ts';
import type { Context } from '../context.ts';
import { difference, timeless } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import type { Outcome } from '../verb.ts';
import type { Change, Decision, StoredDocument } from './change.ts';
import { WHOLE } from './config-view.ts';
import type { ConfigView } from './config-view.ts';

export interface Steps<D extends Decision> {
  /** Permission, preconditions and rules. Refuses by throwing. */
  decide(reads: Reads): Promise<D>;
  /** Stores what was decided, its version and its audit row. */
  record(decision: D, writes: Writes): Promise<void>;
}

/**
 * Decides and stores in one transaction; with `?dryRun=true` everything but the storing. A change of nothing stores nothing
 * and answers what is stored. Out: the answer, and what was stored, where something was.
 */
export async function runChange<D extends Decision>(
  context: Context,
  change: Change,
  steps: Steps<D>,
): Promise<{ readonly outcome: Outcome; readonly stored?: D }> {
  if (change.query.dryRun === true) return { outcome: rehearsal(change, await steps.decide(context.store.reads)) };
  const decision = await context.store.write(async (writes: Writes) => {
    const made = await steps.decide(writes);
    if (made.changed) await steps.record(made, writes);
    return made;
  });
  return { outcome: outcome(change, decision), ...(decision.changed ? { stored: decision } : {}) };
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
  return present?.config.created ?? (change.restores === true ? input.created : undefined) ?? now;
}

/** Whether two states of a document differ in nothing but the times that the service sets. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  return sameValue(timeless(before), timeless(after));
}

/** Pointers of a part's call lead into the part, as its body does. */
export function within<T>({ view = WHOLE }: Pick<Change, 'view'>, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined) throw error;
    throw new Refusal(error.code, error.message, {
      errors: error.errors.map((item) => ({ ...item, pointer: inside(view, item.pointer) })),
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.data === undefined ? {} : { data: error.data }),
    });
  }
}

function inside(view: ConfigView, pointer: string): string {
  return pointer.startsWith(`${view.pointer}/`) ? pointer.slice(view.pointer.length) : pointer;
}

function outcome(change: Change, decision: Decision): Outcome {
  const status = statusOf(change, decision);
  if (status === 204 || decision.config === null) return { status: 204 };
  const body = (change.view ?? WHOLE).read(decision.config);
  return { status, body, etag: body === decision.config && decision.etag !== undefined ? decision.etag : etagOf(body) };
}

function rehearsal(change: Change, decision: Decision): Outcome {
  const view = change.view ?? WHOLE;
  const before = decision.present === undefined ? undefined : view.read(decision.present.config);
  const after = decision.config === null ? undefined : view.read(decision.config);
  const removal = before === undefined ? [] : [{ op: 'remove' as const, path: '' }];
  const body: DryRun = {
    dryRun: true,
    status: statusOf(change, decision),
    result: after ?? null,
    diff: after === undefined ? removal : difference(before ?? {}, after),
  };
  return { status: 200, body };
}

function statusOf(change: Change, decision: Decision): number {
  if (decision.config === null || (change.view ?? WHOLE).read(decision.config) === undefined) return 204;
  return decision.present === undefined ? 201 : 200;
}
