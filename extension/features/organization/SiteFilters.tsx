import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { CHECK_IDS, SITE_STATES } from '@repoless/contract/site-check.ts';
import { SITE_KINDS } from '@repoless/core/sites/organization-sites.ts';
import { type ReactNode, useState } from 'react';
import { readAddress, setAddressParameters } from '../../app/host/address-state.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { type SiteFilter, SORTS } from './organization-rows.tsx';

const STATES = ['any', ...SITE_STATES] as const;
const KINDS = ['any', ...SITE_KINDS] as const;

interface Props {
  readonly filter: SiteFilter;
  /** How many sites are shown, of how many. */
  readonly shown: number;
  readonly all: number;
  readonly onChange: (filter: SiteFilter) => void;
  /** What can be done with the sites that are shown. */
  readonly children: ReactNode;
}

/** Which of the sites are shown, how many, and what can be done with them. */
export function SiteFilters({ filter, shown, all, onChange, children }: Props) {
  const { organization: messages, overview, siteKinds, siteStates } = useMessages('sites');
  const { checks } = useMessages('site-check');
  const isFiltered = filter.text.trim() !== '' || filter.state !== 'any' || filter.kind !== 'any' || filter.check !== 'any';
  return (
    <>
      <div className="rp-filters">
        <SearchField label={messages.search} value={filter.text} onChange={(text) => onChange({ ...filter, text })} width="100%" />
        <Picker
          label={messages.stateFilter}
          selectedKey={filter.state}
          onSelectionChange={(key) => onChange({ ...filter, state: STATES.find((state) => state === key) ?? 'any' })}
          width="100%"
        >
          {STATES.map((state) => (
            <Item key={state}>{state === 'any' ? messages.anyState : siteStates[state]}</Item>
          ))}
        </Picker>
        <Picker
          label={messages.kindFilter}
          selectedKey={filter.kind}
          onSelectionChange={(key) => onChange({ ...filter, kind: KINDS.find((kind) => kind === key) ?? 'any' })}
          width="100%"
        >
          {KINDS.map((kind) => (
            <Item key={kind}>{kind === 'any' ? messages.anyKind : siteKinds[kind]}</Item>
          ))}
        </Picker>
      </div>
      <div className="rp-tools">
        <div className="rp-actions rp-count">
          <span className="rp-quiet" role="status">
            {(shown === all ? messages.count.all : messages.count.some)({ shown, all })}
          </span>
          {filter.check !== 'any' && <span className="rp-quiet">{overview.only({ check: checks.titles[filter.check] })}</span>}
          {isFiltered && (
            <ActionButton isQuiet onPress={() => onChange({ ...filter, text: '', state: 'any', kind: 'any', check: 'any' })}>
              {overview.clear}
            </ActionButton>
          )}
        </div>
        {children}
      </div>
    </>
  );
}

/** What is shown of the sites, and which one at hand; the address of the window keeps both. */
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

/** What an address asks for; what it says that there is not is left out. */
function shownIn(hash: string): Shown {
  const asked = readAddress(hash);
  const one = <T extends string, D>(name: string, values: readonly T[], otherwise: D): T | D =>
    values.find((value) => value === asked.get(name)) ?? otherwise;
  const site = asked.get('site');
  return {
    filter: {
      text: asked.get('search') ?? '',
      kind: one('kind', SITE_KINDS, 'any'),
      state: one('state', SITE_STATES, 'any'),
      check: one('finding', CHECK_IDS, 'any'),
      sort: one('sort', SORTS, 'name'),
      descending: asked.get('order') === 'descending',
    },
    site: site === '' ? undefined : site,
  };
}

function parametersOf({ filter, site }: Shown): Record<string, string> {
  const unless = <T extends string>(value: T, usual: T) => (value === usual ? '' : value);
  return {
    search: filter.text.trim(),
    kind: unless(filter.kind, 'any'),
    state: unless(filter.state, 'any'),
    finding: unless(filter.check, 'any'),
    sort: unless(filter.sort, 'name'),
    order: filter.descending ? 'descending' : '',
    site: site ?? '',
  };
}
