import type { CellSays, RowProblem, RowStep } from '#extension/setup/sites/rows.ts';
import { en } from '#extension/words/en.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import { cellSentence, rowProblems, rowSteps } from '#extension/words/en/site-rows.ts';
import { explainRow } from '#extension/words/explain-row.ts';

// What pipelines read stays the same whatever the language of the machine.
const spoken = { ...en, rowProblems };

/** What a step of a site is called within a sentence. */
export function stepWords(step: RowStep): string {
  return rowSteps[step];
}

/** Why a site did not succeed, and what to do, in one line. */
export function problemLine(problem: RowProblem): string {
  const { sentence, next } = explainRow(spoken, problem);
  return words.failed(sentence, next);
}

/** What is wrong at a value of a site. */
export function cellLine(says: CellSays): string {
  return cellSentence(says);
}
