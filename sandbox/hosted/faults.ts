import { z } from 'zod';
import { type Asked, isWrite } from './asked.ts';

/** What befalls a request. */
export const HostedFault = z.strictObject({
  /**
   * `answer`: another status than its own. `hang`: no answer until the stand-in is closed. `cut`: the connection ends without an answer. `foreign`: somebody
   * else writes just before.
   */
  kind: z.enum(['answer', 'hang', 'cut', 'foreign']),
  /** Whether the request takes effect all the same. */
  takesEffect: z.boolean().default(true),
  /** `answer`: the status. */
  status: z.number().int().default(500),
  /** `foreign`: what is written, at an address of H5. */
  write: z.object({ method: z.string(), path: z.string(), body: z.unknown() }).optional(),
  /** Only requests of this method; all that write, unless it is named. */
  method: z.string().optional(),
  /** Only requests whose path, as H5 has it, begins so. */
  path: z.string().default('/'),
  /** So many are let pass first. */
  skip: z.number().int().default(0),
  /** So many are concerned. */
  times: z.number().int().default(1),
});
export type HostedFault = z.input<typeof HostedFault>;
type Fault = z.output<typeof HostedFault>;

export interface PlannedFaults {
  add(fault: HostedFault): void;
  /** The faults of a request, which are used up by it. */
  take(asked: Pick<Asked, 'method' | 'path'>): readonly Fault[];
}

export function plannedFaults(): PlannedFaults {
  let planned: { readonly fault: Fault; skip: number; times: number }[] = [];
  return {
    add(wanted) {
      const fault = HostedFault.parse(wanted);
      planned.push({ fault, skip: fault.skip, times: fault.times });
    },
    take({ method, path }) {
      const meant = planned.filter(
        ({ fault }) => (fault.method === undefined ? isWrite(method) : fault.method === method) && path.startsWith(fault.path),
      );
      const due = meant.filter((one) => one.skip-- <= 0 && one.times-- > 0);
      planned = planned.filter(({ times }) => times > 0);
      return due.map(({ fault }) => fault);
    },
  };
}
