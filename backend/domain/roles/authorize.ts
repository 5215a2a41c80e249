import type { Permission } from '#contract/permissions.ts';
import type { Context } from '../context.ts';
import { permit, requireUser } from './permit.ts';

/**
 * The check of a call's permission, before its body is looked at (order of defence). In: the permission of its row and its
 * path parameters. Refuses as `permit` does. Writes check again in their transaction.
 */
export async function authorize(
  context: Context,
  permission: Permission,
  params: { readonly org?: string; readonly site?: string },
): Promise<void> {
  if (permission === 'public') return;
  if (permission === 'signed-in') return void requireUser(context.caller);
  const name = params.org ?? '';
  const { org, site } =
    params.site === undefined
      ? { org: await context.store.reads.org(name), site: undefined }
      : await context.store.reads.orgAndSite(name, params.site);
  permit(context.caller, permission, { name, org, site: site?.aggregate });
}
