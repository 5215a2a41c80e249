import type { en } from './en.ts';
import { access } from './de/access.ts';
import { applyRows } from './de/apply-rows.ts';
import { blocked } from './de/blocked.ts';
import { checks } from './de/checks.ts';
import { claim } from './de/claim.ts';
import { external } from './de/external.ts';
import { failures, problems } from './de/failures.ts';
import { general } from './de/general.ts';
import { history } from './de/history.ts';
import { organization, removal } from './de/organization.ts';
import { page } from './de/page.ts';
import { plan, steps, undoSteps } from './de/plan.ts';
import { review } from './de/review.ts';
import { outcome, run, undo } from './de/run.ts';
import { choices, drift, settings } from './de/settings.ts';
import { signIn } from './de/sign-in.ts';
import { cells, cellSentence, rowProblems } from './de/site-rows.ts';
import { production, sites } from './de/sites.ts';
import { sync } from './de/sync.ts';
import { tree } from './de/tree.ts';

/** German, whole: a sentence that English has and German lacks does not compile. */
export const de = {
  general,
  page,
  signIn,
  settings,
  choices,
  drift,
  plan,
  steps,
  undoSteps,
  blocked,
  run,
  outcome,
  undo,
  claim,
  checks,
  failures,
  problems,
  tree,
  review,
  applyRows,
  rowProblems,
  cells,
  cellSentence,
  sites,
  production,
  organization,
  removal,
  history,
  access,
  sync,
  external,
} satisfies typeof en;
