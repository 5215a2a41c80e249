import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Item, Menu } from '@adobe/react-spectrum/Menu';
import { MenuTrigger } from '@adobe/react-spectrum/MenuTrigger';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { CHECK_IDS, SITE_STATES } from '@repoless/contract/site-check.ts';
import { type ReactNode, useState } from 'react';
import { STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { readAddress, setAddressParameters } from '../../host/address-state.ts';
import { Status } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import {
  COLUMNS,
  columnTitles,
  findingsTally,
  GROUPINGS,
  type SiteFilter,
  type SiteGridRow,
  SORTS,
  tally,
  DEFAULT_COLUMNS,
} from './organization-rows.tsx';
import { Tile } from '../../ui/Badge.tsx';

const NONE_OR_ONE = ['none', ...GROUPINGS] as const;

interface Props {
  readonly filter: SiteFilter;
  readonly onChange: (filter: SiteFilter) => void;
  readonly children: ReactNode;
}

export function SiteTools({ filter, onChange, children }: Props) {
  const messages = useMessages('sites');
  const { organization, siteView } = messages;
  const titles = columnTitles(messages);
  const groups = { none: siteView.noGroups, country: siteView.country, base: titles.base, repository: titles.repository };
  return (
    <div className="rp-tools" role="search">
      <SearchField aria-label={organization.search} value={filter.text} onChange={(text) => onChange({ ...filter, text })} width="100%" />
      <div className="rp-actions">
        <MenuTrigger>
          <ActionButton>{filter.group === 'none' ? siteView.groupBy : `${siteView.groupBy}: ${groups[filter.group]}`}</ActionButton>
          <Menu
            aria-label={siteView.groupBy}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[filter.group]}
            onAction={(key) => onChange({ ...filter, group: GROUPINGS.find((one) => one === key) ?? 'none' })}
          >
            {NONE_OR_ONE.map((one) => (
              <Item key={one}>{groups[one]}</Item>
            ))}
          </Menu>
        </MenuTrigger>
        <MenuTrigger closeOnSelect={false}>
          <ActionButton>{siteView.columns}</ActionButton>
          <Menu
            aria-label={siteView.columns}
            selectionMode="multiple"
            selectedKeys={filter.columns}
            onSelectionChange={(keys) => onChange({ ...filter, columns: COLUMNS.filter((one) => keys === 'all' || keys.has(one)) })}
          >
            {COLUMNS.map((one) => (
              <Item key={one}>{titles[one]}</Item>
            ))}
          </Menu>
        </MenuTrigger>
        {children}
      </div>
    </div>
  );
}

interface CountProps extends Omit<Props, 'children'> {
  readonly shown: number;
  readonly all: number;
}

export function SiteCount({ filter, shown, all, onChange }: CountProps) {
  const { organization, overview } = useMessages('sites');
  const isFiltered = filter.text.trim() !== '' || filter.state !== 'any' || filter.check !== 'any';
  return (
    <>
      <Status as="span">{(shown === all ? organization.count.all : organization.count.some)({ shown, all })}</Status>
      {isFiltered && (
        <ActionButton isQuiet onPress={() => onChange({ ...filter, text: '', state: 'any', check: 'any' })}>
          {overview.clear}
        </ActionButton>
      )}
    </>
  );
}

/** The filter and the selected site; both are stored in the window's address, so that a link or a bookmark is a saved view. */
interface Shown {
  readonly filter: SiteFilter;
  readonly site: string | undefined;
}

export function useSiteFilter(): [Shown, (shown: Partial<Shown>) => void] {
  const [shown, setShown] = useState(() => shownIn(location.hash));
  const change = (next: Partial<Shown>): void => {
    const whole = { ...shown, ...next };
    setShown(whole);
    setAddressParameters(parametersOf(whole));
  };
  return [shown, change];
}

/** The state in an address; unknown values are ignored. */
function shownIn(hash: string): Shown {
  const filter = readAddress(hash);
  const one = <T extends string, D>(name: string, values: readonly T[], otherwise: D): T | D =>
    values.find((value) => value === filter.get(name)) ?? otherwise;
  const site = filter.get('site');
  const columns = filter.get('columns')?.split(',');
  return {
    filter: {
      text: filter.get('search') ?? '',
      state: one('state', SITE_STATES, 'any'),
      check: one('finding', CHECK_IDS, 'any'),
      sort: one('sort', SORTS, 'name'),
      descending: filter.get('order') === 'descending',
      group: one('group', GROUPINGS, 'none'),
      columns: columns === undefined ? DEFAULT_COLUMNS : COLUMNS.filter((column) => columns.includes(column)),
    },
    site: site === '' ? undefined : site,
  };
}

function parametersOf({ filter, site }: Shown): Record<string, string> {
  const unless = <T extends string>(value: T, usual: T) => (value === usual ? '' : value);
  return {
    search: filter.text.trim(),
    state: unless(filter.state, 'any'),
    finding: unless(filter.check, 'any'),
    sort: unless(filter.sort, 'name'),
    order: filter.descending ? 'descending' : '',
    group: unless(filter.group, 'none'),
    columns: unless(filter.columns.length === 0 ? 'none' : filter.columns.join(), DEFAULT_COLUMNS.join()),
    site: site ?? '',
  };
}

interface TilesProps {
  readonly rows: readonly SiteGridRow[];
  readonly filter: SiteFilter;
  readonly onFilter: (filter: SiteFilter) => void;
}

export function SiteTiles({ rows, filter, onFilter }: TilesProps) {
  const { organization, siteStates, siteView } = useMessages('sites');
  const { state, check } = filter;
  const show = (state: SiteFilter['state']): void => onFilter({ ...filter, state, check: 'any' });
  return (
    <div className="rp-tiles" role="group" aria-label={organization.tally}>
      <Tile
        tone={undefined}
        count={rows.length}
        label={siteView.all}
        isShown={state === 'any' && check === 'any'}
        onPress={() => show('any')}
      />
      {tally(rows).map(({ state: one, count }) => (
        <Tile
          key={one}
          tone={STATE_TONES[one]}
          count={count}
          label={siteStates[one]}
          isShown={state === one}
          onPress={() => show(state === one ? 'any' : one)}
        />
      ))}
    </div>
  );
}

export function FoundInState({ rows, filter, onFilter }: TilesProps) {
  const { overview } = useMessages('sites');
  const { checks } = useMessages('site-check');
  const { state, check } = filter;
  if (state === 'any' && check === 'any') return null;
  const findings = findingsTally(rows.filter((row) => state === 'any' || row.state === state));
  if (findings.length === 0) return null;
  return (
    <div className="rp-chips" role="group" aria-label={overview.findings}>
      {findings.map(({ check: one, count }) => (
        <button
          key={one}
          type="button"
          className="rp-chip"
          aria-pressed={check === one}
          onClick={() => onFilter({ ...filter, check: check === one ? 'any' : one })}
        >
          <span>{checks.titles[one]}</span> <span className="rp-chip-count">{count}</span>
        </button>
      ))}
    </div>
  );
}
