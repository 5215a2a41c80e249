import { partEndpointId } from '#contract/endpoints.ts';
import { PROFILE_PART_NAMES } from '#contract/profile.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import type { SitePart } from '#contract/site.ts';
import { example } from './step.ts';
import type { Example, ExampleOptions } from './step.ts';

/** A site cannot be without these: their removal is shown with its refusal. */
const NEEDED: readonly SitePart[] = ['content', 'code'];

/** Each part of a site is set, read, and removed; what it extends comes with the profiles. */
export function sitePartExamples(): Example[] {
  const parts = SITE_PART_NAMES.filter((part) => part !== 'extends');
  return innerFirst(parts).flatMap((part) => [
    example(partEndpointId('Site', part, 'set')),
    example(partEndpointId('Site', part, 'get')),
    example(partEndpointId('Site', part, 'remove'), removal(part)),
  ]);
}

/** A profile may be without any of them. */
export function profilePartExamples(): Example[] {
  return innerFirst(PROFILE_PART_NAMES).flatMap((part) =>
    (['set', 'get', 'remove'] as const).map((operation) => example(partEndpointId('Profile', part, operation))),
  );
}

/** Parts of other parts come before them, so that what they are a part of is still there. */
function innerFirst<P extends SitePart>(parts: readonly P[]): P[] {
  return parts.toSorted((one, other) => Number(other.includes('/')) - Number(one.includes('/')));
}

function removal(part: SitePart): ExampleOptions {
  return NEEDED.includes(part) ? { status: 400, title: 'A site cannot be without it.' } : {};
}
