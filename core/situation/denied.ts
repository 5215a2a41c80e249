import type { Failure } from './call.ts';
import type { Choices, Situation } from './situation.ts';
import { isClaimed } from './target.ts';

/** What someone lacks permission for, as reported by the service; without a site, it is the organization. */
export interface Denied {
  readonly organization?: string | undefined;
  readonly site?: string | undefined;
  readonly caller?: string | undefined;
  /** The people who can grant it, if the caller may see them. */
  readonly grantedBy?: string | undefined;
}

/** The permission that a refusal says is missing; undefined if it is about something else, or about more than a role. */
export function deniedBy({ problem }: Failure): Denied | undefined {
  const { org, caller, grantedBy, reason } = problem?.data ?? {};
  if (problem?.code === 'ORG_NOT_FOUND') return { organization: org };
  return problem?.code === 'NOT_AUTHORIZED' && reason === undefined ? { caller, grantedBy } : undefined;
}

/** The permission that a person who opens a page lacks; undefined if there is a plan for them. */
export function deniedIn(situation: Situation, { organization, siteName: site }: Choices): (Denied & MayClaim) | undefined {
  const { profile, claim } = situation;
  const caller = profile.state === 'known' ? profile.value.email : undefined;
  if (situation.site.state === 'failed') {
    const denied = deniedBy(situation.site.failure);
    return denied && { caller, ...denied, organization, site, mayClaim: false };
  }
  // Without a role in the organization, the caller cannot register a site in it, even with roles on other sites.
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
  /** The organization may still be unclaimed: the service doesn't say which to strangers. */
  readonly mayClaim: boolean;
}

/** A host serves the site, to everyone or to some, so its organization is claimed. */
function isServed({ preview, live }: Situation): boolean {
  return [preview, live].some((probe) => probe?.status === 200 || probe?.status === 401 || probe?.status === 403);
}
