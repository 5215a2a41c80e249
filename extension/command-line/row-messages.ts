import type { CellSays, RowProblem, RowStep } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { rowSteps } from '#extension/messages/en/site-rows.ts';
import { explainCell, explainRow } from '#extension/messages/explain-row.ts';
import { failureLine } from './explain.ts';
import { terminal } from './terminal-messages.ts';

/** What a step of a site is called within a sentence. */
export function stepMessages(step: RowStep): string {
  return rowSteps[step];
}

/** Why a site did not succeed, and what to do, in one line. */
export function problemLine(problem: RowProblem): string {
  const { reason, failure, after } = problem;
  if (reason === 'signed-out' && failure !== undefined && after === undefined) return failureLine(failure);
  const { sentence, next } = explainRow(terminal, problem);
  return messages.failed(sentence, next);
}

/** What is wrong at a value of a site. */
export function cellLine(says: CellSays): string {
  return says.kind === 'problem' ? problemLine(says.problem) : explainCell(terminal, says);
}
