import { applyRows } from './apply-rows.ts';
import { clone } from './clone.ts';
import { events } from './events.ts';
import { move } from './move.ts';
import { organization, removal } from './organization.ts';
import { overview } from './overview.ts';
import { removals } from './removals.ts';
import { review } from './review.ts';
import { cells, cellSentence, rowProblems } from './site-rows.ts';
import { siteKinds } from './site-states.ts';
import { production, sites } from './sites.ts';
import { tree } from './tree.ts';

/** The views of many sites. */
export const sitesViews = {
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
  removals,
  clone,
  move,
  overview,
  events,
  siteKinds,
};
