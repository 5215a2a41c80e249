import type { endpoints } from '#contract/endpoints.ts';
import { requirePerson } from '../roles/permit.ts';
import type { Verb } from '../verb.ts';
import { changeOrg } from './change-org.ts';
import { challengeKey } from './challenge.ts';
import { orgAsked } from './org-asked.ts';
import { proveClaim } from './prove-claim.ts';

/** Claims an organization, or replaces its configuration (its admins alone). Serves PUT and POST. */
export const putOrg: Verb<(typeof endpoints)['putOrg']> = async (context, input) => {
  const { org } = input.params;
  const isClaim = (await context.store.reads.org(org)) === undefined;
  if (isClaim) await proveClaim(context, org, requirePerson(context.caller));
  const outcome = await changeOrg(context, {
    ...orgAsked(input),
    permission: 'org:claim',
    action: isClaim ? 'claim-org' : 'put-org',
    creates: true,
    next: () => input.body,
  });
  if (isClaim && input.query.dryRun !== true) {
    await context.store.shortLived.take('challenge', challengeKey(org, requirePerson(context.caller)));
  }
  return outcome;
};
