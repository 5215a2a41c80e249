import { access } from './en/access.ts';
import { blocked } from './en/blocked.ts';
import { claim } from './en/claim.ts';
import { failures, problems } from './en/failures.ts';
import { general } from './en/general.ts';
import { history } from './en/history.ts';
import { page } from './en/page.ts';
import { plan, steps, undoSteps } from './en/plan.ts';
import { outcome, run, undo } from './en/run.ts';
import { choices, drift, settings } from './en/settings.ts';
import { signIn } from './en/sign-in.ts';

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
  failures,
  problems,
  history,
  access,
};
