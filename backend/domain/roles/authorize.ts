import { isOpenRead } from '#contract/permissions.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Context, Permitted } from '../context.ts';
import { isStranger, permit, requireOperator, requireUser } from './permit.ts';

/**
 * The check of a call's permission, before its body is looked at (order of defence). In: the permission of its row and its
 * path parameters. Out: what it read for that. Refuses as `permit` does. Writes check again in their transaction.
 */
export async function authorize(
  context: Context,
  permission: Permission,
  params: { readonly org?: string; readonly site?: string },
): Promise<Permitted> {
  if (permission === 'public') return NOTHING;
  if (permission === 'signed-in') {
    requireUser(context.caller);
    return NOTHING;
  }
  if (permission === 'operator') {
    requireOperator(context.caller, context.settings.operators);
    return NOTHING;
  }
  const name = params.org ?? '';
  if (context.caller.kind === 'anonymous') return await authorizeAnybody(context, permission, { ...params, org: name });
  const { org, site } =
    params.site === undefined
      ? { org: await context.store.reads.org(name), site: undefined }
      : await context.store.reads.orgAndSite(name, params.site);
  const { caller } = context;
  // A claim is decided by its proof, whether somebody was first or not (decision 0063).
  const isClaim = permission === 'org:claim' && org !== undefined && isStranger(caller, org.config);
  permit(caller, permission, { name, org: isClaim ? undefined : org, site: site?.aggregate });
  return { org, site };
}

const NOTHING: Permitted = {};

/** An open site alone lets in whoever is not signed in. The organization is not read: whether it exists shall not show in the time. */
async function authorizeAnybody(
  { caller, store }: Context,
  permission: Permission,
  { org: name, site }: { readonly org: string; readonly site?: string },
): Promise<Permitted> {
  const stored = isOpenRead(permission) && site !== undefined ? await store.reads.site(name, site) : undefined;
  permit(caller, permission, { name, org: undefined, site: stored?.aggregate });
  return { site: stored };
}
