import { useEffect, useReducer, useRef } from 'react';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { applyRows } from '@repoless/core/sites/apply-rows.ts';
import type { ApplyOutcome } from '@repoless/core/sites/apply-rows.ts';
import type { Batch, RowsProgress, RowStatus, SiteRow } from '@repoless/core/sites/rows.ts';
import { useActiveRun } from '../leaving/use-active-run.ts';
import { NOT_STARTED, reduceRows } from './rows-run.ts';
import type { RowsRun } from './rows-run.ts';

export interface RowsRunner {
  readonly run: RowsRun;
  start(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], sites: readonly SiteListEntry[] | undefined): Promise<ApplyOutcome>;
  /** Takes rows of the same run once more. */
  again(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[]): Promise<ApplyOutcome>;
  stop(): void;
  leave(): void;
}

/** Milliseconds between two drawings of how far a run is. */
const DRAWN_EVERY = 250;

/** Applies rows, reports the progress of each, and stops when the panel unmounts. */
export function useRowsRun(): RowsRunner {
  const [run, dispatch] = useReducer(reduceRows, NOT_STARTED);
  useActiveRun(run.state === 'running', 'view');
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const apply = async (ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], sites: readonly SiteListEntry[] | undefined) => {
    const controller = new AbortController();
    stopper.current = controller;
    // 200 rows change state a thousand times and more; drawing each would cost more than the calls themselves.
    let changed = new Map<string, RowStatus>();
    let progress: RowsProgress | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      dispatch({ type: 'statuses', statuses: [...changed], ...(progress === undefined ? {} : { progress }) });
      changed = new Map();
    };
    const later = () => (timer ??= setTimeout(tell, DRAWN_EVERY));
    const outcome = await applyRows(ports, batch, rows, {
      signal: controller.signal,
      ...(sites === undefined ? {} : { sites }),
      onRow: (row, status) => {
        changed.set(row.id, status);
        later();
      },
      onProgress: (now) => {
        progress = now;
        later();
      },
    });
    clearTimeout(timer);
    dispatch({ type: 'ended', outcome });
    return outcome;
  };
  return {
    run,
    start: async (ports, batch, rows, sites) => {
      dispatch({ type: 'start', batch, rows });
      return apply(ports, batch, rows, sites);
    },
    again: async (ports, batch, rows) => {
      dispatch({ type: 'again', rows });
      return apply(ports, batch, rows, undefined);
    },
    stop: () => {
      stopper.current?.abort();
      dispatch({ type: 'stopping' });
    },
    leave: () => dispatch({ type: 'leave' }),
  };
}
