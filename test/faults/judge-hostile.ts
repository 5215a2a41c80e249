import { expect } from 'vitest';
import type { Hostile, HostileWorld } from './hostile-world.ts';

/** Whatever is sent: it is answered, nobody else notices, and nothing of it stays in memory. */
export async function expectHarmless(world: HostileWorld, input: Hostile): Promise<void> {
  const { statuses, standstill, grown, waited, failed } = await world.observe(input);
  expect(statuses.length).toBeGreaterThan(0);
  const isRight = (status: number) => (status >= 200 && status < 500) || input.alsoRight?.includes(status) === true;
  expect(statuses.filter((status) => !isRight(status))).toEqual([]);
  expect(standstill, 'milliseconds without a turn for others').toBeLessThan(200);
  expect(grown, 'bytes of memory').toBeLessThan(MEMORY);
  expect(failed, 'answers that another organization did not get').toBe(0);
  expect(waited, 'milliseconds that another organization waited').toBeLessThan(PATIENCE);
}

const MEMORY = 150 * 1024 * 1024;
/** Far more than any answer takes. */
const PATIENCE = 5000;
