import { nearestName, sanitizeRef } from '@repoless/contract/names.ts';
import type { OwnOrgs } from '@repoless/contract/org.ts';
import type { Known } from './call.ts';
import type { AuthoringSettings, Situation, Target } from './situation.ts';

/**
 * The default organization and site of a page: those of the record of an earlier setup, otherwise those of the Edge Delivery configuration
 * (converted to valid names), otherwise names from the path. An inherited configuration names the site of the page that owns it, so its site name
 * doesn't count.
 */
export function targetOf(settings: AuthoringSettings, organizations?: Known<OwnOrgs>, proposed?: string): Target {
  if (settings.previous !== undefined) return { organization: settings.previous.org, siteName: settings.previous.site };
  const first = settings.siteRoot.split('/')[2] ?? '';
  const organization = sanitizeRef(settings.organization.value ?? '') || chosen(sanitizeRef(first), organizations, proposed);
  const inherited = settings.cloudConfiguration.source.kind === 'inherited' || settings.configurationMissing === true;
  const siteName = inherited ? '' : sanitizeRef(settings.siteName.value ?? '');
  return { organization, siteName: siteName || proposeSiteName(settings.siteRoot, organization) };
}

/**
 * The organization of a page whose settings name none: the proposed one if the caller has a role in it, otherwise the one named by the path
 * if the caller has one, otherwise the caller's only one; `''` if there are several.
 */
function chosen(fromPath: string, organizations: Known<OwnOrgs> | undefined, proposed: string | undefined): string {
  if (organizations?.state !== 'known' || organizations.value.orgs.length === 0) return fromPath;
  const names = organizations.value.orgs.map(({ name }) => name);
  const [first = '', ...others] = names;
  if (proposed !== undefined && names.includes(proposed)) return proposed;
  if (names.includes(fromPath)) return fromPath;
  return others.length === 0 && organizations.value.more !== true ? first : '';
}

export function targetOfSituation(situation: Situation): Target {
  return situation.target ?? targetOf(situation.settings, situation.organizations);
}

/**
 * Proposes a site name for a content path: its segments below `/content`, joined by hyphens, shortened to fit DNS in the
 * given organization. `/content/wknd/ch/fr` becomes `wknd-ch-fr`; `''` if nothing usable is left.
 */
export function proposeSiteName(path: string, organization = ''): string {
  return nearestName(path.replace(/^\/content(?=\/|$)/, ''), organization);
}

/**
 * Whether the organization is known to be claimed. The service answers callers without a role in it as if it didn't exist, so a role on the site,
 * which shows in the site's answer, is proof too.
 */
export function isClaimed({ organization, site }: Pick<Situation, 'organization' | 'site'>): boolean {
  return organization.state === 'known' || site.state === 'known' || isRefused(organization) || isRefused(site);
}

function isRefused(answer: Known<unknown>): boolean {
  return answer.state === 'failed' && answer.failure.problem?.code === 'NOT_AUTHORIZED';
}
