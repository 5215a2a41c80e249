import { STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { Tile } from '../../ui/Badge.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { findingsTally, type SiteFilter, type SiteGridRow, tally } from './organization-rows.tsx';

interface Props {
  readonly rows: readonly SiteGridRow[];
  readonly filter: SiteFilter;
  readonly onFilter: (filter: SiteFilter) => void;
}

export function SiteTiles({ rows, filter, onFilter }: Props) {
  const { organization, siteStates, siteView } = useMessages('sites');
  const { state, check } = filter;
  const show = (wanted: SiteFilter['state']): void => onFilter({ ...filter, state: wanted, check: 'any' });
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

export function FoundInState({ rows, filter, onFilter }: Props) {
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
