import { useLocale } from '@adobe/react-spectrum/Provider';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { csvOf } from '@repoless/core/sites/row-results.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { use, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useFocusRestore } from '../../ui/focus.ts';
import { VirtualGrid } from '../../ui/grid/VirtualGrid.tsx';
import { gridHeight, gridRoom } from '../../ui/grid/grid-rows.ts';
import { useList, useMessages } from '../../ui/use-messages.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { CheckSites } from '../content-tree/CheckSites.tsx';
import { isChoosable, pathsAbove, type Tree, useDescent } from '../content-tree/use-tree.ts';
import { FoundInState, SiteCount, SiteTiles, SiteTools } from './SiteTools.tsx';
import { findingsOf, groupSites, rowsShown, siteColumns, type SiteFilter, type SiteGridRow, SORTS } from './organization-rows.tsx';
import { Age } from '../../ui/Age.tsx';
import { Card } from '../../ui/Card.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useReading } from '../../ui/use-reading.ts';
import { SelectionCount } from '../../ui/grid/SelectionCount.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Status } from '../../ui/Notice.tsx';

interface Props {
  readonly author: string;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly sites: readonly OrganizationSite[];
  readonly gridRows: readonly SiteGridRow[];
  readonly tree: Tree;
  readonly stored: StoredStates;
  readonly filter: SiteFilter;
  readonly onFilter: (filter: SiteFilter) => void;
  readonly opened: string | undefined;
  readonly onOpen: (site: string) => void;
  readonly onRepair: (nodes: readonly TreeNode[]) => void;
  readonly onEdit: ((sites: readonly OrganizationSite[]) => void) | undefined;
  readonly onMove: (sites: readonly OrganizationSite[]) => void;
  /** Removes sites; absent if what is deleted with them cannot be read. */
  readonly onRemove: ((sites: readonly OrganizationSite[]) => void) | undefined;
  readonly isBusy: boolean;
  readonly chosen: ReadonlySet<string>;
  readonly onSelect: (chosen: ReadonlySet<string>) => void;
}

