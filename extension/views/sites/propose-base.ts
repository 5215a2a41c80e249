import type { SiteListEntry } from '#contract/site.ts';
import { organizationSites } from '#extension/setup/sites/organization-sites.ts';
import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import type { TreeNode } from '#extension/setup/sites/tree.ts';

/** The sites that others can share the code of, the bases first. */
export function baseCandidates(sites: readonly SiteListEntry[]): OrganizationSite[] {
  const able = organizationSites(sites).filter(({ base, complete }) => complete && base === undefined);
  return [...able.filter(({ carries }) => carries), ...able.filter(({ carries }) => !carries)];
}

/**
 * The base site for chosen pages: the one that covers them, else the one whose name the page at hand carries, else one with
 * the same content root on another author (production), else the first base.
 */
export function proposeBase(
  nodes: readonly Pick<TreeNode, 'path' | 'state'>[],
  candidates: readonly OrganizationSite[],
  siteName: string | undefined,
): string | undefined {
  const names = new Set(candidates.map(({ name }) => name));
  const covering = nodes.map(({ state }) => coveredBy(state)).find((name) => name !== undefined && names.has(name));
  if (covering !== undefined) return covering;
  const twin = candidates.find(({ contentRoot }) => nodes.some(({ path }) => path === contentRoot));
  const named = siteName !== undefined && names.has(siteName) ? siteName : undefined;
  return twin?.name ?? named ?? candidates[0]?.name;
}

function coveredBy(state: TreeNode['state']): string | undefined {
  return state.kind === 'not-yet' || state.kind === 'covered' ? state.by : undefined;
}
