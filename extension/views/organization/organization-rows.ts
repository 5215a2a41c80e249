import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import type { TreeLevels } from '../content-tree/tree-levels.ts';
import { pathsAbove, TOP } from '../content-tree/tree-levels.ts';
import { nodeAt } from '../content-tree/tree-nodes.ts';
import type { NodeReader } from '../content-tree/tree-nodes.ts';
import type { GridRow } from '../grid/grid-rows.ts';

export type SiteDrift = 'fits' | 'drifted' | 'unread' | 'elsewhere' | 'missing';
export const SORTS = ['name', 'state', 'base', 'repository', 'root'] as const;
export type Sort = (typeof SORTS)[number];

export interface SiteGridRow extends GridRow {
  readonly site: OrganizationSite;
}

export interface SiteFilter {
  readonly text: string;
  readonly state: OrganizationSite['state'] | 'any';
  readonly sort: Sort;
}

/** The sites that fit the search, in order. Tens of thousands at once are fine. */
export function siteRows(sites: readonly OrganizationSite[], { text, state, sort }: SiteFilter): SiteGridRow[] {
  const wanted = text.trim().toLocaleLowerCase();
  return sites
    .filter((site) => state === 'any' || site.state === state)
    .filter(
      (site) => wanted === '' || `${site.name}\n${site.repository ?? ''}\n${site.contentRoot ?? ''}`.toLocaleLowerCase().includes(wanted),
    )
    .toSorted((one, other) => compare(keyOf(one, sort), keyOf(other, sort)) || compare(one.name, other.name))
    .map((site) => ({ id: site.name, text: site.name, selectable: true, site }));
}

function keyOf(site: OrganizationSite, sort: Sort): string {
  return sort === 'root' ? (site.contentRoot ?? '') : (site[sort] ?? '');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether a site fits its page's settings, as far as the tree was read. */
export function driftOf(tree: TreeLevels, reader: NodeReader, author: string, site: OrganizationSite): SiteDrift | undefined {
  if (site.contentRoot === undefined) return undefined;
  if (site.author !== author) return 'elsewhere';
  const node = nodeAt(tree, reader, site.contentRoot);
  if (node !== undefined) return node.state.kind === 'drifted' ? 'drifted' : 'fits';
  return isRead(tree, site.contentRoot) ? 'missing' : 'unread';
}

/** The pages below which sites of an author lie: what must be read to compare them. */
export function pathsToSites(sites: readonly OrganizationSite[], author: string): Set<string> {
  const own = sites.filter((site) => site.author === author).flatMap(({ contentRoot }) => contentRoot ?? []);
  return new Set(own.flatMap(pathsAbove));
}

/** Every level that leads to a page was read as far as there is one. */
function isRead({ levels }: TreeLevels, path: string): boolean {
  for (const above of [TOP, ...pathsAbove(path)]) {
    const level = levels.get(above);
    if (level === undefined) {
      const parent = levels.get(above.slice(0, above.lastIndexOf('/')));
      return parent?.state === 'ready' && !parent.read.pages.some((page) => page.path === above);
    }
    if (level.state !== 'ready') return false;
  }
  return true;
}
