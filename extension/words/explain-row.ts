import type { RowProblem } from '#extension/setup/sites/rows.ts';
import { explainFailure } from './explain-failure.ts';
import type { Explained } from './explained.ts';
import type { SitesWords } from './sites-words.ts';
import type { Words } from './words.ts';

/** Why a site of many did not succeed. What the authoring system or a host refused has a sentence of its own. */
export function explainRow(words: Words & Pick<SitesWords, 'rowProblems'>, { reason, data, failure }: RowProblem): Explained {
  const own = words.rowProblems[reason](data);
  if (failure === undefined || failure.problem !== undefined || reason === 'unreachable') return own;
  return { ...own, sentence: explainFailure(words, failure).sentence };
}
