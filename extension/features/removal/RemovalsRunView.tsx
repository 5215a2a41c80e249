import type { SiteListEntry } from '@repoless/contract/site.ts';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import type { FormerSite, PlannedRemoval } from '@repoless/core/sites/plan-removals.ts';
import type { LocaleSite, RemovalEnd } from '@repoless/core/sites/remove-sites.ts';
import type { RowProblem } from '@repoless/core/sites/rows.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { TextButton } from '../../ui/TextButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PagedTable } from '../rows-run/PagedTable.tsx';
import { RunProgress } from '../rows-run/RunProgress.tsx';
import { blockSentence } from './RemovalReview.tsx';

type RemovalStatus =
  RemovalEnd | { readonly state: 'waiting' | 'running' | 'restored' } | { readonly state: 'not-restored'; readonly problem: RowProblem };

type Purpose = 'remove' | 'restore';

export type Removals =
  | { readonly state: 'reading'; readonly formers: readonly FormerSite[]; readonly read: number }
  | { readonly state: 'failed'; readonly formers: readonly FormerSite[]; readonly failure: Failure }
  /** `planned`: each by itself, as read. */
  | { readonly state: 'planned'; readonly sites: readonly SiteListEntry[]; readonly planned: readonly PlannedRemoval[] }
  | RemovalsRun;

type RemovalsRun = {
  readonly purpose: Purpose;
  readonly formers: readonly FormerSite[];
  /** By site name, in order. */
  readonly statuses: ReadonlyMap<string, RemovalStatus>;
} & (
  | { readonly state: 'running'; readonly stopping: boolean }
  /** `removed`: those that can be restored. */
  | { readonly state: 'ended'; readonly removed: readonly LocaleSite[] }
);

type RemovalsEvent =
  | { readonly type: 'read'; readonly formers: readonly FormerSite[] }
  | { readonly type: 'one-read' }
  | { readonly type: 'unread'; readonly failure: Failure }
  | { readonly type: 'planned'; readonly sites: readonly SiteListEntry[]; readonly planned: readonly PlannedRemoval[] }
  | { readonly type: 'begin'; readonly planned: readonly PlannedRemoval[] }
  | { readonly type: 'restore'; readonly removed: readonly LocaleSite[] }
  | { readonly type: 'status'; readonly siteName: string; readonly status: RemovalStatus }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly removed: readonly LocaleSite[] };

export function reduceRemovals(removals: Removals, event: RemovalsEvent): Removals {
  switch (event.type) {
    case 'read':
      return { state: 'reading', formers: event.formers, read: 0 };
    case 'one-read':
      return removals.state === 'reading' ? { ...removals, read: removals.read + 1 } : removals;
    case 'unread':
      return removals.state === 'reading' ? { state: 'failed', formers: removals.formers, failure: event.failure } : removals;
    case 'planned':
      return { state: 'planned', sites: event.sites, planned: event.planned };
    case 'begin': {
      const formers = event.planned.map(({ former }) => former);
      return { state: 'running', purpose: 'remove', stopping: false, formers, statuses: waiting(formers) };
    }
    case 'restore': {
      if (removals.state !== 'ended') return removals;
      const names = new Set(event.removed.map(({ siteName }) => siteName));
      const formers = removals.formers.filter(({ siteName }) => names.has(siteName));
      return { state: 'running', purpose: 'restore', stopping: false, formers, statuses: waiting(formers) };
    }
    case 'status':
      if (removals.state !== 'running') return removals;
      return { ...removals, statuses: new Map(removals.statuses).set(event.siteName, event.status) };
    case 'stopping':
      return removals.state === 'running' ? { ...removals, stopping: true } : removals;
    case 'ended': {
      if (removals.state !== 'running') return removals;
      const { purpose, formers, statuses } = removals;
      return { state: 'ended', purpose, formers, statuses, removed: event.removed };
    }
    default:
      return event satisfies never;
  }
}

/** The number of a run's sites that are finished, and that ended as intended. */
function countsOf({ purpose, statuses }: Pick<RemovalsRun, 'purpose' | 'statuses'>) {
  const all = [...statuses.values()];
  const goal = purpose === 'remove' ? ['removed', 'gone'] : ['restored'];
  return {
    all: all.length,
    ended: all.filter(({ state }) => state !== 'waiting' && state !== 'running').length,
    done: all.filter(({ state }) => goal.includes(state)).length,
  };
}

function waiting(formers: readonly FormerSite[]): Map<string, RemovalStatus> {
  return new Map(formers.map(({ siteName }) => [siteName, { state: 'waiting' }]));
}

