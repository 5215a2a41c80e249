import { SITE_PART_NAMES } from '#contract/site.ts';
import type { SitePart } from '#contract/site.ts';
import { example } from './step.ts';
import type { Example, ExampleOptions } from './step.ts';

/** A site cannot be without these: their removal is shown with its refusal. */
const NEEDED: readonly SitePart[] = ['content', 'code'];
/** Parts of other parts come before them, so that what they are a part of is still there. */
const INNER_FIRST = SITE_PART_NAMES.toSorted((one, other) => Number(other.includes('/')) - Number(one.includes('/')));

/** Each part is set, read, and removed. */
export const PART_EXAMPLES: readonly Example[] = INNER_FIRST.flatMap((part) => [
  example(`${part}:set`),
  example(`${part}:get`),
  example(`${part}:remove`, removal(part)),
]);

function removal(part: SitePart): ExampleOptions {
  return NEEDED.includes(part) ? { status: 400, title: 'A site cannot be without it.' } : {};
}
