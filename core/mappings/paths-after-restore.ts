import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import { Site } from '@repoless/contract/site.ts';
import type { HistorySubject } from '../history/subject.ts';
import type { IntendedPaths } from './read-simulation.ts';

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
