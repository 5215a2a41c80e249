import type { firstView as english } from '../en/first-view.ts';
import { access } from './access.ts';
import { configuration } from './configuration.ts';
import { blocked } from './blocked.ts';
import { failures, problems } from './failures.ts';
import { general } from './general.ts';
import { history } from './history.ts';
import { page } from './page.ts';
import { plan, steps } from './plan.ts';
import { outcome } from './outcome.ts';
import { choices, drift, settings } from './settings.ts';
import { signIn } from './sign-in.ts';
import { work } from './work.ts';
import { siteStates } from './site-states.ts';

/** German, whole: a sentence that English has and German lacks does not compile. */
export const firstView = {
  general,
  page,
  signIn,
  settings,
  choices,
  drift,
  plan,
  steps,
  blocked,
  work,
  outcome,
  siteStates,
  failures,
  problems,
  history,
  access,
  configuration,
} satisfies typeof english;
