import { type CheckedSite, type CheckId, SITE_STATES, type SiteState } from '@repoless/contract/site-check.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import type { ReactNode } from 'react';
import { Age } from '../../ui/Age.tsx';
import { StateBadge } from '../../ui/Badge.tsx';
import type { useList } from '../../ui/use-messages.ts';
import type { Column } from '../../ui/grid/VirtualGrid.tsx';
import type { GridRow } from '../../ui/grid/grid-rows.ts';
import type { CheckedStates } from '../content-tree/CheckSites.tsx';
import { type NodeReader, nodesRead, type TreeLevels } from '../content-tree/use-tree.ts';
import { rowState } from '../content-tree/tree-rows.tsx';

export const SORTS = ['name', 'state', 'findings', 'checked', 'kind', 'base', 'repository', 'root'] as const;
type Sort = (typeof SORTS)[number];

export interface SiteGridRow extends GridRow {
  readonly site: OrganizationSite;
  readonly state: SiteState;
  readonly stored?: CheckedSite;
}

export const GROUPINGS = ['country', 'base', 'repository'] as const;
type Grouping = (typeof GROUPINGS)[number] | 'none';

/** The row above a group of sites. */
interface GroupRow extends GridRow {
  readonly site?: undefined;
  readonly count: number;
  readonly state: SiteState;
}

type ListRow = SiteGridRow | GroupRow;

export interface SiteFilter {
  readonly text: string;
  readonly state: SiteState | 'any';
  readonly check: CheckId | 'any';
  readonly sort: Sort;
  readonly descending: boolean;
  readonly group: Grouping;
  readonly columns: readonly SiteColumn[];
}

/** What is known of the sites besides the service's list: the part of the current author's tree that was read. */
interface ReadTree {
  readonly levels: TreeLevels;
  readonly reader: NodeReader;
  readonly author: string;
  readonly checked: CheckedStates;
  /** The stored checks, by site name. */
  readonly stored: ReadonlyMap<string, CheckedSite>;
}

/** One row per site. Fast enough for tens of thousands. */
export function siteRows(sites: readonly OrganizationSite[], tree: ReadTree): SiteGridRow[] {
  const nodes = nodesRead(tree.levels, tree.reader);
  return sites.map((site) => {
    const stored = tree.stored.get(site.name);
    const row = { id: site.name, text: site.name, selectable: true, site, state: stateIn(site, tree, nodes) };
    return stored === undefined ? row : { ...row, stored };
  });
}

export function rowsShown(rows: readonly SiteGridRow[], { text, state, check, sort, descending }: SiteFilter): SiteGridRow[] {
  const query = text.trim().toLocaleLowerCase();
  return rows
    .filter((row) => state === 'any' || row.state === state)
    .filter((row) => check === 'any' || findingsOf(row).includes(check))
    .filter(({ site }) => query === '' || searched(site).toLocaleLowerCase().includes(query))
    .toSorted((one, other) => (descending ? -1 : 1) * compare(keyOf(one, sort), keyOf(other, sort)) || compare(one.id, other.id));
}

/** The checks that found something at a site, errors first. */
export function findingsOf({ stored }: Pick<SiteGridRow, 'stored'>): CheckId[] {
  const problems = stored?.problems ?? [];
  const of = (verdict: 'wrong' | 'warning') => problems.filter((one) => one.verdict === verdict).map(({ check }) => check);
  return [...of('wrong'), ...of('warning')];
}

/** The checks that found something at any site, with the number of those sites; the most frequent first. */
export function findingsTally(rows: readonly SiteGridRow[]): { readonly check: CheckId; readonly count: number }[] {
  const counts = new Map<CheckId, number>();
  for (const row of rows) for (const check of findingsOf(row)) counts.set(check, (counts.get(check) ?? 0) + 1);
  return [...counts].map(([check, count]) => ({ check, count })).toSorted((one, other) => other.count - one.count);
}

/** The number of sites in each state, the most urgent first; states without sites are omitted. */
export function tally(rows: readonly SiteGridRow[]): { readonly state: SiteState; readonly count: number }[] {
  return SITE_STATES.map((state) => ({ state, count: rows.filter((row) => row.state === state).length })).filter(({ count }) => count > 0);
}

function stateIn(
  { name, complete, author, contentRoot: root }: OrganizationSite,
  tree: ReadTree,
  nodes: ReadonlyMap<string, TreeNode>,
): SiteState {
  const listed = tree.stored.get(name)?.state ?? siteState({ registered: true, complete });
  if (root === undefined || author !== tree.author) return listed;
  const node = nodes.get(root);
  const state = node === undefined ? tree.checked.own.get(root) : rowState(node, tree.checked);
  return state === undefined || state === 'covered' ? listed : state;
}

