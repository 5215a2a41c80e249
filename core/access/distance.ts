import { ageOf } from '../sync/age.ts';
import type { Age } from '../sync/age.ts';

/** How far a moment is from now, for `Intl.RelativeTimeFormat`: ahead where the number is positive. */
export function distanceOf(time: string, now: Date): Age {
  if (Date.parse(time) <= now.getTime()) return ageOf(time, now);
  const { value, unit } = ageOf(now.toISOString(), new Date(time));
  return { value: -value, unit };
}
