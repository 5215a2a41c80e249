import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useLocale } from '@adobe/react-spectrum/Provider';
import type { CheckId, OrgChecks } from '@repoless/contract/site-check.ts';
import { STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { failureOf, isUncertain } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { useState } from 'react';
import { Tile } from '../../ui/Badge.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
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
  const syncing = rows.filter(({ kept }) => kept?.isSyncing === true).length;
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
        {syncing > 0 && (
          <Tile tone="info" count={syncing} label={messages.syncing} isShown={filter.state === 'syncing'} onPress={() => show('syncing')} />
        )}
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

type Phase =
  | { readonly state: 'none' | 'starting' | 'begun' }
  | { readonly state: 'refused'; readonly failure: Failure }
  /** It may have begun. */
  | { readonly state: 'lost'; readonly failure: Failure };

/** The service's own check of all sites: begun, followed, and what it does not keep said. */
export function CheckAll({ kept }: { readonly kept: StoredStates }) {
  const messages = useMessages('sites');
  const { overview } = messages;
  const [phase, setPhase] = useState<Phase>({ state: 'none' });
  const { reading } = kept;
  if (reading.state === 'loading') return null;
  if (reading.state === 'missing') {
    return (
      <p className="rp-quiet">
        {overview.unkept.sentence} {overview.unkept.next}
      </p>
    );
  }
  if (reading.state === 'failed') return <Explanation title={overview.failed} explained={explainFailure(messages, reading.failure)} />;
  const { running } = reading.value;
  if (phase.state === 'lost' && running !== undefined) setPhase({ state: 'begun' });
  // A reading that failed does not say that a check has ended.
  const isDone = phase.state === 'begun' && reading.failure === undefined;
  const start = async (): Promise<void> => {
    setPhase({ state: 'starting' });
    const begun = await kept.start();
    if (begun.state === 'known') setPhase({ state: 'begun' });
    else setPhase(notBegun(failureOf(begun)));
  };
  return (
    <div className="rp-actions">
      <ActionButton isDisabled={running !== undefined || phase.state === 'starting'} onPress={() => void start()}>
        {overview.check.all}
      </ActionButton>
      <span className="rp-quiet" role="status">
        {running !== undefined ? overview.check.running({ done: running.done, total: running.total }) : isDone ? overview.check.done : ''}
      </span>
      {(phase.state === 'refused' || phase.state === 'lost') && (
        <Explanation
          title={phase.state === 'lost' ? overview.check.lost : overview.check.refused}
          explained={explainFailure(messages, phase.failure)}
        />
      )}
    </div>
  );
}

function notBegun(failure: Failure): Phase {
  return { state: isUncertain(failure) ? 'lost' : 'refused', failure };
}
