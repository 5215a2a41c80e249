import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { Call } from '../plan/plan.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { dependentsOf } from './dependents-of.ts';
import type { FormerSite, PlannedRemoval, RemovalBlock } from './plan-removals.ts';
import { removeLocaleSite } from './remove-site.ts';
import { endOfRun } from './row-problem.ts';
import type { RowProblem } from './rows.ts';

/** What became of a site that was to be removed. `stopped`: it is there as it was. */
export type RemovalEnd =
  | { readonly state: 'removed' | 'gone' | 'stopped' }
  | { readonly state: 'blocked'; readonly block: RemovalBlock }
  | { readonly state: 'failed'; readonly problem: RowProblem };

export interface RemovedOne {
  readonly former: FormerSite;
  readonly end: RemovalEnd;
  /** Those that were made, reads left out. */
  readonly calls: readonly Call[];
}

export interface Removing {
  readonly organization: string;
  /** All sites of the organization, as they were when the removals were planned. */
  readonly sites: readonly SiteListEntry[];
  /** The current site is finished, the others stay. */
  readonly signal: AbortSignal;
  ports(author: string): SetupPorts;
  /** Told as each site is begun. */
  onBegin?(former: FormerSite): void;
  /** Told as each site is ended. */
  onEnd?(removed: RemovedOne): void;
}

/**
 * Removes planned sites one after the other, in the order of the plan. A site that others depend on stays as long as one of them
 * does. What is gone already is passed over, so that a run that was cut short is gone on with. Once the caller's
 * sign-in is not accepted any more, the others stay. Nothing throws.
 */
export async function removeSites(removing: Removing, planned: readonly PlannedRemoval[]): Promise<RemovedOne[]> {
  const dependents = dependentsOf(removing.sites);
  const staying = new Set(removing.sites.map(({ name }) => name));
  const all: RemovedOne[] = [];
  let isOver = false;
  for (const removal of planned) {
    const { siteName } = removal.former;
    removing.onBegin?.(removal.former);
    const removed: RemovedOne =
      isOver && removal.state === 'ready' ? leftAlone(removal) : await removeOne(removing, removal, dependents(siteName, staying));
    isOver ||= removed.end.state === 'failed' && endOfRun(removed.end.problem) === 'signed-out';
    if (removed.end.state === 'removed' || removed.end.state === 'gone') staying.delete(siteName);
    removing.onEnd?.(removed);
    all.push(removed);
  }
  return all;
}

function leftAlone({ former }: PlannedRemoval): RemovedOne {
  return { former, end: { state: 'stopped' }, calls: [] };
}

/** In: `dependents`, why it cannot go by now; a site that it carries may not have been removed after all. */
async function removeOne(removing: Removing, removal: PlannedRemoval, dependents: RemovalBlock | undefined): Promise<RemovedOne> {
  const { former } = removal;
  if (removal.state === 'gone') return { former, end: { state: 'gone' }, calls: [] };
  if (removal.state === 'blocked') return { former, end: { state: 'blocked', block: removal.block }, calls: [] };
  if (dependents !== undefined) return { former, end: { state: 'blocked', block: dependents }, calls: [] };
  const { organization, signal, ports } = removing;
  const { siteName, author } = former;
  const inherits = removal.page?.kind === 'inherits' ? { page: removal.page.page } : {};
  const site = { organization, siteName, author, etag: removal.etag, ...inherits };
  const moved = await removeLocaleSite(ports(author), site, { signal, onStep: () => undefined });
  const { calls } = moved;
  if (moved.outcome === 'failed') return { former, end: { state: 'failed', problem: moved.problem }, calls };
  return { former, end: { state: moved.outcome === 'done' ? 'removed' : 'stopped' }, calls };
}
