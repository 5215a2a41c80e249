import type { endpoints } from '#contract/endpoints.ts';
import { isStranger, requirePerson } from '../roles/permit.ts';
import type { Operation } from '../operation.ts';
import { changeOrg, orgRequest } from './change-org.ts';
import { challengeKey, validChallenges } from './challenge.ts';
import { alreadyClaimed, proveClaim } from './prove-claim.ts';

/**
 * Claims an organization, or replaces its configuration (its admins alone). Serves PUT and POST. A caller without a role in it
 * proves the claim first, and only then learns whether somebody was first (ORG_ALREADY_CLAIMED; decision 0063).
 */
export const putOrg: Operation<(typeof endpoints)['putOrg']> = async (context, input) => {
  const { org } = input.params;
  const stored = await context.store.reads.org(org);
  const isClaim = stored === undefined;
  if (isClaim || isStranger(context.caller, stored.config)) await proveClaim(context, org, requirePerson(context.caller));
  if (!isClaim && isStranger(context.caller, stored.config)) throw alreadyClaimed(stored.config);
  const outcome = await changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:claim',
    action: isClaim ? 'claim-org' : 'put-org',
    creates: true,
    next: () => input.body,
  });
  if (isClaim && input.query.dryRun !== true) {
    const caller = requirePerson(context.caller);
    for (const { repository } of await validChallenges(context, org, caller))
      await context.store.shortLived.take('challenge', challengeKey(org, caller, repository));
  }
  return outcome;
};
