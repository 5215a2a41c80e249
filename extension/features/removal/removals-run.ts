import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import type { FormerSite, PlannedRemoval } from '@repoless/core/sites/plan-removals.ts';
import type { LocaleSite } from '@repoless/core/sites/remove-site.ts';
import type { RemovalEnd } from '@repoless/core/sites/remove-sites.ts';
import type { RowProblem } from '@repoless/core/sites/rows.ts';

/** How far a site is, on its way out or back. */
export type Standing =
  RemovalEnd | { readonly state: 'waiting' | 'running' | 'restored' } | { readonly state: 'not-restored'; readonly problem: RowProblem };

export type Purpose = 'remove' | 'restore';

export type Removals =
  | { readonly state: 'reading'; readonly formers: readonly FormerSite[]; readonly read: number }
  | { readonly state: 'failed'; readonly formers: readonly FormerSite[]; readonly failure: Failure }
  /** `planned`: each by itself, as they were read. */
  | { readonly state: 'planned'; readonly sites: readonly SiteListEntry[]; readonly planned: readonly PlannedRemoval[] }
  | RemovalsRun;

export type RemovalsRun = {
  readonly purpose: Purpose;
  readonly formers: readonly FormerSite[];
  /** By the names of the sites, in their order. */
  readonly standings: ReadonlyMap<string, Standing>;
} & (
  | { readonly state: 'running'; readonly stopping: boolean }
  /** `removed`: those that can be restored. */
  | { readonly state: 'ended'; readonly removed: readonly LocaleSite[] }
);

export type RemovalsEvent =
  | { readonly type: 'read'; readonly formers: readonly FormerSite[] }
  | { readonly type: 'one-read' }
  | { readonly type: 'unread'; readonly failure: Failure }
  | { readonly type: 'planned'; readonly sites: readonly SiteListEntry[]; readonly planned: readonly PlannedRemoval[] }
  | { readonly type: 'begin'; readonly planned: readonly PlannedRemoval[] }
  | { readonly type: 'restore'; readonly removed: readonly LocaleSite[] }
  | { readonly type: 'standing'; readonly siteName: string; readonly standing: Standing }
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
      return { state: 'running', purpose: 'remove', stopping: false, formers, standings: waiting(formers) };
    }
    case 'restore': {
      if (removals.state !== 'ended') return removals;
      const names = new Set(event.removed.map(({ siteName }) => siteName));
      const formers = removals.formers.filter(({ siteName }) => names.has(siteName));
      return { state: 'running', purpose: 'restore', stopping: false, formers, standings: waiting(formers) };
    }
    case 'standing':
      if (removals.state !== 'running') return removals;
      return { ...removals, standings: new Map(removals.standings).set(event.siteName, event.standing) };
    case 'stopping':
      return removals.state === 'running' ? { ...removals, stopping: true } : removals;
    case 'ended': {
      if (removals.state !== 'running') return removals;
      const { purpose, formers, standings } = removals;
      return { state: 'ended', purpose, formers, standings, removed: event.removed };
    }
    default:
      return event satisfies never;
  }
}

/** How many of a run's sites are ended, and how many are as they were meant to be. */
export function countsOf({ purpose, standings }: Pick<RemovalsRun, 'purpose' | 'standings'>) {
  const all = [...standings.values()];
  const meant = purpose === 'remove' ? ['removed', 'gone'] : ['restored'];
  return {
    all: all.length,
    ended: all.filter(({ state }) => state !== 'waiting' && state !== 'running').length,
    done: all.filter(({ state }) => meant.includes(state)).length,
  };
}

function waiting(formers: readonly FormerSite[]): Map<string, Standing> {
  return new Map(formers.map(({ siteName }) => [siteName, { state: 'waiting' }]));
}
