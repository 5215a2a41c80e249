import type { Failure, Known } from '../situation/situation.ts';
import { isUncertain } from './uncertain-failure.ts';

/**
 * What is left of the failure of a removal. In: why it failed, undefined where it did not; reads whether what was to be removed is still
 * there. Out: undefined where its answer was lost and it is gone.
 */
export async function failureUnlessMissing(
  failure: Failure | undefined,
  isThere: () => Promise<Known<boolean>>,
): Promise<Failure | undefined> {
  if (failure === undefined || !isUncertain(failure)) return failure;
  const there = await isThere();
  return there.state === 'known' && !there.value ? undefined : failure;
}

/** Whether one of those that were read fits. */
export function anyOf<T>(read: Known<readonly T[]>, fits: (one: T) => boolean): Known<boolean> {
  return read.state === 'known' ? { state: 'known', value: read.value.some(fits) } : read;
}
