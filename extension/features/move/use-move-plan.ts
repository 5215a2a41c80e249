import { useEffect, useState } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import type { MoveQuestion } from '@repoless/core/sites/plan-move.ts';
import { planMoves, readEnds } from '@repoless/core/sites/plan-moves.ts';
import type { PlannedMoves } from '@repoless/core/sites/plan-moves.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import type { MoveTarget } from './stored-moves.ts';

export type MovePlan =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | ({ readonly state: 'ready'; readonly question: MoveQuestion } & PlannedMoves);

interface Around {
  readonly portsFor: (author: string) => SetupPorts;
  readonly organization: string;
  readonly info: ServiceInfo;
}

/** Reads both environments and plans the move, whenever another one is asked for. */
export function useMovePlan(target: MoveTarget | undefined, around: Around): MovePlan {
  const [answer, setAnswer] = useState<{ readonly target: MoveTarget; readonly plan: MovePlan }>();
  useEffect(() => {
    if (target === undefined) return undefined;
    const stopper = new AbortController();
    void planOf(target, around, stopper.signal).then((plan) => {
      if (!stopper.signal.aborted) setAnswer({ target, plan });
    });
    return () => stopper.abort();
  }, [target, around]);
  return answer !== undefined && answer.target === target ? answer.plan : { state: 'reading' };
}

async function planOf(target: MoveTarget, { portsFor, organization, info }: Around, signal: AbortSignal): Promise<MovePlan> {
  const [ports, old] = [portsFor(target.to), portsFor(target.from)];
  const listed = await ports.service.allSites(organization);
  if (listed.state !== 'known') return { state: 'failed', failure: failureOf(listed) };
  const { from, to, names, paths, account, keepsAccount } = target;
  const sites = listed.value;
  const chosen = names.flatMap((name) => sites.find((site) => site.name === name) ?? []);
  const both = { ports, oldAuthoring: old.authoring };
  const ends = await readEnds(both, { from, to, sites, paths }, { chosen, info });
  const question: MoveQuestion = { ...ends, sites, paths, keepsAccount, ...(account === undefined ? {} : { account }) };
  return { state: 'ready', question, ...(await planMoves(both, question, { organization, info, chosen, signal })) };
}
