import { referredGroup } from '@repoless/contract/access.ts';
import type { Site } from '@repoless/contract/site.ts';
import { type GroupScope, matchesPerson, namesOf } from '../access/groups.ts';
import { type Call, type Failure, hasNoDryRun, type Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { Choices, Situation, Target } from '../situation/situation.ts';
import { isClaimed } from '../situation/target.ts';
import { type Finding, findingOf, refusalDetail } from './finding.ts';

/** Whether the caller may change who administers the site: by the lists, otherwise as the service decides. */
export function callerAdministers(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  const { profile, mayAdminister } = situation;
  if (situation.site.state === 'failed' && situation.site.failure.status === 403) {
    const { failure } = situation.site;
    const grantedBy = failure.problem?.data?.['grantedBy'];
    const { data, evidence } = refusalDetail('GET the site', failure);
    const administrators = grantedBy === undefined ? {} : { administrators: grantedBy };
    return finding('caller-administers', 'wrong', { evidence, data: { ...data, ...administrators } });
  }
  if (profile.state !== 'known') return finding('caller-administers', 'unknown');
  const admins = site?.access?.admin?.role?.admin ?? [];
  const data = { email: profile.value.email, administrators: admins.join(', ') };
  if (isListed(situation, site) || mayAdminister?.state === 'known') return finding('caller-administers', 'fine', { data });
  const isRefused = mayAdminister?.state === 'failed' && mayAdminister.failure.problem?.code === 'NOT_AUTHORIZED';
  if (site === undefined || (!isRefused && (isInconclusive(mayAdminister) || admins.some(isGroup)))) {
    return finding('caller-administers', 'unknown', { data });
  }
  if (admins.length > 0) return finding('caller-administers', 'wrong', { data });
  // Like a site that was created in one click (docs/contract.md 4.5).
  const ofOrganization = organizationAdmins(situation).join(', ');
  return finding('caller-administers', 'wrong', { variant: 'unadministered', data: { ...data, administrators: ofOrganization } });
}

/**
 * The service's answer to a dry run that stores the access of a site unchanged. Undefined, and not sent, if the lists show
 * that the caller administers it, or if there is no site.
 */
export async function readMayAdminister(ports: SetupPorts, situation: Situation, target: Target): Promise<Known<unknown> | undefined> {
  const { site, profile } = situation;
  if (site.state !== 'known' || profile.state !== 'known' || isListed(situation, site.value.config)) return undefined;
  const address = `/config/${target.organization}/sites/${target.siteName}/access.json`;
  const call: Call = { target: 'service', method: 'POST', address, body: { type: 'json', value: site.value.config.access ?? {} } };
  return ports.service.dryRun(call);
}

/** By name, or by a readable group. */
function isListed(situation: Situation, site: Site | undefined): boolean {
  const { profile, organization } = situation;
  if (profile.state !== 'known') return false;
  const names = namesOf(profile.value);
  const shared = organization.state === 'known' ? (organization.value.groups ?? {}) : undefined;
  const means = (entries: readonly string[], scope: GroupScope) => entries.some((entry) => matchesPerson(entry, names, scope));
  const ofSite = site?.access?.admin?.role?.admin ?? [];
  return means(ofSite, { site: site?.groups, organization: shared }) || means(organizationAdmins(situation), { organization: shared });
}

function organizationAdmins({ organization }: Situation): string[] {
  const users = organization.state === 'known' ? (organization.value.users ?? []) : [];
  return users.filter(({ roles }) => roles.includes('admin')).map(({ email }) => email);
}

/** The service gave no clear answer. If it has no dry runs, the lists decide. */
function isInconclusive(answer: Known<unknown> | undefined): boolean {
  return answer !== undefined && !hasNoDryRun(answer);
}

function isGroup(entry: string): boolean {
  return referredGroup(entry) !== undefined;
}

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
