import { en } from './en.ts';
import { access } from './de/access.ts';
import { applyRows } from './de/apply-rows.ts';
import { history } from './de/history.ts';
import { organization, removal } from './de/organization.ts';
import { review } from './de/review.ts';
import { cells, cellSentence, rowProblems } from './de/site-rows.ts';
import { production, sites } from './de/sites.ts';
import { tree } from './de/tree.ts';

/** German. Areas that are not translated yet are English; each translated one has to say everything that the English one says. */
export const de: typeof en = {
  ...en,
  tree,
  review,
  applyRows,
  cells,
  cellSentence,
  rowProblems,
  sites,
  production,
  organization,
  removal,
  history,
  access,
};
