import type { Endpoint } from '#contract/endpoint.ts';
import type { DryRun } from '#contract/history.ts';
import type { Context } from '#backend/domain/context.ts';
import type { Input, Outcome, Result } from '#backend/domain/operation.ts';

/** An answer as HTTP has it. */
export interface Reply extends Omit<Outcome, 'result' | 'trial'> {
  readonly status: number;
}

/** A call that is about HTTP itself: signing in, what another program answered, the state of the service. */
export type HttpOperation<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Reply>;

const STATUSES = { done: 200, created: 201, accepted: 202, removed: 204 } as const satisfies Record<Result, number>;

/** What the domain answered, with its status; what is a reply already stays as it is. */
export function replyOf(outcome: Outcome | Reply): Reply {
  if ('status' in outcome) return outcome;
  const { result, trial, ...rest } = outcome;
  const status = STATUSES[result];
  if (trial === undefined) return { ...rest, status };
  const { diff, warnings } = trial;
  const body: DryRun = {
    dryRun: true,
    status: STATUSES[trial.result],
    result: trial.body,
    diff,
    ...(warnings && { warnings: [...warnings] }),
  };
  return { ...rest, status, body };
}
