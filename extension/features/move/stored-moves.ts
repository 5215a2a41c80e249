import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { MoveQuestion } from '@repoless/core/sites/plan-move.ts';
import { type MoveOptions, planMoves, type PlannedMoves, readEnds } from '@repoless/core/sites/plan-moves.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from '../../host/storage.ts';

/** The sites of a move and its environments: with what is read, all that a plan needs. */
export const MoveTarget = z.object({
  from: z.string(),
  to: z.string(),
  names: z.array(z.string()).min(1),
  paths: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Typed, because the new environment shows none. */
  account: z.exactOptional(z.string()),
  keepsAccount: z.boolean(),
});
export type MoveTarget = z.infer<typeof MoveTarget>;

const StoredMove = z.object({ target: MoveTarget, started: z.string() });
/** A move that was started and is not known to be complete. */
type StoredMove = z.infer<typeof StoredMove>;

/** Stores one unfinished move of an organization, so that it can be continued after the tab was closed. */
export interface StoredMoves {
  get(): StoredMove | undefined;
  store(move: StoredMove): void;
  remove(): void;
}

export function storedMoves(storage: Storage | undefined, service: string, organization: string): StoredMoves {
  const key = `repoless.move ${service} ${organization}`;
  return {
    get: () => readStored(storage, key, StoredMove),
    store: (move) => writeStored(storage, key, move),
    remove: () => storage?.removeItem(key),
  };
}

export function reversed({ from, to, paths }: MoveTarget, names: readonly string[]): MoveTarget {
  return { from: to, to: from, names: [...names], paths: paths.map((path) => ({ from: path.to, to: path.from })), keepsAccount: false };
}

/** Sites to be moved from an author, or a move that was started. */
export type Moving = Pick<MoveTarget, 'from' | 'names'> | MoveTarget;

/**
 * Selected sites move from the current environment or, if none is there, from that of the first one; sites in other environments stay, and
 * the plan says so.
 */
export function movingOf(sites: readonly OrganizationSite[], here: string): Moving {
  const authors = sites.flatMap(({ author }) => author ?? []);
  const from = authors.includes(here) ? here : (authors[0] ?? here);
  return { from, names: sites.map(({ name }) => name) };
}

export type MovePlan =
  | { readonly state: 'reading'; /** Number of sites. */ readonly read: number }
  | { readonly state: 'failed'; readonly failure: Failure }
  | ({ readonly state: 'ready'; readonly question: MoveQuestion } & PlannedMoves);

interface MoveContext {
  readonly portsFor: (author: string) => SetupPorts;
  readonly organization: string;
  readonly info: ServiceInfo;
}

/** Reads both environments and plans the move, whenever a new one is requested. */
export function useMovePlan(target: MoveTarget | undefined, context: MoveContext): MovePlan {
  const [answer, setAnswer] = useState<{ readonly target: MoveTarget; readonly plan: MovePlan }>();
  useEffect(() => {
    if (target === undefined) return undefined;
    const stopper = new AbortController();
    const answered = (plan: MovePlan): void => {
      if (!stopper.signal.aborted) setAnswer({ target, plan });
    };
    let halves = 0;
    const onHalf = (): void => answered({ state: 'reading', read: Math.floor(++halves / 2) });
    void planOf(target, context, { signal: stopper.signal, abandoned: stopper.signal, onHalf }).then(answered);
    return () => stopper.abort();
  }, [target, context]);
  return answer !== undefined && answer.target === target ? answer.plan : { state: 'reading', read: 0 };
}

async function planOf(
  target: MoveTarget,
  { portsFor, organization, info }: MoveContext,
  reading: Pick<MoveOptions, 'signal' | 'abandoned' | 'onHalf'>,
): Promise<MovePlan> {
  const [ports, old] = [portsFor(target.to), portsFor(target.from)];
  const listed = await ports.service.allSites(organization);
  if (listed.state !== 'known') return { state: 'failed', failure: failureOf(listed) };
  const { from, to, names, paths, account, keepsAccount } = target;
  const sites = listed.value;
  const chosen = names.flatMap((name) => sites.find((site) => site.name === name) ?? []);
  const both = { ports, oldAuthoring: old.authoring };
  const ends = await readEnds(both, { from, to, sites, paths }, { chosen, info });
  const question: MoveQuestion = { ...ends, sites, paths, keepsAccount, ...(account === undefined ? {} : { account }) };
  return { state: 'ready', question, ...(await planMoves(both, question, { organization, info, chosen, ...reading })) };
}
