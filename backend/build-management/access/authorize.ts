import { GRANTS } from '@repoless/contract/permissions.ts';
import type { Permission } from '@repoless/contract/permissions.ts';
import type { Caller } from '../../domain/caller.ts';
import { Refusal } from '../../domain/errors.ts';
import { rolesOf } from '../../access/roles-of.ts';
import type { ConfigurationService } from '../service/configuration-service.ts';

/**
 * Whether a caller may. The configuration service is asked with the caller's own token, so that a revoked one is refused,
 * and its answer says who the organization's users are. Refuses with NOT_AUTHENTICATED or NOT_AUTHORIZED.
 */
export async function authorize(
  service: ConfigurationService,
  permission: Permission,
  asked: { readonly caller: Caller; readonly token: string | undefined; readonly org: string },
): Promise<void> {
  if (permission === 'public') return;
  const { caller, token, org } = asked;
  if (caller.kind === 'anonymous' || token === undefined)
    throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
      detail: 'Sign in at the configuration service and send its token in the header x-auth-token.',
    });
  const configuration = await service.organization(org, token);
  if (permission === 'signed-in') return;
  const roles = rolesOf(caller, configuration);
  if (GRANTS[permission].some((role) => roles.has(role))) return;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `Ask an administrator of the organization ${org} for the role "admin".`,
  });
}
