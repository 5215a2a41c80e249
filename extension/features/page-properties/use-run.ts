import type { Edits } from '@repoless/core/plan/choices.ts';
import type { Plan, RunResult } from '@repoless/core/plan/plan.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { runPlan } from '@repoless/core/run/run-plan.ts';
import { useEffect, useReducer, useRef } from 'react';
import { IDLE, reduceRun, type Run } from './run-state.ts';

export interface Runner {
  readonly run: Run;
  start(plan: Plan, edits: Edits): Promise<RunResult>;
  stop(): void;
  dismiss(): void;
}

/** Runs a plan, one at a time, and reports its progress. Stops when the view unmounts. */
export function useRun(ports: SetupPorts, page: string): Runner {
  const [run, dispatch] = useReducer(reduceRun, IDLE);
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  return {
    run,
    start: async (plan, edits) => {
      const controller = new AbortController();
      stopper.current = controller;
      dispatch({ type: 'start', plan });
      const result = await runPlan(ports, page, plan, edits, {
        signal: controller.signal,
        onProgress: (progress) => dispatch({ type: 'progress', progress }),
      });
      dispatch({ type: 'ended', result });
      return result;
    },
    stop: () => {
      stopper.current?.abort();
      dispatch({ type: 'stopping' });
    },
    dismiss: () => dispatch({ type: 'dismiss' }),
  };
}
