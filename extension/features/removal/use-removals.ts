import { useEffect, useReducer, useRef } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { RemovalPort, SetupPorts } from '@repoless/core/plan/ports.ts';
import { NOT_FOUND } from '@repoless/core/run/failure-of.ts';
import { readRemovals } from '@repoless/core/sites/plan-removals.ts';
import type { FormerSite, PlannedRemoval } from '@repoless/core/sites/plan-removals.ts';
import { restoreLocaleSite } from '@repoless/core/sites/remove-site.ts';
import type { LocaleSite } from '@repoless/core/sites/remove-site.ts';
import { endOfRun } from '@repoless/core/sites/row-problem.ts';
import { removeSites } from '@repoless/core/sites/remove-sites.ts';
import type { RemovedOne } from '@repoless/core/sites/remove-sites.ts';
import { useActiveRun } from '../leaving/use-active-run.ts';
import { reduceRemovals } from './removals-run.ts';
import type { Removals } from './removals-run.ts';

export interface RemovalsContext {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly removal: RemovalPort;
  /** Of the environment at hand. */
  readonly home: SetupPorts;
  readonly portsFor: (author: string) => SetupPorts;
}

export interface RemovalsRunner {
  readonly removals: Removals;
  plan(formers: readonly FormerSite[]): Promise<void>;
  /** Out: those that are removed, so that they can be restored. */
  remove(planned: readonly PlannedRemoval[]): Promise<readonly LocaleSite[]>;
  /** Out: the names of those that are back. */
  restore(removed: readonly LocaleSite[]): Promise<readonly string[]>;
  stop(): void;
}

/** Plans the removal of many sites, carries it out one site after the other, and brings them back. Stops when the view goes away. */
export function useRemovals(
  first: readonly FormerSite[],
  { organization, info, removal, home, portsFor }: RemovalsContext,
): RemovalsRunner {
  const [removals, dispatch] = useReducer(reduceRemovals, { state: 'reading', formers: first, read: 0 });
  useActiveRun(removals.state === 'running', 'view');
  const stopper = useRef<AbortController>(null);
  /** What the pages selected when they were first read, by the names of the sites: a removal that failed may have left one without. */
  const selected = useRef(new Map<string, string>());
  useEffect(() => () => stopper.current?.abort(), []);
  const begin = (): AbortSignal => {
    stopper.current?.abort();
    stopper.current = new AbortController();
    return stopper.current.signal;
  };
  return {
    removals,
    async plan(formers) {
      const signal = begin();
      dispatch({ type: 'read', formers });
      const listed = await home.service.allSites(organization);
      if (signal.aborted) return;
      if (listed.state !== 'known') {
        dispatch({ type: 'unread', failure: listed.state === 'failed' ? listed.failure : NOT_FOUND });
        return;
      }
      const reading = { organization, info, reach: 'both', inheriting: 'any', sites: listed.value, removal, signal } as const;
      const read = await readRemovals({ ...reading, ports: portsFor, onRead: () => dispatch({ type: 'one-read' }) }, formers);
      if (signal.aborted) return;
      dispatch({ type: 'planned', sites: listed.value, planned: read.map((removal) => withSelected(removal, selected.current)) });
    },
    async remove(planned) {
      if (removals.state !== 'planned') return [];
      const signal = begin();
      dispatch({ type: 'begin', planned });
      const told = {
        onBegin: ({ siteName }: FormerSite) => dispatch({ type: 'standing', siteName, standing: { state: 'running' } }),
        onEnd: ({ former, end }: RemovedOne) => dispatch({ type: 'standing', siteName: former.siteName, standing: end }),
      };
      const all = await removeSites({ organization, sites: removals.sites, signal, ports: portsFor, ...told }, planned);
      const removed = all.flatMap(({ former, end }) => (end.state === 'removed' ? [comesBackTo(organization, former, planned)] : []));
      dispatch({ type: 'ended', removed });
      return removed;
    },
    async restore(removed) {
      const signal = begin();
      dispatch({ type: 'restore', removed });
      const back: string[] = [];
      let isOver = false;
      for (const site of removed) {
        const { siteName } = site;
        if (isOver) {
          dispatch({ type: 'standing', siteName, standing: { state: 'removed' } });
          continue;
        }
        dispatch({ type: 'standing', siteName, standing: { state: 'running' } });
        const moved = await restoreLocaleSite(portsFor(site.author), site, { signal, onStep: () => undefined });
        if (moved.outcome === 'done') back.push(siteName);
        isOver ||= moved.outcome === 'failed' && endOfRun(moved.problem) === 'signed-out';
        const standing =
          moved.outcome === 'failed'
            ? ({ state: 'not-restored', problem: moved.problem } as const)
            : ({ state: moved.outcome === 'done' ? 'restored' : 'removed' } as const);
        dispatch({ type: 'standing', siteName, standing });
      }
      dispatch({ type: 'ended', removed: removed.filter(({ siteName }) => !back.includes(siteName)) });
      return back;
    },
    stop() {
      stopper.current?.abort();
      dispatch({ type: 'stopping' });
    },
  };
}

/** The removal with what its page selected at first, where that selects nothing any more. */
function withSelected(removal: PlannedRemoval, selected: Map<string, string>): PlannedRemoval {
  const { siteName } = removal.former;
  if (removal.state !== 'ready' || removal.page?.kind !== 'inherits') return removal;
  const { page } = removal;
  if (page.cloudConfiguration !== undefined) selected.set(siteName, page.cloudConfiguration);
  const cloudConfiguration = selected.get(siteName);
  return cloudConfiguration === undefined ? removal : { ...removal, page: { ...page, cloudConfiguration } };
}

/** What a removed site needs to be as it was: its page's own configuration where the removal took that away. */
function comesBackTo(organization: string, { siteName, author }: FormerSite, planned: readonly PlannedRemoval[]): LocaleSite {
  const found = planned.find(({ former }) => former.siteName === siteName);
  const page = found?.state === 'ready' && found.page?.kind === 'inherits' ? found.page : undefined;
  if (page === undefined) return { organization, siteName, author };
  const { page: path, cloudConfiguration } = page;
  return { organization, siteName, author, page: path, ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }) };
}
