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
import { siteStates } from './site-states.ts';
import { signIn } from './sign-in.ts';
import { work } from './work.ts';

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
};
