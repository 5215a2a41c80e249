import { memberMatches, referredGroup } from '@repoless/contract/access.ts';
import { parseAuthorHost, parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { createPathMapper, type PublicPaths } from '@repoless/contract/content-paths.ts';
import { CONFIGURATION_PATH, contentRoots, isGlob, parseMapping } from '@repoless/contract/mappings.ts';
import { hostLabelProblem, nameProblem } from '@repoless/contract/names.ts';
import { createPathCover } from '@repoless/contract/path-globs.ts';
import type { Site } from '@repoless/contract/site.ts';
import { refersToMissingGroup } from '../access/groups.ts';
import { mappedPage } from '../plan/choices.ts';
import type { Situation } from '../situation/situation.ts';
import { isClaimed, targetOfSituation } from '../situation/target.ts';
import { callerAdministers } from './caller-permissions.ts';
import { rootAddress } from './find-drift.ts';
import { type Finding, findingOf, type Findings, refusalDetail } from './finding.ts';

/** A token that expires within this many seconds may expire in the middle of an apply. */
const SOON = 10 * 60;

/** Checks of what the service stores and permits the caller to do. */
export function serviceChecks(situation: Situation) {
  const site = situation.site.state === 'known' ? situation.site.value.config : undefined;
  return {
    'signed-in': signedIn(situation),
    'organization-claimed': organizationClaimed(situation),
    'site-registered': siteRegistered(situation),
    'caller-administers': callerAdministers(situation, site),
    'technical-account-listed': technicalAccountListed(situation, site),
    'technical-account-environment': technicalAccountEnvironment(situation, site),
    'wildcard-administrators': wildcardAdministrators(situation, site),
    'groups-exist': groupsExist(situation, site),
    'content-address-site': contentAddress(situation, site),
    'content-root-single': contentRoot(situation),
    'host-label': hostLabelLength(situation),
    'mapping-site-root': siteRootMapping(situation, site),
    'mapping-configuration': configurationMapping(situation, site),
  } satisfies Findings;
}

function signedIn(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { profile } = situation;
  if (profile.state === 'missing') return finding('signed-in', 'wrong');
  if (profile.state === 'failed') return finding('signed-in', 'unknown', refusalDetail('GET /profile', profile.failure));
  const { email, ttl } = profile.value;
  const data = { email, minutes: String(Math.floor(ttl / 60)) };
  return ttl < SOON ? finding('signed-in', 'warning', { variant: 'ends-soon', data }) : finding('signed-in', 'fine', { data });
}

function organizationClaimed(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { organization } = situation;
  const name = situation.settings.organization.value ?? targetOfSituation(situation).organization;
  const problem = nameProblem('organization', name);
  const request = `GET /config/${name}.json`;
  if (problem !== undefined) return finding('organization-claimed', 'wrong', { variant: 'name', data: { name, problem } });
  if (isClaimed(situation)) return finding('organization-claimed', 'fine');
  if (organization.state !== 'failed') return finding('organization-claimed', 'wrong', { evidence: { request, answer: '404' } });
  return finding('organization-claimed', 'unknown', refusalDetail(request, organization.failure));
}

function siteRegistered(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { organization, siteName } = targetOfSituation(situation);
  const request = `GET /config/${organization}/sites/${siteName}.json`;
  if (situation.site.state === 'known') {
    return finding('site-registered', 'fine', { evidence: { request, answer: `200, version ${situation.site.value.version}` } });
  }
  if (situation.site.state === 'missing') return finding('site-registered', 'wrong', { evidence: { request, answer: '404' } });
  return finding('site-registered', 'unknown', refusalDetail(request, situation.site.failure));
}

function technicalAccountListed(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  const account = situation.settings.technicalAccount.value;
  const listed = site?.access?.admin?.role?.config_admin ?? [];
  const data = { listed: listed.join(', '), registered: site === undefined ? 'no' : 'yes' };
  if (account === undefined || site === undefined) return finding('technical-account-listed', 'unknown', { data });
  const current = listed.some((entry) => memberMatches(entry, [account.toLowerCase()]));
  return finding('technical-account-listed', current ? 'fine' : 'wrong', { data });
}

/** The account of another environment is listed, and that of this environment is not: the site was copied from the other one. */
function technicalAccountEnvironment(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  const account = situation.settings.technicalAccount.value;
  const listed = site?.access?.admin?.role?.config_admin ?? [];
  const others = listed.filter((entry) => /@techacct\./i.test(entry) && entry.toLowerCase() !== account?.toLowerCase());
  const environment = parseAuthorHost(situation.settings.author)?.environment ?? '';
  const data = { others: others.join(', '), environment, listed: listed.join(', ') };
  if (account === undefined || site === undefined) return finding('technical-account-environment', 'unknown', { data });
  if (others.length === 0) return finding('technical-account-environment', 'fine', { data });
  const own = listed.some((entry) => memberMatches(entry, [account.toLowerCase()]));
  return finding('technical-account-environment', own ? 'note' : 'wrong', { data });
}

function wildcardAdministrators(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  const role = site?.access?.admin?.role;
  if (site === undefined) return finding('wildcard-administrators', 'unknown');
  const wildcards = [...(role?.admin ?? []), ...(role?.config_admin ?? [])].filter((entry) => entry.startsWith('*'));
  const data = { entries: wildcards.join(', '), entry: wildcards[0] ?? '' };
  return finding('wildcard-administrators', wildcards.length === 0 ? 'fine' : 'warning', { data });
}

/** A list entry that refers to a missing group matches no one: the people it stands for are locked out, and nothing else reports it. */
function groupsExist(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('groups-exist', 'unknown');
  const { organization } = situation;
  const entries = new Set(entriesOf(site).filter((entry) => referredGroup(entry) !== undefined));
  if (entries.size === 0) return finding('groups-exist', 'fine', { variant: 'none' });
  // Without the organization's groups, it is unknown whether one is missing.
  const groups = { site: site.groups, organization: organization.state === 'known' ? (organization.value.groups ?? {}) : undefined };
  const missing = [...entries].filter((entry) => refersToMissingGroup(entry, groups));
  const data = { missing: missing.join(', '), groups: [...entries].join(', ') };
  if (missing.length > 0) return finding('groups-exist', 'wrong', { data });
  const undecided =
    groups.organization === undefined && [...entries].some((entry) => !Object.hasOwn(site.groups ?? {}, referredGroup(entry) ?? ''));
  return finding('groups-exist', undecided ? 'unknown' : 'fine', { data });
}

/** All entries in the lists of people who may administer the site, publish to it and read its hosts, and in its groups. */
function entriesOf({ access, groups = {} }: Site): string[] {
  const hosts = [access?.site, access?.preview, access?.live].flatMap((one) => one?.allow ?? []);
  const roles = Object.values(access?.admin?.role ?? {}).flatMap((members) => members ?? []);
  const members = Object.values(groups).flatMap((group) => group.members.map(({ email }) => email));
  return [...roles, ...hosts, ...members];
}

function contentAddress(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  const url = site?.content?.source.url;
  if (site === undefined || url === undefined) return finding('content-address-site', 'unknown');
  const target = targetOfSituation(situation);
  const address = parseDeliveryAddress(url);
  const data = { address: url, addressOrg: address?.org ?? '', addressSite: address?.site ?? '', addressAuthor: address?.author ?? '' };
  if (address === undefined) return finding('content-address-site', 'warning', { variant: 'other-source', data });
  if (address.org !== target.organization || address.site !== target.siteName) return finding('content-address-site', 'wrong', { data });
  if (address.author !== situation.settings.author) return finding('content-address-site', 'wrong', { variant: 'other-author', data });
  return finding('content-address-site', 'fine', { data });
}

function contentRoot(situation: Situation): Finding {
  const finding = findingOf(situation);
  const answer = situation.dryRun?.answer;
  if (answer?.state === 'failed' && answer.failure.problem?.code === 'CONTENT_ROOT_TAKEN') {
    const detail = refusalDetail(`${situation.dryRun?.call.method} ${situation.dryRun?.call.address}`, answer.failure);
    const { site: other, org: _org, ...data } = detail.data ?? {};
    // The service does not name sites of other organizations.
    const variant = data['host'] === undefined ? 'other-organization' : 'other-host';
    if (other === undefined) return finding('content-root-single', 'wrong', { ...detail, data, variant });
    return finding('content-root-single', 'wrong', { ...detail, data: { ...data, other } });
  }
  return finding('content-root-single', answer?.state === 'failed' ? 'unknown' : 'fine');
}

function hostLabelLength(situation: Situation): Finding {
  const { organization, siteName } = targetOfSituation(situation);
  const problem = hostLabelProblem('main', siteName, organization);
  const finding = findingOf(situation);
  return problem === undefined ? finding('host-label', 'fine') : finding('host-label', 'wrong', { data: { problem } });
}

function siteRootMapping(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('mapping-site-root', 'unknown');
  const { mappings = [], includes, excludes } = site.public?.paths ?? {};
  const { siteRoot } = situation.settings;
  const roots = contentRoots(mappings);
  const address = rootAddress(site, siteRoot);
  const data = {
    root: roots[0] ?? '',
    mappings: mappings.join(', '),
    includes: includes?.join(', ') ?? '',
    excludes: excludes?.join(', ') ?? '',
    address: address ?? '',
  };
  const wrong = (variant: string) => finding('mapping-site-root', 'wrong', { variant, data });
  const warning = (variant: string) => finding('mapping-site-root', 'warning', { variant, data });
  if (!roots.includes(siteRoot)) {
    if (address !== undefined) return warning('elsewhere');
    return wrong(roots.length === 0 ? 'missing' : 'other-root');
  }
  if (!mappings.some((text) => isWholeTree(text, siteRoot))) return warning('trailing-slash');
  if (
    createPathMapper(site.public?.paths ?? {})
      .contentPaths('/')
      .some((path) => isWithin(path, siteRoot))
  )
    return finding('mapping-site-root', 'fine', { data });
  return mayPublishBelow(siteRoot, site.public?.paths ?? {}) ? warning('start-not-included') : wrong('not-included');
}

/** Whether the lists leave any content below a root: some included content is not excluded entirely. */
function mayPublishBelow(root: string, { includes, excludes }: PublicPaths): boolean {
  if (createPathCover(excludes ?? [])(`${root}/`)) return false;
  return (includes ?? [root]).some(
    (pattern) => isWithin(literalOf(pattern), root) || (isGlob(pattern) && root.startsWith(literalOf(pattern))),
  );
}

function literalOf(pattern: string): string {
  return pattern.split('*', 1)[0] ?? '';
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** `<root>/:/` maps the root and everything below; without the slash, only the root page. */
function isWholeTree(text: string, root: string): boolean {
  const mapping = parseMapping(text);
  return 'content' in mapping && mapping.public === '/' && mapping.content === `${root}/`;
}

function configurationMapping(situation: Situation, site: Site | undefined): Finding {
  const finding = findingOf(situation);
  if (site === undefined) return finding('mapping-configuration', 'unknown');
  const mapped = mappedPage(site);
  const expected =
    situation.configurationPage.state === 'known' ? situation.configurationPage.value.path : situation.settings.configurationPage.value;
  const data = {
    mapped: mapped ?? '',
    path: expected ?? `${situation.settings.siteRoot}/configuration`,
    configurationPath: CONFIGURATION_PATH,
  };
  if (mapped === undefined) return finding('mapping-configuration', 'wrong', { variant: 'missing', data });
  if (mapped.endsWith('/')) return finding('mapping-configuration', 'warning', { variant: 'trailing-slash', data });
  return expected === undefined || mapped === expected
    ? finding('mapping-configuration', 'fine', { data })
    : finding('mapping-configuration', 'warning', { variant: 'other-page', data });
}