export function SiteList(props: Props) {
  const { author, info, organization, sites, gridRows, tree, filter, onFilter, opened, onRepair, onEdit, onRemove, chosen, onSelect } =
    props;
  const messages = useMessages('sites');
  const { checks } = useMessages('site-check');
  const [active, setActive] = useState<string | undefined>(opened);
  const [before, setBefore] = useState(opened);
  const [closed, setClosed] = useState<{ readonly site: string }>();
  if (before !== opened) {
    setBefore(opened);
    if (opened === undefined && before !== undefined) {
      setClosed({ site: before });
      setActive(before);
    }
  }
  // Used if the grid has no rows and is therefore not rendered.
  const heading = useFocusRestore<HTMLHeadingElement>(closed);
  const { locale } = useLocale();
  const list = useList();
  const shown = useDeferredValue(filter);
  const rows = useMemo(() => rowsShown(gridRows, shown), [gridRows, shown]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { others } = messages.siteView;
  const listed = useMemo(() => {
    const regions = new Intl.DisplayNames(locale, { type: 'region' });
    return groupSites(rows, shown.group, folded, { country: (code) => regions.of(code) ?? code, none: others });
  }, [rows, shown.group, folded, locale, others]);
  const isNarrow = opened !== undefined;
  const columns = useMemo(
    () => siteColumns(messages, checks.titles, list, isNarrow ? shown.columns.slice(0, 2) : shown.columns),
    [messages, checks, list, isNarrow, shown.columns],
  );
  const fold = (group: string, isOpen: boolean): void => {
    const next = new Set(folded);
    if (isOpen) next.delete(group);
    else next.add(group);
    setFolded(next);
  };
  const picked = useMemo(() => gridRows.filter(({ id }) => chosen.has(id)), [gridRows, chosen]);
  const pages = (some: readonly SiteGridRow[]) =>
    some.flatMap(({ site }) =>
      site.author === author && site.contentRoot !== undefined ? [{ page: site.contentRoot, siteName: site.name }] : [],
    );
  const repair = useRepair(tree, author, onRepair);
  const height = gridHeight(window.innerHeight);
  const sort = (key: string): void => {
    const by = SORTS.find((one) => one === key);
    if (by !== undefined) onFilter({ ...filter, sort: by, descending: filter.sort === by && !filter.descending });
  };
  const wording = {
    messages,
    states: messages.siteStates,
    titles: checks.titles,
    addressesOf: (siteName: string) => rowAddresses({ organization, info }, { siteName }),
  };
  return (
    <section className="rp-list" aria-labelledby="rp-all-sites">
      <h2 id="rp-all-sites" className="rp-hidden" tabIndex={-1} ref={heading}>
        {messages.organization.title}
      </h2>
      <div className="rp-list-head">
        {sites.length > 0 && <SiteTiles rows={gridRows} filter={filter} onFilter={onFilter} />}
        <SiteTools filter={filter} onChange={onFilter}>
          <CheckSites
            checks={tree.checks}
            pages={pages(picked.length > 0 ? picked : rows)}
            isChoice={picked.length > 0}
            stored={props.stored}
          />
        </SiteTools>
      </div>
      <FoundInState rows={gridRows} filter={filter} onFilter={onFilter} />
      <div style={{ minHeight: gridRoom(sites.length, height) }}>
        {rows.length === 0 ? (
          <p className="rp-empty">{sites.length === 0 ? messages.organization.empty : messages.organization.nothingFound}</p>
        ) : (
          <VirtualGrid
            label={messages.organization.label}
            rows={listed}
            columns={columns}
            selected={chosen}
            onSelect={onSelect}
            selectAll={(count) => messages.overview.selectShown({ count })}
            active={active}
            onActive={setActive}
            onExpand={fold}
            onOpen={(id) => (gridRows.some((row) => row.id === id) ? props.onOpen(id) : fold(id, folded.has(id)))}
            sort={{ key: filter.sort, descending: filter.descending, onSort: sort }}
            height={height}
            refocus={closed}
          />
        )}
      </div>
      {sites.length > 0 && (
        <div className="rp-chosen">
          <SiteCount filter={filter} shown={rows.length} all={sites.length} onChange={onFilter} />
          {picked.length > 0 && (
            <ChosenBar
              rows={picked}
              csv={sitesCsv(picked, wording)}
              isBusy={props.isBusy}
              repair={repair}
              onEdit={onEdit && (() => onEdit(picked.map(({ site }) => site)))}
              onMove={() => props.onMove(picked.map(({ site }) => site))}
              onRemove={onRemove && (() => onRemove(picked.map(({ site }) => site)))}
              shown={rows}
              onSelect={onSelect}
            />
          )}
        </div>
      )}
      <WeekActivity organization={organization} />
    </section>
  );
}

interface Wording {
  readonly messages: Pick<MessagesOf<'sites'>, 'overview' | 'siteKinds'>;
  readonly states: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
  readonly addressesOf: (site: string) => { readonly preview: string; readonly live: string };
}

/** Sites as a table for a spreadsheet, with a header row. */
function sitesCsv(rows: readonly SiteGridRow[], { messages, states, titles, addressesOf }: Wording): string {
  const lines = rows.map((row) => {
    const { site, state, stored } = row;
    const { preview, live } = addressesOf(site.name);
    const findings = findingsOf(row).map((check) => titles[check] ?? check);
    return [
      site.name,
      states[state] ?? state,
      findings.join('; '),
      stored?.checkedAt ?? '',
      messages.siteKinds[site.kind],
      site.base ?? '',
      site.repository ?? '',
      site.author ?? '',
      site.contentRoot ?? '',
      preview,
      live,
    ];
  });
  return csvOf([messages.overview.csvColumns, ...lines]);
}

/** What people did to sites in the last seven days, as sentences; nothing for people who may not read it. */
function WeekActivity({ organization }: { readonly organization: string }) {
  const { siteView, overview } = useMessages('sites');
  const checks = use(ChecksContext);
  const read = useCallback(() => checks.activity(organization), [checks, organization]);
  const [reading] = useReading(read);
  if (reading.state !== 'ready' || reading.value.length === 0) return null;
  return (
    <Card id="rp-week" level={3} title={overview.week}>
      <ul className="rp-plain-list">
        {reading.value.map(({ who, what, part, count, time }) => (
          <li key={`${who} ${what} ${part}`}>
            {siteView.activity({ who, what, part, count })}{' '}
            <span className="rp-quiet">
              · <Age time={time} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface BarProps {
  /** The selected sites, and those that match the filter. */
  readonly rows: readonly SiteGridRow[];
  readonly shown: readonly SiteGridRow[];
  readonly csv: string;
  /** A run is in progress, and no other one may start. */
  readonly isBusy: boolean;
  readonly repair: Repair;
  /** Absent if the service does not change many sites. */
  readonly onEdit: (() => void) | undefined;
  readonly onMove: () => void;
  /** Absent if what is deleted with a site cannot be read. */
  readonly onRemove: (() => void) | undefined;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Actions for the selected sites. Shown below the list, next to the number of sites, so that no row moves. */
function ChosenBar({ rows, shown, csv, isBusy, repair, onEdit, onMove, onRemove, onSelect }: BarProps) {
  const { overview: messages, move, removals } = useMessages('sites');
  const count = rows.length;
  return (
    <div className="rp-chosen-actions" role="group" aria-label={messages.actions}>
      <SelectionCount text={messages.chosen({ count })} selected={rows} rows={shown} onSelect={onSelect} />
      <ActionButton isDisabled={isBusy || repair.pages !== undefined} onPress={() => void repair.start(rows)}>
        {messages.repair({ count })}
      </ActionButton>
      {onEdit !== undefined && <ActionButton onPress={onEdit}>{messages.edit({ count })}</ActionButton>}
      <ActionButton isDisabled={isBusy} onPress={onMove}>
        {move.open({ count })}
      </ActionButton>
      {onRemove !== undefined && (
        <ActionButton isDisabled={isBusy} onPress={onRemove}>
          {removals.open({ count })}
        </ActionButton>
      )}
      <CopyButton text={csv} shown={messages.csv({ count })} />
      <ActionButton isQuiet onPress={() => onSelect(new Set())}>
        {messages.unchoose}
      </ActionButton>
      <RepairStatus repair={repair} />
    </div>
  );
}

export function RepairStatus({ repair: { pages, isNone } }: { readonly repair: Repair }) {
  const { overview: messages } = useMessages('sites');
  return <Status as="span">{pages === undefined ? (isNone ? messages.repairNone : '') : messages.repairing({ pages })}</Status>;
}

export interface Repair {
  /** Pages read so far; undefined while none are being read. */
  readonly pages: number | undefined;
  /** None of the sites has a page that can be repaired here. */
  readonly isNone: boolean;
  start(rows: readonly SiteGridRow[]): Promise<void>;
}

/** Leads from sites to the review of their pages: reads the tree down to those pages, and passes on the repairable ones. */
export function useRepair(tree: Tree, author: string, onRepair: (nodes: readonly TreeNode[]) => void): Repair {
  const descent = useDescent(tree);
  const [isNone, setNone] = useState(false);
  const start = async (rows: readonly SiteGridRow[]): Promise<void> => {
    setNone(false);
    const here = rows.filter(({ site }) => site.author === author);
    const states = new Map(here.map(({ site, state }) => [site.contentRoot, state]));
    const above = new Set(here.flatMap(({ site }) => pathsAbove(site.contentRoot ?? '')));
    const read = await descent.run(undefined, (node) => above.has(node.path));
    if (read === undefined) return;
    const nodes = read.nodes.filter((node) => states.has(node.path) && isChoosable(node, states.get(node.path)));
    if (nodes.length === 0) setNone(true);
    else onRepair(nodes);
  };
  return { pages: descent.pages, isNone, start };
}
