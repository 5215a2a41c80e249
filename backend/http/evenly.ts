import { setTimeout as later } from 'node:timers/promises';
import { Refusal } from '#backend/domain/errors.ts';

/**
 * Whoever has no role somewhere is answered the same whether the organization exists or not; to know that they have none, its lists
 * are read where it does. So that it does not show in the time, that answer goes out at a whole multiple of a step from the
 * beginning of the work (decision 0080).
 */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ORG_NOT_FOUND') await later(STEP - ((performance.now() - began) % STEP));
    throw error;
  }
}

/** Milliseconds. The lists of the largest organizations are read in a tenth of it. */
const STEP = 50;