interface Props {
  readonly run: RemovalsRun;
  readonly onStop: () => void;
  readonly onRetry: (formers: readonly FormerSite[]) => void;
  readonly onRestore: (removed: readonly LocaleSite[]) => void;
  readonly onBack: () => void;
}

const TONES = {
  waiting: 'neutral',
  running: 'info',
  removed: 'positive',
  gone: 'positive',
  restored: 'positive',
  stopped: 'yellow',
  blocked: 'yellow',
  failed: 'negative',
  'not-restored': 'negative',
} as const;
/** What needs attention is shown first after the end. */
const FIRST: ReadonlySet<RemovalStatus['state']> = new Set(['failed', 'not-restored', 'blocked', 'stopped']);

export function RemovalsRunView({ run, onStop, onRetry, onRestore, onBack }: Props) {
  const { removals } = useMessages('sites');
  const statusOf = ({ siteName }: FormerSite): RemovalStatus => run.statuses.get(siteName) ?? { state: 'waiting' };
  const counts = countsOf(run);
  const isFirst = (former: FormerSite): number => (FIRST.has(statusOf(former).state) ? 0 : 1);
  const ordered = run.state === 'running' ? run.formers : run.formers.toSorted((one, other) => isFirst(one) - isFirst(other));
  return (
    <>
      {run.state === 'running' ? (
        <RunProgress
          label={removals.progress[run.purpose]}
          done={counts.ended}
          of={counts.all}
          count={removals.done({ ended: counts.ended, all: counts.all })}
          text={run.stopping ? removals.stopping : ''}
          stop={removals.stop}
          isStopping={run.stopping}
          run={run.formers}
          onStop={onStop}
        />
      ) : (
        <Ended run={run} onRetry={onRetry} onRestore={onRestore} onBack={onBack} />
      )}
      <PagedTable
        label={removals.label}
        kind="results"
        columns={[{ title: removals.columns.site, width: 'site' }, { title: removals.columns.state, width: 'state' }, {}]}
        rows={ordered}
      >
        {(former) => (
          <tr key={former.siteName}>
            <th scope="row">
              <span className="rp-strong">{former.siteName}</span>
              <span className="rp-quiet">{former.contentRoot ?? ''}</span>
            </th>
            <td>
              <Badge tone={TONES[statusOf(former).state]} text={removals.states[statusOf(former).state]} />
            </td>
            <td>
              <Why status={statusOf(former)} />
            </td>
          </tr>
        )}
      </PagedTable>
    </>
  );
}

type EndedProps = Omit<Props, 'run' | 'onStop'> & { readonly run: Extract<RemovalsRun, { state: 'ended' }> };

function Ended({ run, onRetry, onRestore, onBack }: EndedProps) {
  const { removals } = useMessages('sites');
  const { all, done } = countsOf(run);
  const focus = useFocusOnArrival<HTMLDivElement>(run);
  const isComplete = done === all;
  const left = run.formers.filter(({ siteName }) => !REACHED.has(run.statuses.get(siteName)?.state ?? 'waiting'));
  return (
    <Notice
      tone={isComplete ? 'positive' : 'negative'}
      icon={isComplete ? CheckmarkCircle : undefined}
      role={isComplete ? 'status' : 'alert'}
      title={removals.ended[run.purpose]({ many: done, left: all - done })}
      focus={focus}
      actions={
        <>
          {run.purpose === 'remove' && left.length > 0 && (
            <TextButton variant="accent" onPress={() => onRetry(left)} text={removals.again({ many: left.length })} />
          )}
          {run.removed.length > 0 && (
            <TextButton onPress={() => onRestore(run.removed)} text={removals.restore({ many: run.removed.length })} />
          )}
          <TextButton variant={isComplete ? 'accent' : 'secondary'} onPress={onBack} text={removals.back} />
        </>
      }
    />
  );
}

const REACHED: ReadonlySet<RemovalStatus['state']> = new Set(['removed', 'gone', 'restored']);

function Why({ status }: { readonly status: RemovalStatus }) {
  const messages = useMessages('sites');
  if (status.state === 'blocked') return <span className="rp-row-error">{blockSentence(messages, status.block)}</span>;
  if (status.state !== 'failed' && status.state !== 'not-restored') return null;
  const { sentence, next } = explainRow(messages, status.problem);
  return (
    <>
      <span className="rp-row-error">{sentence}</span>
      {next !== undefined && <span className="rp-quiet">{next}</span>}
    </>
  );
}