function searched({ name, repository, contentRoot }: OrganizationSite): string {
  return `${name}\n${repository ?? ''}\n${contentRoot ?? ''}`;
}

function keyOf(row: SiteGridRow, sort: Sort): string {
  const { site, state } = row;
  switch (sort) {
    case 'state':
      return String(SITE_STATES.indexOf(state));
    case 'root':
      return site.contentRoot ?? '';
    case 'findings':
      return row.stored === undefined ? '' : String(findingsOf(row).length).padStart(3, '0') + findingsOf(row).join(' ');
    case 'checked':
      return row.stored?.checkedAt ?? '';
    case 'name':
    case 'kind':
    case 'base':
    case 'repository':
      return site[sort] ?? '';
    default:
      return sort satisfies never;
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** In addition to name and state, in this order. */
export const COLUMNS = ['findings', 'checked', 'kind', 'base', 'repository', 'root'] as const;
type SiteColumn = (typeof COLUMNS)[number];
export const DEFAULT_COLUMNS: readonly SiteColumn[] = ['findings', 'checked', 'repository', 'root'];

export function columnTitles({ organization, overview }: MessagesOf<'sites'>): Readonly<Record<SiteColumn, string>> {
  const { kind, base, repository, root } = organization.columns;
  return { ...overview.columns, kind, base, repository, root };
}

const WIDTHS: Readonly<Record<SiteColumn, string>> = {
  findings: 'minmax(120px, 1.6fr)',
  checked: '136px',
  kind: 'minmax(84px, 0.8fr)',
  base: 'minmax(60px, 0.6fr)',
  repository: 'minmax(100px, 1fr)',
  root: 'minmax(120px, 1.3fr)',
};

/** The columns of the list of all sites. A group's row has its name with its number of sites, and the most urgent of their states. */
export function siteColumns(
  messages: MessagesOf<'sites'>,
  titles: Readonly<Record<CheckId, string>>,
  list: ReturnType<typeof useList>,
  chosen: readonly SiteColumn[],
): Column<ListRow>[] {
  const { organization, overview, siteKinds } = messages;
  const text = (value: string | undefined) => (
    <span className={value === undefined ? 'rp-dim' : 'rp-clip'} title={value}>
      {value ?? organization.none}
    </span>
  );
  const found = (row: SiteGridRow): string | undefined => {
    const findings = findingsOf(row);
    if (findings.length > 0) return list(findings.map((check) => titles[check]));
    return row.stored?.checkedAt === undefined ? undefined : overview.none;
  };
  const checked = ({ stored }: SiteGridRow) =>
    stored?.checkedAt === undefined ? (
      <span className="rp-dim">{overview.never}</span>
    ) : (
      <span className="rp-clip" title={stored.checkedAt}>
        <Age time={stored.checkedAt} />
      </span>
    );
  const cells: Readonly<Record<SiteColumn, (row: SiteGridRow) => ReactNode>> = {
    findings: (row) => text(found(row)),
    checked,
    kind: ({ site }) => text(siteKinds[site.kind]),
    base: ({ site }) => text(site.base),
    repository: ({ site }) => text(site.repository),
    root: ({ site }) => text(site.contentRoot),
  };
  const headings = columnTitles(messages);
  const name = (row: ListRow) =>
    row.site === undefined ? (
      <>
        <span className="rp-strong rp-clip">{row.text}</span> <span className="rp-quiet">{row.count}</span>
      </>
    ) : (
      text(row.site.name)
    );
  return [
    { key: 'name', title: organization.columns.name, width: 'minmax(150px, 1.4fr)', cell: name },
    { key: 'state', title: organization.columns.state, width: '172px', cell: ({ state }) => <StateBadge state={state} /> },
    ...chosen.map((key) => ({
      key,
      title: headings[key],
      width: WIDTHS[key],
      cell: (row: ListRow) => (row.site === undefined ? null : cells[key](row)),
    })),
  ];
}

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
  const titleOf = (key: string): string => (key === '' ? names.none : grouping === 'country' ? names.country(key.toUpperCase()) : key);
  const titled = [...groups].map(([key, some]) => ({ key, some, text: titleOf(key) }));
  const sorted = titled.toSorted((one, other) => Number(one.key === '') - Number(other.key === '') || one.text.localeCompare(other.text));
  return sorted.flatMap(({ key, some, text }, index) => {
    // Site names contain no slash.
    const id = `/${key}`;
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
    return isOpen ? [line, ...some.map((row, index) => ({ ...row, level: 2, position: index + 1, size: some.length }))] : [line];
  });
}

function groupOf(site: OrganizationSite, grouping: Exclude<Grouping, 'none'>): string | undefined {
  if (grouping === 'repository') return site.repository;
  // A base site is the first in its own group.
  if (grouping === 'base') return site.base ?? (site.hasLocales ? site.name : undefined);
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
