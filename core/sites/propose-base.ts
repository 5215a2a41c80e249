import type { SiteListEntry } from '@repoless/contract/site.ts';
import { organizationSites } from './organization-sites.ts';
import type { OrganizationSite } from './organization-sites.ts';
import type { TreeNode } from './tree.ts';

/** The sites that others can share the code of, the bases first. */
export function baseCandidates(sites: readonly SiteListEntry[]): OrganizationSite[] {
  const able = organizationSites(sites).filter(({ base, complete }) => complete && base === undefined);
  return [...able.filter(({ carries }) => carries), ...able.filter(({ carries }) => !carries)];
}

/**
 * The proposed base site for chosen pages: that of most of those that are already sites, else the one that covers them, else the one whose name
 * the current page carries, else one with the same content root on another author (production), else the first base. A chosen site that is
 * nobody's base is not proposed for the others, because its code may be wrong.
 */
export function proposeBase(
  nodes: readonly Pick<TreeNode, 'path' | 'state'>[],
  sites: readonly SiteListEntry[],
  siteName: string | undefined,
): string | undefined {
  const candidates = baseCandidates(sites);
  const names = new Set(candidates.map(({ name }) => name));
  const chosen = new Set(nodes.flatMap(({ state }) => (state.kind === 'site' ? [state.site] : [])));
  const present = mostFrequent(organizationSites(sites).flatMap((site) => (chosen.has(site.name) ? baseOf(site) : [])));
  if (present !== undefined && names.has(present)) return present;
  const covering = nodes.map(({ state }) => coveredBy(state)).find((name) => name !== undefined && names.has(name));
  if (covering !== undefined) return covering;
  const others = candidates.filter(({ name }) => !chosen.has(name));
  const twin = others.find(({ contentRoot }) => nodes.some(({ path }) => path === contentRoot));
  const named = siteName !== undefined && names.has(siteName) ? siteName : undefined;
  return twin?.name ?? named ?? others[0]?.name ?? candidates[0]?.name;
}

function baseOf({ name, base, carries }: OrganizationSite): string[] {
  if (base !== undefined) return [base];
  return carries ? [name] : [];
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

function coveredBy(state: TreeNode['state']): string | undefined {
  return state.kind === 'not-yet' || state.kind === 'covered' ? state.by : undefined;
}
