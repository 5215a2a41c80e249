import { SITE_STATES, type SiteState } from '@repoless/contract/site-check.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { Grouping, GroupRow, ListRow, SiteGridRow } from './organization-rows.tsx';

interface GroupNames {
  /** The name of a country by its upper-case code. */
  readonly country: (code: string) => string;
  /** For sites that belong to no group. */
  readonly none: string;
}

/** The rows in groups, each below its own row and in the order of the rows. `closed`: the groups of which only that row is shown. */
export function groupSites(
  rows: readonly SiteGridRow[],
  grouping: Grouping,
  closed: ReadonlySet<string>,
  names: GroupNames,
): readonly ListRow[] {
  if (grouping === 'none') return rows;
  const groups = new Map<string, SiteGridRow[]>();
  for (const row of rows) {
    const key = groupOf(row.site, grouping) ?? '';
    const some = groups.get(key);
    if (some === undefined) groups.set(key, [row]);
    else some.push(row);
  }
  const titled = [...groups].map(([key, some]) => ({ key, some, text: titleOf(key, grouping, names) }));
  const sorted = titled.toSorted((one, other) => Number(one.key === '') - Number(other.key === '') || one.text.localeCompare(other.text));
  return sorted.flatMap(({ key, some, text }, index) => {
    const id = groupId(key);
    const isOpen = !closed.has(id);
    const line: GroupRow = {
      id,
      text,
      selectable: false,
      level: 1,
      expanded: isOpen,
      position: index + 1,
      size: sorted.length,
      count: some.length,
      state: mostUrgent(some),
    };
    return isOpen ? [line, ...some.map((row, place) => ({ ...row, level: 2, position: place + 1, size: some.length }))] : [line];
  });
}

/** Site names contain no slash. */
function groupId(key: string): string {
  return `/${key}`;
}

function titleOf(key: string, grouping: Grouping, names: GroupNames): string {
  if (key === '') return names.none;
  return grouping === 'country' ? names.country(key.toUpperCase()) : key;
}

function groupOf(site: OrganizationSite, grouping: Exclude<Grouping, 'none'>): string | undefined {
  if (grouping === 'repository') return site.repository;
  // A base site is the first in its own group.
  if (grouping === 'base') return site.base ?? (site.carries ? site.name : undefined);
  return countryOf(site.contentRoot);
}

const COUNTRY = /^[a-z]{2}$/i;
/** Language and country in one name, the country after the language. */
const BOTH = /^[a-z]{2,3}[-_]([a-z]{2})$/i;

/** The country in a content root: `/content/wknd/ch/de`, `/content/wknd/de_CH`. */
function countryOf(contentRoot = ''): string | undefined {
  const below = contentRoot.split('/').slice(3);
  const code = below.map((name) => BOTH.exec(name)?.[1] ?? (COUNTRY.test(name) ? name : undefined)).find((found) => found !== undefined);
  return code?.toLowerCase();
}

function mostUrgent(rows: readonly SiteGridRow[]): SiteState {
  return SITE_STATES.find((state) => rows.some((row) => row.state === state)) ?? 'in-order';
}
