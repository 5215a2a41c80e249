import type { Known, Situation } from './situation.ts';

/**
 * Whether the organization is known to be claimed. The service answers callers without a role in it as if it didn't exist, so a role on the site,
 * which shows in the site's answer, is proof as well.
 */
export function isClaimed({ organization, site }: Pick<Situation, 'organization' | 'site'>): boolean {
  return organization.state === 'known' || site.state === 'known' || isRefused(organization) || isRefused(site);
}

function isRefused(answer: Known<unknown>): boolean {
  return answer.state === 'failed' && answer.failure.problem?.code === 'NOT_AUTHORIZED';
}
