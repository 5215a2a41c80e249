import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { SITE_STATES } from '#contract/site-check.ts';
import { SITE_KINDS } from '#extension/setup/sites/organization-sites.ts';
import { useMessages } from '../messages/use-messages.ts';
import { SORTS, tally } from './organization-rows.ts';
import type { SiteFilter, SiteGridRow } from './organization-rows.ts';

const STATES = ['any', ...SITE_STATES.filter((state) => state !== 'not-set-up')] as const;
const KINDS = ['any', ...SITE_KINDS] as const;

interface Props {
  readonly filter: SiteFilter;
  readonly onChange: (filter: SiteFilter) => void;
  /** All rows, to be counted by their state. */
  readonly rows: readonly SiteGridRow[];
}

/** What is shown of the sites and in which order, and how many are in each state: a count shows its sites. */
export function SiteFilters({ filter, onChange, rows }: Props) {
  const { organization: messages, siteKinds, siteStates } = useMessages('sites');
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
        <Picker
          label={messages.sort}
          selectedKey={filter.sort}
          onSelectionChange={(key) => onChange({ ...filter, sort: SORTS.find((sort) => sort === key) ?? 'name' })}
          width="100%"
        >
          {SORTS.map((sort) => (
            <Item key={sort}>{messages.columns[sort]}</Item>
          ))}
        </Picker>
      </div>
      <div className="rp-actions" role="group" aria-label={messages.tally}>
        {tally(rows).map(({ state, count }) => (
          <ActionButton key={state} isQuiet onPress={() => onChange({ ...filter, state: filter.state === state ? 'any' : state })}>
            {messages.tallied(siteStates[state], count)}
          </ActionButton>
        ))}
      </div>
    </>
  );
}
