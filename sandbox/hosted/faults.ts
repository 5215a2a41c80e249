import { z } from 'zod';
import { type Asked, isWrite } from './asked.ts';

/** A fault injected into a request. */
export const HostedFault = z.strictObject({
  /**
   * `answer`: another status than its own. `hang`: no response until the stand-in is closed. `cut`: the connection ends without a response.
   * `foreign`: somebody else writes just before.
   */
  kind: z.enum(['answer', 'hang', 'cut', 'foreign']),
  /** Whether the request takes effect nevertheless. */
  takesEffect: z.boolean().default(true),
  /** `answer`: the status. */
  status: z.number().int().default(500),
  /** `foreign`: what is written, at an H5 address. */
  write: z.object({ method: z.string(), path: z.string(), body: z.unknown() }).optional(),
  /** Only requests of this method; if omitted, all writes. */
  method: z.string().optional(),
  /** Only requests whose H5 path starts with this. */
  path: z.string().default('/'),
  /** Requests skipped first. */
  skip: z.number().int().default(0),
  /** Requests affected. */
  times: z.number().int().default(1),
});
export type HostedFault = z.input<typeof HostedFault>;
type Fault = z.output<typeof HostedFault>;

export interface PlannedFaults {
  add(fault: HostedFault): void;
  /** The faults of a request, which uses them up. */
  take(asked: Pick<Asked, 'method' | 'path'>): readonly Fault[];
}

export function plannedFaults(): PlannedFaults {
  let planned: { readonly fault: Fault; skip: number; times: number }[] = [];
  return {
    add(input) {
      const fault = HostedFault.parse(input);
      planned.push({ fault, skip: fault.skip, times: fault.times });
    },
    take({ method, path }) {
      const matching = planned.filter(
        ({ fault }) => (fault.method === undefined ? isWrite(method) : fault.method === method) && path.startsWith(fault.path),
      );
      const due = matching.filter((one) => one.skip-- <= 0 && one.times-- > 0);
      planned = planned.filter(({ times }) => times > 0);
      return due.map(({ fault }) => fault);
    },
  };
}
