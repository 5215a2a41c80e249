import { LIMITS } from '@repoless/contract/limits.ts';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import { etagOf } from '../domain/canonical.ts';
import type { Context } from '../domain/context.ts';
import { difference } from '../domain/difference.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { Outcome } from '../domain/operation.ts';
import type { Subject } from '../domain/ports.ts';
import { nextTurn } from '../domain/turn.ts';
import { beginFor, findVersion } from './read-versions.ts';

export type VersionComparison = (context: Context, subject: Subject, from: number, to: number) => Promise<Outcome>;

/**
 * The JSON patch that makes `to` of `from`, whichever is older. A version that records the deletion counts as null. Two large
 * versions take a tenth of a second of the one thread that all share, so that comparisons take turns, and others have theirs between
 * the steps of one. In: where the answer is kept until it is sent. Refuses with VERSION_NOT_FOUND, and with OVERLOADED where too many
 * wait or are being sent.
 */
export function versionComparison(budget: AnswerBudget): VersionComparison {
  const share = createFairShare(COMPARISONS);
  return (context, subject, from, to) => share.run(subject.org, () => compared(context, budget, subject, { from, to }));
}

async function compared(
  context: Context,
  budget: AnswerBudget,
  subject: Subject,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Outcome> {
  const { reads } = context.store;
  const begin = beginFor(context, subject);
  await nextTurn();
  const one = await findVersion(reads, subject, from, begin);
  await nextTurn();
  const other = await findVersion(reads, subject, to, begin);
  await nextTurn();
  const patch = difference(one.data, other.data);
  await nextTurn();
  const etag = etagOf(patch);
  await nextTurn();
  const printed = budget.begin(subject.org);
  printed.add(JSON.stringify(patch, null, 2));
  return { result: 'done', printed, etag };
}

const COMPARISONS = {
  atOnce: LIMITS.comparisonsAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.comparisonsWaiting,
  waiting: 10 * LIMITS.comparisonsWaiting,
  called: 'comparisons of versions',
};
