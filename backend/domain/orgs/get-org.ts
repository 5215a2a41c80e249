import type { endpoints } from '#contract/endpoints.ts';
import { unclaimed } from '../roles/permit.ts';
import type { Verb } from '../verb.ts';

export const getOrg: Verb<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const stored = await context.store.reads.org(params.org);
  if (stored === undefined) throw unclaimed(params.org);
  return { status: 200, body: stored.config, etag: stored.etag };
};
