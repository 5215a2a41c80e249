import { Refusal } from '@repoless/contract/refusal.ts';
import { allowedAuthor } from '@repoless/contract/authoring.ts';

/**
 * The origin of an author. Takes host and port from the address of the call, and the settings' allow list. Refuses with AUTHOR_NOT_ALLOWED.
 */
export function authorOrigin(host: string, allowed: readonly string[]): string {
  const origin = allowedAuthor(host, allowed);
  if (origin !== undefined) return origin;
  throw new Refusal(
    'AUTHOR_NOT_ALLOWED',
    `The authoring host ${host} is not on this service's allow list. Ask the operator of the service to add it to AUTHOR_HOSTS.`,
    { data: { host } },
  );
}
