import { access } from './en/access.ts';
import { applyRows } from './en/apply-rows.ts';
import { blocked } from './en/blocked.ts';
import { claim } from './en/claim.ts';
import { checks } from './en/checks.ts';
import { external } from './en/external.ts';
import { failures, problems } from './en/failures.ts';
import { general } from './en/general.ts';
import { history } from './en/history.ts';
import { organization, removal } from './en/organization.ts';
import { page } from './en/page.ts';
import { plan, steps, undoSteps } from './en/plan.ts';
import { review } from './en/review.ts';
import { outcome, run, undo } from './en/run.ts';
import { choices, drift, settings } from './en/settings.ts';
import { signIn } from './en/sign-in.ts';
import { cells, cellSentence, rowProblems } from './en/site-rows.ts';
import { production, sites } from './en/sites.ts';
import { sync } from './en/sync.ts';
import { tree } from './en/tree.ts';

export const en = {
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
};
