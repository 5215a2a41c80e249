import { referredGroup } from '@repoless/contract/access.ts';
import type { Site } from '@repoless/contract/site.ts';
import { type GroupScope, matchesPerson, namesOf } from '../access/groups.ts';
import { type Call, hasNoDryRun, type Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { Situation, Target } from '../situation/situation.ts';
import { type Finding, findingOf, refusalDetail } from './check-data.ts';

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
