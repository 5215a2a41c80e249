import { z } from 'zod';
import type { Outcome } from './load.ts';

const OutcomeLine = z.object({
  requests: z.number(),
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  failures: z.number(),
}) satisfies z.ZodType<Outcome>;

/** Reads the last line of a load generator's output. */
export function parseOutcome(output: string): Outcome {
  return OutcomeLine.parse(JSON.parse(output.trimEnd().split('\n').at(-1) ?? ''));
}
