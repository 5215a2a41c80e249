import type { ExternalRepository } from '@repoless/contract/build-management.ts';

/** How pushes to a repository arrive at build management: by the webhook of its vendor, or by nothing yet. */
export type Arrival = 'webhook' | 'no-webhook';

export function arrivalOf({ webhook }: Pick<ExternalRepository, 'webhook'>): Arrival {
  return webhook === undefined ? 'no-webhook' : 'webhook';
}
