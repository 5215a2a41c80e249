import type { Choices, Failure, Situation } from './situation.ts';
import { isClaimed } from './target.ts';

/** What somebody lacks permission for, as far as the service says it: without a site, it is the organization. */
export interface Denied {
  readonly organization?: string | undefined;
  readonly site?: string | undefined;
  /** The e-mail address of who asked. */
  readonly caller?: string | undefined;
  /** Who can grant it, where that may be seen. */
  readonly grantedBy?: string | undefined;
}

/** What a refusal says of a lack of permission; undefined if it is about something else, or about more than a role. */
export function deniedBy({ problem }: Failure): Denied | undefined {
  const { org, caller, grantedBy, reason } = problem?.data ?? {};
  if (problem?.code === 'ORG_NOT_FOUND') return { organization: org };
  return problem?.code === 'NOT_AUTHORIZED' && reason === undefined ? { caller, grantedBy } : undefined;
}

/** What somebody may not do who opens a page; undefined if there is a plan for them. */
export function deniedIn(situation: Situation, { organization, siteName: site }: Choices): (Denied & MayClaim) | undefined {
  const { profile, claim } = situation;
  const caller = profile.state === 'known' ? profile.value.email : undefined;
  if (situation.site.state === 'failed') {
    const denied = deniedBy(situation.site.failure);
    return denied && { caller, ...denied, organization, site, mayClaim: false };
  }
  // Who has no role in the organization registers no site of it, though other sites may have given them one.
  if (situation.site.state === 'missing' && situation.organization.state === 'failed') {
    const denied = deniedBy(situation.organization.failure);
    return denied && { caller, ...denied, organization, mayClaim: false };
  }
  if (isClaimed(situation) || situation.organization.state === 'failed' || claim?.state !== 'failed') return undefined;
  const code = claim.failure.problem?.code;
  if (code !== 'CLAIM_NOT_PROVEN' && code !== 'ORG_ALREADY_CLAIMED') return undefined;
  return { caller, organization, mayClaim: code === 'CLAIM_NOT_PROVEN' && !isServed(situation) };
}

interface MayClaim {
  /** The organization may still be unclaimed: the service tells strangers neither. */
  readonly mayClaim: boolean;
}

/** A host serves the site, to everybody or to some: somebody has claimed its organization. */
function isServed({ preview, live }: Situation): boolean {
  return [preview, live].some((probe) => probe?.status === 200 || probe?.status === 401 || probe?.status === 403);
}
