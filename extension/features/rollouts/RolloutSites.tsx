import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { type Rollout, ROLLOUT_SITE_STATES, type RolloutSite, type RolloutSiteState } from '@repoless/contract/rollout.ts';
import { isInProgress, type RolloutSiteFilter, type RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { problemText } from '@repoless/core/messages/explain-failure.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Badge, type BadgeTone, Tile } from '../../ui/Badge.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { type Reading, useReading } from '../../ui/use-reading.ts';
import { withLabels } from './field-labels.ts';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly rollout: Rollout;
}

const TONES: Readonly<Record<RolloutSiteState, BadgeTone>> = {
  waiting: 'neutral',
  staged: 'info',
  changed: 'positive',
  unchanged: 'neutral',
  refused: 'negative',
  undone: 'info',
  kept: 'notice',
};

export function RolloutSites({ port, organization, rollout }: Props) {
  const { list, siteStates } = useMessages('rollouts').rollouts;
  // What an undo left alone comes first, with who changed it.
  const [chosen, setSelected] = useState<RolloutSiteFilter | 'any'>();
  const selected = chosen ?? (rollout.state === 'undone' ? 'kept' : undefined);
  const tiles: { which?: RolloutSiteFilter; tone?: BadgeTone; label: string; count: number }[] = [
    { label: list.any, count: rollout.total },
    ...ROLLOUT_SITE_STATES.map((which) => ({ which, tone: TONES[which], label: siteStates[which], count: rollout.sites[which] ?? 0 })),
    { which: 'stuck', tone: 'negative', label: list.stuck, count: rollout.stuck ?? 0 },
    { which: 'worse', tone: 'negative', label: list.gotWorse, count: rollout.worse },
  ];
  // A state without sites shows nothing.
  const { which: shown } = tiles.find(({ which, count }) => which === selected && count > 0) ?? {};
  return (
    <section className="rp-stack-tight" aria-label={list.label}>
      <div className="rp-tiles" role="group" aria-label={list.filter}>
        {tiles.map(({ which, tone, label, count }) =>
          which !== undefined && count === 0 ? null : (
            <Tile
              key={which ?? 'any'}
              tone={tone}
              label={label}
              count={count}
              isShown={shown === which}
              onPress={() => setSelected(shown === which ? 'any' : (which ?? 'any'))}
            />
          ),
        )}
      </div>
      <Listed key={shown ?? 'any'} port={port} organization={organization} rollout={rollout} which={shown} />
    </section>
  );
}

function Listed({ port, organization, rollout, which }: Props & { readonly which: RolloutSiteFilter | undefined }) {
  const messages = useMessages('rollouts');
  const { list } = messages.rollouts;
  const shown = useRef<HTMLUListElement>(null);
  const more = (): void => {
    readMore();
    // The button disappears with the last page.
    shown.current?.focus({ preventScroll: true });
  };
  const stamp = JSON.stringify([rollout.sites, rollout.worse, rollout.stuck, rollout.state]);
  const { reading, readMore, reload } = useRolloutSites(port, {
    organization,
    rollout: rollout.id,
    which,
    stamp,
    isRunning: isInProgress(rollout),
  });
  if (reading.state !== 'ready') {
    return <Unread reading={reading} loading={list.reading} missing={messages.rollouts.missingOne} onRetry={reload} />;
  }
  const { sites, isMore } = reading.value;
  return (
    <>
      {reading.failure !== undefined && <FailureNotice title={list.failed} failure={reading.failure} />}
      {sites.length === 0 ? (
        <p className="rp-empty">{list.none}</p>
      ) : (
        <ul className="rp-plain-list rp-growing" aria-label={list.label} tabIndex={-1} ref={shown}>
          {sites.map((site) => (
            <SiteLine key={site.name} site={site} />
          ))}
        </ul>
      )}
      {isMore && (
        <div className="rp-actions">
          <ActionButton onPress={more}>{list.more}</ActionButton>
        </div>
      )}
    </>
  );
}

function SiteLine({ site: { name, wave, state, from, to, stuck, worse = [], detail, ...problem } }: { readonly site: RolloutSite }) {
  const messages = useMessages('rollouts');
  const { list, siteStates } = messages.rollouts;
  const { checks } = useMessages('site-check');
  return (
    <li className="rp-rollout-site">
      <div className="rp-section-head">
        <span className="rp-strong rp-value">{name}</span>
        <Badge tone={TONES[state]} text={siteStates[state]} />
        {stuck === true && <Badge tone="negative" text={list.stuck} />}
      </div>
      {detail !== undefined && (
        <span className="rp-value">{problemText(messages, withLabels(messages.rollouts, { ...problem, detail }))}</span>
      )}
      {worse.length > 0 && <span className="rp-value">{list.worse({ checks: worse.map((check) => checks.titles[check]) })}</span>}
      <span className="rp-quiet">
        {list.inWave({ wave })}
        {from !== undefined && to !== undefined && ` · ${list.versions({ from, to })}`}
      </span>
    </li>
  );
}

interface RolloutSitesQuery {
  readonly organization: string;
  readonly rollout: string;
  /** All if absent. */
  readonly which: RolloutSiteFilter | undefined;
  /** Changes when the results of sites do, so that they are read again. */
  readonly stamp: string;
  /** Sites change constantly during a rollout: if several pages are shown, they are read again at its end. */
  readonly isRunning: boolean;
}

interface ReadSites {
  readonly sites: readonly RolloutSite[];
  readonly isMore: boolean;
}

interface ReadRolloutSites {
  readonly reading: Reading<ReadSites>;
  readMore(): void;
  reload(): void;
}

/** The sites of a rollout, with as many pages as requested. */
function useRolloutSites(port: RolloutsPort, { organization, rollout, which, stamp, isRunning }: RolloutSitesQuery): ReadRolloutSites {
  const [pages, setPages] = useState(1);
  const read = useCallback(async (): Promise<Known<ReadSites>> => {
    const sites: RolloutSite[] = [];
    let after: string | undefined;
    for (let page = 0; page < pages; page++) {
      const answer = await port.sites(organization, rollout, which, after);
      if (answer.state !== 'known') return answer;
      sites.push(...answer.value.sites);
      after = answer.value.next;
      if (after === undefined) break;
    }
    return { state: 'known', value: { sites, isMore: after !== undefined } };
  }, [port, organization, rollout, which, pages]);
  const [reading, reload, reread] = useReading(read);
  const seen = useRef(stamp);
  useEffect(() => {
    if (seen.current === stamp || (isRunning && pages > 1)) return;
    seen.current = stamp;
    void reread();
  }, [stamp, isRunning, pages, reread]);
  return { reading, readMore: () => setPages(pages + 1), reload };
}
