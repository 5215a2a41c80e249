import type { CellSays, RowProblem } from '#extension/setup/sites/rows.ts';
import { explainFailure } from './explain-failure.ts';
import type { Explained } from './explained.ts';
import type { Messages, MessagesOf } from './language.ts';

/** Why a site of many did not succeed. What the authoring system or a host refused has a sentence of its own. */
export function explainRow(
  messages: Messages & Pick<MessagesOf<'sites'>, 'rowProblems'>,
  { reason, data, failure, after }: RowProblem,
): Explained {
  if (after !== undefined) {
    const own = messages.rowProblems[reason](data);
    return { ...own, sentence: `${explainRow(messages, after).sentence} ${own.sentence}` };
  }
  if (reason === 'not-ready' && failure !== undefined) return explainFailure(messages, failure);
  const own = messages.rowProblems[reason](data);
  if (failure === undefined || failure.problem !== undefined || reason === 'unreachable') return own;
  return { ...own, sentence: explainFailure(messages, failure).sentence };
}

/** What is wrong at a cell, in a line; where the run would end at it, what to do as well. */
export function explainCell(messages: Messages & Pick<MessagesOf<'sites'>, 'rowProblems' | 'cellSentence'>, says: CellSays): string {
  if (says.kind !== 'problem') return messages.cellSentence(says);
  const { sentence, next } = explainRow(messages, says.problem);
  return next === undefined ? sentence : `${sentence} ${next}`;
}
