import { hostOfContentRoot } from '@repoless/contract/addresses.ts';
import type { Site } from '@repoless/contract/site.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Reads } from '../../domain/ports.ts';
import { furtherRootKeys } from '../aggregate-site.ts';
import type { ClaimedRoot } from './ports.ts';

type SiteName = Pick<ClaimedRoot, 'org' | 'site'>;

/**
 * Refuses a content root that another site holds, or that lies on the authoring host of another organization (docs/contract.md 3.6). In: the
 * root that the site claims, and the one that it holds; what it holds is not looked at again.
 */
export async function checkContentRoot(reads: Reads, name: SiteName, claimed: string | undefined, held: string | undefined): Promise<void> {
  if (claimed === undefined || claimed === held) return;
  const host = hostOfContentRoot(claimed);
  const [owner = name.org, other] = await Promise.all([reads.orgOfAuthoringHost(host), reads.siteWithContentRoot(claimed)]);
  if (owner !== name.org) throw authoringHostTaken(claimed, host);
  if (other !== undefined && !(other.org === name.org && other.site === name.site)) throw contentRootTaken(claimed, other, name.org);
}

/** Refuses what a site newly maps to `/` beside its content root where that is another site's root. In: both configurations, over the profile. */
export async function checkFurtherRoots(
  reads: Pick<Reads, 'siteWithContentRoot'>,
  name: SiteName,
  next: Site,
  present: Site | undefined,
): Promise<void> {
  const known = new Set(present === undefined ? [] : furtherRootKeys(present));
  for (const root of furtherRootKeys(next)) {
    const other = known.has(root) ? undefined : await reads.siteWithContentRoot(root);
    if (other !== undefined && !(other.org === name.org && other.site === name.site)) throw contentRootTaken(root, other, name.org);
  }
}

/** In: the organization that is told. Another one, and its site, are not named to it. */
export function contentRootTaken(contentRoot: string, other: SiteName, org: string): Refusal {
  const owner = other.org === org ? `site "${other.org}/${other.site}"` : 'a site of another organization';
  const sentence = `The content root ${contentRoot} already belongs to ${owner}. A content root can belong to only one site.`;
  return new Refusal('CONTENT_ROOT_TAKEN', sentence, other.org === org ? { data: { ...other } } : {});
}

function authoringHostTaken(contentRoot: string, host: string): Refusal {
  const sentence = `The authoring host ${host} belongs to another organization, so this site cannot have the content root ${contentRoot}. Ask the operator of the service, who can assign the host.`;
  return new Refusal('CONTENT_ROOT_TAKEN', sentence, { data: { host } });
}
