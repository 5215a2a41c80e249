import type { CellMessage, RowProblem } from '../sites/rows.ts';
import { explainFailure, problemTextOf, serviceSentence, valueProblem } from './explain-failure.ts';
import type { Explained } from './explain-failure.ts';
import { fillFrom } from './format-message.ts';
import type { Messages, MessagesOf } from './language.ts';

type RowMessages = Messages & Pick<MessagesOf<'sites'>, 'rowProblems' | 'cellSentence'>;

/** Why one of many sites did not succeed. Refusals by the authoring system or a host have their own sentence. */
export function explainRow(
  messages: Messages & Pick<MessagesOf<'sites'>, 'rowProblems'>,
  { reason, data, parts, failure, after }: RowProblem,
): Explained {
  const own = fillFrom(messages.rowProblems[reason], { ...data, parts, ...problemTextOf(messages, data) });
  if (after !== undefined) return { ...own, sentence: `${explainRow(messages, after).sentence} ${own.sentence}` };
  if (reason === 'not-ready' && failure !== undefined) return explainFailure(messages, failure);
  if (failure === undefined || failure.problem !== undefined) return own;
  return { ...own, sentence: explainFailure(messages, failure).sentence };
}

/** A sentence of the service, or of the contract about one value, in the reader's language. */
export function explainSentence(
  messages: Messages,
  { sentence, failure }: Omit<Extract<CellMessage, { kind: 'sentence' }>, 'kind'>,
): string {
  const { problem } = failure ?? {};
  return problem?.detail === sentence ? serviceSentence(messages, problem) : valueProblem(messages, { detail: sentence });
}

/** What is wrong with a cell, in one line; if the run would end at it, also what to do. */
export function explainCell(messages: RowMessages, message: CellMessage): string {
  const { rowProblems, cellSentence } = messages;
  switch (message.kind) {
    case 'problem': {
      const { sentence, next } = explainRow(messages, message.problem);
      return next === undefined ? sentence : `${sentence} ${next}`;
    }
    case 'sentence':
      return explainSentence(messages, message);
    case 'failure':
      if (message.failure.finding?.kind === 'no-dry-run') return messages.failures.noDryRun[message.failure.finding.reason].sentence;
      return cellSentence.unconfirmed({ status: message.failure.status });
    case 'twice':
      return cellSentence.twice({ value: message.value });
    case 'name-taken':
      return rowProblems['name-taken'].sentence({ site: message.site, root: message.root });
    case 'not-proxied':
      return cellSentence['not-proxied']({ value: message.value });
    case 'account-mismatch':
      return fillFrom(rowProblems['account-mismatch'], message.data).sentence;
    default:
      return message satisfies never;
  }
}
