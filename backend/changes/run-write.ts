import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { Context } from '../domain/context.ts';
import type { Reads, Subject, Writes } from '../domain/ports.ts';
import type { Outcome, Result } from '../domain/operation.ts';
import type { ChangeRequest } from './change.ts';

/** What a write of something without versions (a secret, a key, the name of a version) comes to, before it is stored. */
export interface Prepared {
  /** Of the answer, and of the dry run's prediction. */
  readonly result: Result;
  readonly body?: unknown;
  readonly etag?: string;
  /** What a dry run answers for the body, where that holds what is made anew each time. */
  readonly dryRunResult?: unknown;
  readonly diff: Patch;
  /** Absent: there is nothing to store. */
  store?(writes: Writes): Promise<void>;
}

/**
 * Prepares and stores in one transaction; with `?dryRun=true` everything but the storing. `prepare` checks permission,
 * preconditions and rules, and refuses by throwing. `subject`: whose writes take turns with this one.
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

/** The answer to a write that is only tried. */
export function dryRunOf({ result, body, dryRunResult, diff }: Prepared): Outcome {
  return { result: 'done', trial: { result, body: dryRunResult ?? body ?? null, diff } };
}

/** What a removal makes of what it removes. */
export const REMOVAL: Patch = [{ op: 'remove', path: '' }];
