import { sameValue } from '@repoless/contract/same-value.ts';
import { desiredSite } from '../plan/desired-site.ts';
import type { Choices } from '../situation/settings.ts';
import type { Situation } from '../situation/situation.ts';
import type { IntendedPaths } from './read-simulation.ts';

/** The paths that the plan of a registered site would store; undefined where they are stored already, or the site is not registered. */
export function intendedPaths(situation: Situation, choices: Choices): IntendedPaths | undefined {
  if (situation.site.state !== 'known') return undefined;
  const { config: present } = situation.site.value;
  const after = desiredSite(situation, choices).public.paths ?? {};
  const { organization, siteName } = choices;
  return sameValue(present.public?.paths, after) ? undefined : { organization, siteName, present, after };
}

/** The paths that an undo would bring back; undefined where they are stored already, or the undo removes the site. */
export function restoredPaths({ site, previousSite, settings: { previous } }: Situation): IntendedPaths | undefined {
  if (previous === undefined || site.state !== 'known' || previousSite?.state !== 'known') return undefined;
  const { own: present } = site.value;
  const after = previousSite.value.public?.paths ?? {};
  const same = sameValue(present.public?.paths ?? {}, after);
  return same ? undefined : { organization: previous.org, siteName: previous.site, present, after };
}
