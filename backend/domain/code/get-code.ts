import type { endpoints } from '#contract/endpoints.ts';
import { findOrigin } from '../jobs/find-job.ts';
import type { Verb } from '../verb.ts';

/** Which repository a site uses, and its branches that are served. */
export const getCode: Verb<(typeof endpoints)['getCode']> = async (context, { params }) => {
  const { origin } = await findOrigin(context, params);
  const branches = await context.store.code.branches(origin.key);
  return { status: 200, body: { owner: origin.owner, repo: origin.repo, branches: branches.map(({ branch }) => branch).toSorted() } };
};
