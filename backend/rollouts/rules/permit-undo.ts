import type { Permission } from '@repoless/contract/permissions.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { permit } from '../../access/permit.ts';
import type { StoredRollout } from './ports.ts';
import { permissionOf } from './site-steps.ts';

/**
 * Refuses the undo of edits to whoever may not put them back on every site that has them, before it is begun in the name of the caller.
 * Rule: docs/contract.md 3.17.
 */
export async function permitUndo(context: Context, { org, id, edits }: StoredRollout): Promise<void> {
  if (edits === undefined) return;
  const { reads, rollouts } = context.store;
  const permission = permissionOf(edits);
  if (mayEverywhere(context, permission, { name: org, org: await reads.org(org) })) return;
  let after: string | undefined = '';
  while (after !== undefined) {
    const rows = await rollouts.sites(org, id, { state: 'changed', after, limit: AT_ONCE });
    for (const row of rows) {
      const { org: stored, site } = await reads.orgAndSite(org, row.site);
      if (site !== undefined) permit(context.caller, permission, { name: org, org: stored, site: site.aggregate });
    }
    after = rows.length < AT_ONCE ? undefined : rows.at(-1)?.site;
  }
}

/** An administrator of the organization need not be looked for at each site. */
function mayEverywhere({ caller }: Context, permission: Permission, resource: Parameters<typeof permit>[2]): boolean {
  try {
    permit(caller, permission, resource);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const AT_ONCE = 200;
