import type { en } from './en.ts';
import { access } from './de/access.ts';
import { blocked } from './de/blocked.ts';
import { claim } from './de/claim.ts';
import { failures, problems } from './de/failures.ts';
import { general } from './de/general.ts';
import { history } from './de/history.ts';
import { page } from './de/page.ts';
import { plan, steps, undoSteps } from './de/plan.ts';
import { outcome, run, undo } from './de/run.ts';
import { choices, drift, settings } from './de/settings.ts';
import { signIn } from './de/sign-in.ts';

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
  failures,
  problems,
  history,
  access,
} satisfies typeof en;
