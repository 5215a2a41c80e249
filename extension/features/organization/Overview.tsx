import { useLocale } from '@adobe/react-spectrum/Provider';
import type { CheckId, OrgChecks } from '@repoless/contract/site-check.ts';
import { STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { Tile } from '../../ui/Badge.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { findingsTally, type SiteFilter, type SiteGridRow, tally } from './organization-rows.tsx';

interface Props {
  readonly rows: readonly SiteGridRow[];
  readonly days: OrgChecks['days'];
  readonly filter: SiteFilter;
  readonly onFilter: (filter: SiteFilter) => void;
}

/** The most findings that are named. */
const NAMED = 5;

/** How all sites stand, as a picture before it is a table. Each number shows its sites. */
export function Overview({ rows, days, filter, onFilter }: Props) {
  const { overview: messages, organization, siteStates } = useMessages('sites');
  const { checks } = useMessages('site-check');
  const counts = tally(rows);
  const findings = findingsTally(rows).slice(0, NAMED);
  const show = (state: SiteFilter['state']): void => onFilter({ ...filter, state: filter.state === state ? 'any' : state });
  const only = (check: CheckId): void => onFilter({ ...filter, check: filter.check === check ? 'any' : check });
  const said = counts.map(({ state, count }) => messages.tile({ state: siteStates[state], count }));
  return (
    <section className="rp-overview" aria-label={messages.label}>
      <div className="rp-overview-bar" role="img" aria-label={messages.bar({ parts: said })}>
        {counts.map(({ state, count }) => (
          <span key={state} className={`rp-badge-${STATE_TONES[state]}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <div className="rp-tiles" role="group" aria-label={organization.tally}>
        {counts.map(({ state, count }) => (
          <Tile
            key={state}
            tone={STATE_TONES[state]}
            count={count}
            label={siteStates[state]}
            isShown={filter.state === state}
            onPress={() => show(state)}
          />
        ))}
        {days.length > 0 && <Week days={days} />}
      </div>
      {findings.length > 0 && (
        <div className="rp-actions" role="group" aria-label={messages.findings}>
          <span className="rp-quiet" aria-hidden="true">
            {messages.findings}
          </span>
          {findings.map(({ check, count }) => (
            <button key={check} type="button" className="rp-chip" aria-pressed={filter.check === check} onClick={() => only(check)}>
              <span>{checks.titles[check]}</span> <span className="rp-chip-count">{count}</span>
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

/** Changes and code syncs of each day; the sentence below says the sum. */
function Week({ days }: { readonly days: OrgChecks['days'] }) {
  const { overview: messages } = useMessages('sites');
  const { locale } = useLocale();
  const dates = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const highest = Math.max(1, ...days.map(({ changes, syncs }) => changes + syncs));
  const sum = (of: (day: OrgChecks['days'][number]) => number): number => days.reduce((total, day) => total + of(day), 0);
  const said = messages.weekSaid({
    changes: sum(({ changes }) => changes),
    syncs: sum(({ syncs }) => syncs),
    failed: sum(({ failedSyncs }) => failedSyncs),
  });
  return (
    <div className="rp-week">
      <div
        className="rp-week-days"
        role="img"
        aria-label={days
          .map((day) =>
            messages.day({ day: dates.format(new Date(day.day)), changes: day.changes, syncs: day.syncs, failed: day.failedSyncs }),
          )
          .join('; ')}
      >
        {days.map((day) => (
          <span
            key={day.day}
            className="rp-week-day"
            title={messages.day({ day: dates.format(new Date(day.day)), changes: day.changes, syncs: day.syncs, failed: day.failedSyncs })}
          >
            <span className="rp-week-failed" style={{ height: `${(100 * day.failedSyncs) / highest}%` }} />
            <span className="rp-week-syncs" style={{ height: `${(100 * (day.syncs - day.failedSyncs)) / highest}%` }} />
            <span className="rp-week-changes" style={{ height: `${(100 * day.changes) / highest}%` }} />
          </span>
        ))}
      </div>
      <span className="rp-quiet">
        {messages.week}: {said}
      </span>
    </div>
  );
}
