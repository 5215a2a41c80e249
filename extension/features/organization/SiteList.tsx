import { useLocale } from '@adobe/react-spectrum/Provider';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { csvOf } from '@repoless/core/sites/row-results.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { use, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useFocusRestore } from '../../ui/focus.ts';
import { VirtualGrid } from '../../ui/grid/VirtualGrid.tsx';
import { gridHeight, gridRoom } from '../../ui/grid/grid-rows.ts';
import { useList, useMessages } from '../../ui/use-messages.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { CheckSites } from '../content-tree/CheckSites.tsx';
import type { Tree } from '../content-tree/use-tree.ts';
import { ChosenBar, useRepair } from './ChosenBar.tsx';
import { FoundInState, SiteCount, SiteTiles, SiteTools } from './SiteTools.tsx';
import { findingsOf, rowsShown, siteColumns, type SiteFilter, type SiteGridRow, SORTS } from './organization-rows.tsx';
import { groupSites } from './site-groups.ts';
import { Age } from '../../ui/Age.tsx';
import { Card } from '../../ui/Card.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useReading } from '../../ui/use-reading.ts';

interface Props {
  readonly author: string;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly sites: readonly OrganizationSite[];
  readonly standings: readonly SiteGridRow[];
  readonly tree: Tree;
  readonly kept: StoredStates;
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
  const { author, info, organization, sites, standings, tree, filter, onFilter, opened, onRepair, onEdit, onRemove, chosen, onSelect } =
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
  const rows = useMemo(() => rowsShown(standings, shown), [standings, shown]);
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
  const picked = useMemo(() => standings.filter(({ id }) => chosen.has(id)), [standings, chosen]);
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
        {sites.length > 0 && <SiteTiles rows={standings} filter={filter} onFilter={onFilter} />}
        <SiteTools filter={filter} onChange={onFilter}>
          <CheckSites
            checks={tree.checks}
            pages={pages(picked.length > 0 ? picked : rows)}
            isChoice={picked.length > 0}
            kept={props.kept}
          />
        </SiteTools>
      </div>
      <FoundInState rows={standings} filter={filter} onFilter={onFilter} />
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
            onOpen={(id) => (standings.some((row) => row.id === id) ? props.onOpen(id) : fold(id, folded.has(id)))}
            sort={{ key: filter.sort, descending: filter.descending, onSort: sort }}
            height={height}
            returned={closed}
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
              onEdit={onEdit === undefined ? undefined : () => onEdit(picked.map(({ site }) => site))}
              onMove={() => props.onMove(picked.map(({ site }) => site))}
              onRemove={onRemove === undefined ? undefined : () => onRemove(picked.map(({ site }) => site))}
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
    const { site, state, kept } = row;
    const { preview, live } = addressesOf(site.name);
    const findings = findingsOf(row).map((check) => titles[check] ?? check);
    return [
      site.name,
      states[state] ?? state,
      findings.join('; '),
      kept?.checkedAt ?? '',
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
