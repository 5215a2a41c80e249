import { Site } from '@repoless/contract/site.ts';
import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { HistorySubject } from '../history/subject.ts';
import { desiredSite } from '../plan/desired-site.ts';
import type { Choices, Situation } from '../situation/situation.ts';
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

/** The paths that a site would get, and scheme and host of the author that its pages come from. */
export interface PathsAfterRestore {
  readonly author: string;
  readonly intended: IntendedPaths;
}

/**
 * The paths that a version brought back would store. In: the documents as they are stored and as they would be. Undefined where the
 * paths stay, the content is another one's, or a profile would decide them.
 */
export function pathsAfterRestore(subject: HistorySubject, before: unknown, after: unknown): PathsAfterRestore | undefined {
  if (subject.kind !== 'site') return undefined;
  const [present, next] = [Site.safeParse(before).data, Site.safeParse(after).data];
  const paths = next?.public?.paths;
  const address = parseDeliveryAddress(present?.content?.source.url ?? '');
  if (present === undefined || paths === undefined || address === undefined) return undefined;
  if (sameValue(present.public?.paths, paths) || !sameValue(present.content?.source.url, next?.content?.source.url)) return undefined;
  return { author: address.author, intended: { organization: subject.organization, siteName: subject.name, present, after: paths } };
}
