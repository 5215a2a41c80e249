import type { endpoints } from '#contract/endpoints.ts';
import { CHALLENGE_PATH } from '#contract/org.ts';
import type { Challenge } from '#contract/org.ts';
import { Refusal } from '../errors.ts';
import { requireHeader, requirePerson } from '../roles/permit.ts';
import type { Verb } from '../verb.ts';
import { challengeKey, StoredChallenge } from './challenge.ts';
import { requireOnCodeHost } from './prove-claim.ts';

/** Begins the claim of an organization. Asked again for the same repository, it answers the same challenge while that is valid. */
export const challengeOrg: Verb<(typeof endpoints)['challengeOrg']> = async (context, { params: { org }, body: { repository } }) => {
  const caller = requirePerson(context.caller);
  requireHeader(caller);
  if ((await context.store.reads.org(org)) !== undefined) {
    throw new Refusal('ORG_ALREADY_CLAIMED', `The organization "${org}" is claimed already; ask one of its administrators for access.`);
  }
  await requireOnCodeHost(context, org);
  const { shortLived } = context.store;
  const key = challengeKey(org, caller);
  const present = StoredChallenge.safeParse(await shortLived.get('challenge', key));
  const challenge =
    present.success && present.data.repository === repository && new Date(present.data.expires) > context.now()
      ? present.data
      : { repository, token: context.newId(), expires: new Date(context.now().getTime() + ONE_DAY).toISOString() };
  await shortLived.put('challenge', key, challenge, new Date(challenge.expires));
  return { status: 200, body: { org, branch: 'main', path: CHALLENGE_PATH, ...challenge } satisfies Challenge };
};

const ONE_DAY = 24 * 60 * 60 * 1000;
