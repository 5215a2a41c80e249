import type { Context } from '../domain/context.ts';
import type { StoredOrg } from '../domain/ports.ts';
import { unclaimed } from '../access/permit.ts';

/** The stored organization. Refuses with ORG_NOT_FOUND. */
export async function findOrg(context: Context, org: string): Promise<StoredOrg> {
  const stored = await context.store.reads.org(org);
  if (stored === undefined) throw unclaimed(org, context.caller);
  return stored;
}
