import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { RemovalPort, SetupPorts } from '@repoless/core/situation/ports.ts';
import { failureOf } from '@repoless/core/situation/call.ts';
import { type FormerSite, inOrder, type PlannedRemoval, readRemovals } from '@repoless/core/sites/plan-removals.ts';
import { type LocaleSite, type RemovedOne, removeSites, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { endOfRun } from '@repoless/core/sites/row-problems.ts';
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useStopper } from '../../ui/use-reading.ts';
import { useActiveRun } from '../../ui/use-guarded.ts';
import { ReadingProgress } from '../rows-run/RunProgress.tsx';
import { RemovalReview } from './RemovalReview.tsx';
import { reduceRemovals, RemovalsRunView } from './RemovalsRunView.tsx';

interface RemovalsContext {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly removal: RemovalPort;
  readonly home: { readonly ports: SetupPorts; readonly author: string };
  readonly portsFor: (author: string) => SetupPorts;
}

export interface RemoveProps extends RemovalsContext {
  readonly formers: readonly FormerSite[];
  readonly onRemoved: (removed: readonly LocaleSite[]) => void;
  readonly onRestored: (restored: readonly LocaleSite[]) => void;
  readonly onClose: () => void;
}

export function RemoveSites({ formers, onRemoved, onRestored, onClose, ...context }: RemoveProps) {
  const messages = useMessages('sites');
  const { removals: texts } = messages;
  const runner = useRemovals(formers, context);
  const { removals } = runner;
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const start = useEffectEvent(() => void runner.plan(formers));
  useEffect(() => start(), []);
  const remove = async (planned: readonly PlannedRemoval[]): Promise<void> => onRemoved(await runner.remove(planned));
  const restore = async (removed: readonly LocaleSite[]): Promise<void> => onRestored(await runner.restore(removed));
  switch (removals.state) {
    case 'reading':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.formers.length })}>
          <ReadingProgress
            text={texts.reading({ read: removals.read, all: removals.formers.length })}
            read={removals.read}
            all={removals.formers.length}
            onCancel={onClose}
          />
        </section>
      );
    case 'failed':
      return (
        <FailureNotice title={texts.failed} failure={removals.failure}>
          <TextButton onPress={() => void runner.plan(removals.formers)} text={messages.general.retry} />
          <TextButton onPress={onClose} text={texts.back} />
        </FailureNotice>
      );
    case 'planned':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.planned.length })}>
          <RemovalReview
            planned={inOrder(
              removals.sites,
              removals.planned.filter(({ former }) => !leftOut.has(former.siteName)),
            )}
            onRemove={(planned) => void remove(planned)}
            onLeaveOut={(siteName) => setLeftOut(new Set([...leftOut, siteName]))}
            onBack={onClose}
          />
        </section>
      );
    case 'running':
    case 'ended':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.formers.length })}>
          <RemovalsRunView
            run={removals}
            onStop={runner.stop}
            onRetry={(left) => void runner.plan(left)}
            onRestore={(removed) => void restore(removed)}
            onBack={onClose}
          />
        </section>
      );
    default:
      return removals satisfies never;
  }
}

/** Plans the removal of many sites, removes one after the other, and restores them. Stops when the view unmounts. */
function useRemovals(first: readonly FormerSite[], { organization, info, removal, home, portsFor }: RemovalsContext) {
  const [removals, dispatch] = useReducer(reduceRemovals, { state: 'reading', formers: first, read: 0 });
  useActiveRun(removals.state === 'running', 'view');
  const stopper = useStopper();
  /** What the pages selected when they were first read, by site name: a failed removal may have left one without a configuration. */
  const selected = useRef(new Map<string, string>());
  return {
    removals,
    async plan(formers: readonly FormerSite[]): Promise<void> {
      const signal = stopper.start();
      dispatch({ type: 'read', formers });
      const listed = await home.ports.service.allSites(organization);
      if (signal.aborted) return;
      if (listed.state !== 'known') return dispatch({ type: 'unread', failure: failureOf(listed) });
      const scope = { organization, info, sites: listed.value, reach: 'both', inheriting: 'any' } as const;
      const onRead = (): void => dispatch({ type: 'one-read' });
      const read = await readRemovals({ ...scope, removal, ports: portsFor, signal, abandoned: signal, onRead }, formers);
      if (signal.aborted) return;
      dispatch({ type: 'planned', sites: listed.value, planned: read.map((removal) => withSelected(removal, selected.current)) });
    },
    /** Returns the removed sites, for restoring them. */
    async remove(planned: readonly PlannedRemoval[]): Promise<readonly LocaleSite[]> {
      if (removals.state !== 'planned') return [];
      const signal = stopper.start();
      dispatch({ type: 'begin', planned });
      const callbacks = {
        onStart: ({ siteName }: FormerSite) => dispatch({ type: 'status', siteName, status: { state: 'running' } }),
        onEnd: ({ former, end }: RemovedOne) => dispatch({ type: 'status', siteName: former.siteName, status: end }),
      };
      const all = await removeSites({ organization, sites: removals.sites, signal, ports: portsFor, ...callbacks }, planned);
      const removed = all.flatMap(({ former, end }) => (end.state === 'removed' ? [comesBackTo(organization, former, planned)] : []));
      dispatch({ type: 'ended', removed });
      return removed;
    },
    async restore(removed: readonly LocaleSite[]): Promise<readonly LocaleSite[]> {
      const signal = stopper.start();
      dispatch({ type: 'restore', removed });
      const back: LocaleSite[] = [];
      let hasEnded = false;
      for (const site of removed) {
        const { siteName } = site;
        if (hasEnded) {
          dispatch({ type: 'status', siteName, status: { state: 'removed' } });
          continue;
        }
        dispatch({ type: 'status', siteName, status: { state: 'running' } });
        const moved = await restoreLocaleSite(portsFor(site.author), site, { signal, onStep: () => undefined });
        if (moved.outcome === 'done') back.push(site);
        hasEnded ||= moved.outcome === 'failed' && endOfRun(moved.problem) === 'signed-out';
        const status =
          moved.outcome === 'failed'
            ? ({ state: 'not-restored', problem: moved.problem } as const)
            : ({ state: moved.outcome === 'done' ? 'restored' : 'removed' } as const);
        dispatch({ type: 'status', siteName, status });
      }
      dispatch({ type: 'ended', removed: removed.filter((site) => !back.includes(site)) });
      return back;
    },
    stop(): void {
      stopper.stop();
      dispatch({ type: 'stopping' });
    },
  };
}

/** The removal with its page's original selection, if the page no longer selects anything. */
function withSelected(removal: PlannedRemoval, selected: Map<string, string>): PlannedRemoval {
  const { siteName } = removal.former;
  if (removal.state !== 'ready' || removal.page?.kind !== 'inherits') return removal;
  const { page } = removal;
  if (page.cloudConfiguration !== undefined) selected.set(siteName, page.cloudConfiguration);
  const cloudConfiguration = selected.get(siteName);
  return cloudConfiguration === undefined ? removal : { ...removal, page: { ...page, cloudConfiguration } };
}

/** What restoring a removed site requires: its page's own configuration, if the removal cleared it. */
function comesBackTo(organization: string, { siteName, author }: FormerSite, planned: readonly PlannedRemoval[]): LocaleSite {
  const found = planned.find(({ former }) => former.siteName === siteName);
  const page = found?.state === 'ready' && found.page?.kind === 'inherits' ? found.page : undefined;
  if (page === undefined) return { organization, siteName, author };
  const { page: path, cloudConfiguration } = page;
  return { organization, siteName, author, page: path, ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }) };
}
