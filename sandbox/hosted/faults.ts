import type { Asked } from './asked.ts';

/** What befalls a request. */
export interface HostedFault {
  /**
   * `answer`: another status than its own. `hang`: no answer until the stand-in is closed. `cut`: the connection ends without an answer. `foreign`: somebody
   * else writes just before.
   */
  readonly kind: 'answer' | 'hang' | 'cut' | 'foreign';
  /** Whether the request takes effect all the same; yes, unless this is false. */
  readonly takesEffect?: boolean;
  /** `answer`: 500, unless it says otherwise. */
  readonly status?: number;
  /** `foreign`: what is written, at an address of H5. */
  readonly write?: { readonly method: string; readonly path: string; readonly body?: unknown };
  /** Only requests of this method; all that write, unless it is named. */
  readonly method?: string;
  /** Only requests whose path, as H5 has it, begins so. */
  readonly path?: string;
  /** So many are let pass first. */
  readonly skip?: number;
  /** So many are concerned; one, unless it says otherwise. */
  readonly times?: number;
}

export interface PlannedFaults {
  add(fault: HostedFault): void;
  /** The faults of a request, which are used up by it. */
  take(asked: Pick<Asked, 'method' | 'path'>): readonly HostedFault[];
}

export function plannedFaults(): PlannedFaults {
  let planned: { readonly fault: HostedFault; skip: number; times: number }[] = [];
  return {
    add(fault) {
      planned.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
    },
    take({ method, path }) {
      const meant = planned.filter(
        ({ fault }) =>
          (fault.method === undefined ? method !== 'GET' && method !== 'HEAD' : fault.method === method) &&
          path.startsWith(fault.path ?? '/'),
      );
      const due = meant.filter((one) => one.skip-- <= 0 && one.times-- > 0);
      planned = planned.filter(({ times }) => times > 0);
      return due.map(({ fault }) => fault);
    },
  };
}
