import type { ExternalRepository } from '#contract/build-management.ts';

/** How pushes to a repository arrive at build management: by the webhook of its vendor, by nothing yet, or themselves. */
export type Arrival = 'webhook' | 'no-webhook' | 'hosted';

export function arrivalOf({ vendor, webhook }: Pick<ExternalRepository, 'vendor' | 'webhook'>): Arrival {
  if (vendor === 'hosted') return 'hosted';
  return webhook === undefined ? 'no-webhook' : 'webhook';
}
