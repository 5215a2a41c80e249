import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { profileInUse, Refusal } from '@repoless/contract/refusal.ts';
import { SITES_READ_FOR_LIST } from '@repoless/contract/service.ts';
import { aboutOf, type Call, read } from './call.ts';
import { parseStored, type Kind, load, ORG, PROFILE, type Raw, SITE, siteNames } from './document.ts';
import { type Access, memberMatches } from '@repoless/contract/access.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { sameValue, valueAt } from '@repoless/contract/json.ts';
import type { Org } from '@repoless/contract/org.ts';
import { groupConsequences, siteConsequences, type SitePeople } from '@repoless/core/access/consequences.ts';
import { matchesPerson, resolveEntry } from '@repoless/core/access/groups.ts';
import { missingDocument } from './refusals.ts';

/** Rules of the contract that the hosted service does not have, by the code of our own service's refusal: for docs/hosted-service.md. */
export const UNENFORCED_RULES = {
  CONTENT_ROOT_TAKEN: 'Two sites may have the same content root. The list of sites has no mappings, so there is no warning.',
  CONTENT_OF_OTHER_SITE: 'The address of the content may name a site other than the one that has it. A warning names both.',
  PROFILE_IN_USE: 'In an organization of more than 40 sites, a profile is removed even if sites extend it. A warning says so.',
  PROFILE_MISSING: 'A site may extend a profile that does not exist. A warning names it.',
} as const;

/** Refuses a site without a content or code source: on the hosted service it inherits none from its profile. */
export function requireSources(site: Raw): void {
  const errors = ['content', 'code'].flatMap((name) =>
    site[name] === undefined ? [{ pointer: `/${name}`, detail: `A site on the hosted service needs its own "${name}".` }] : [],
  );
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

/**
 * What our own service would refuse of a change, as sentences. Reads once more if the site extends another profile than before, and reads
 * the sites if a profile is removed.
 */
export async function unenforcedRules(call: Call, kind: Kind, before: Raw | undefined, after: Raw | undefined): Promise<string[]> {
  if (kind === PROFILE && before !== undefined && after === undefined) return await refuseUsed(call);
  if (kind !== SITE) return [];
  return [...contentOfOtherSite(call, before, after), ...firstRoles(before, after), ...(await missingProfile(call, before, after))];
}

function contentOfOtherSite({ params: { org, site } }: Call, before: Raw | undefined, after: Raw | undefined): string[] {
  const [was, url] = [before, after].map((one) => valueAt(one, ['content', 'source', 'url']));
  const named = typeof url === 'string' && url !== was ? parseDeliveryAddress(url) : undefined;
  if (named === undefined || (named.org === org && named.site === site)) return [];
  return [
    `The content address belongs to site "${named.org}/${named.site}", but this is site "${org}/${site}": its pages may not be found.`,
  ];
}

/** The first role granted closes what was open to everyone (`requireAuth`: auto). */
function firstRoles(before: Raw | undefined, after: Raw | undefined): string[] {
  const [had, has] = [before, after].map((one) => Object.keys(Object(valueAt(one, ['access', 'admin', 'role']))).length > 0);
  if (before === undefined || after === undefined || had === true || has !== true) return [];
  return [
    'Until now, anyone could preview and publish. From now on, a script that does so without a sign-in needs an API key with the role publish.',
  ];
}

/** The hosted service removes a profile even if sites extend it. Does not read a large number of sites; returns a warning instead. */
async function refuseUsed(call: Call): Promise<string[]> {
  const { org = '', profile = '' } = call.params;
  const names = await siteNames(call);
  if (names.length > SITES_READ_FOR_LIST)
    return ['There are too many sites to check which of them extend this profile. Those that do lose what they have from it.'];
  const extending = await Promise.all(
    names.map(async (site) => {
      const found = await load({ ...call, params: { org, site } }, SITE);
      return valueAt(found?.raw, ['extends', 'profile']) === profile ? [site] : [];
    }),
  );
  const sites = extending.flat();
  if (sites.length > 0) throw profileInUse(profile, sites);
  return [];
}

async function missingProfile(call: Call, before: Raw | undefined, after: Raw | undefined): Promise<string[]> {
  const [was, profile] = [before, after].map((site) => valueAt(site, ['extends', 'profile']));
  if (typeof profile !== 'string' || profile === was) return [];
  const { org = '' } = call.params;
  const exists = await read(call, 'profile', { org, profile }).then(
    (found) => found !== undefined,
    // Callers who may not read it do not learn that it is missing.
    (error: unknown) => error instanceof Refusal,
  );
  return exists ? [] : [`The profile "${org}/${profile}" does not exist: the site takes nothing from it.`];
}

export async function organizationOf(call: Call): Promise<Org | undefined> {
  const { org } = call.params;
  if (org === undefined) return undefined;
  return await requireOrganization(call, org).catch((error: unknown) => {
    if (error instanceof Refusal && error.code !== 'HOSTED_UNREACHABLE') return undefined;
    throw error;
  });
}

export async function requireOrganization(call: Call, org: string): Promise<Org> {
  return await call.cached(`organization ${org}`, async () => {
    const raw = await read(call, 'org', { org });
    if (raw === undefined) throw missingDocument(aboutOf(call, { org }));
    // Safe: it was fitted to the schema of an organization.
    return parseStored({ params: { org } }, ORG, raw as Raw).shown as unknown as Org;
  });
}

/** What a change of a site does to people and visitors, as our own service describes it. */
export async function consequencesOf(
  call: Call,
  kind: Kind,
  before: Raw | undefined,
  after: Raw | undefined,
): Promise<readonly ConsequenceOfSites[]> {
  if (kind !== SITE) return [];
  const org = await organizationOf(call);
  const people = { caller: namesOf(call), organization: org === undefined ? undefined : (org.groups ?? {}), users: org?.users };
  // Safe: both were fitted to the schema of a site.
  const changed = siteConsequences(before as SitePeople | undefined, after as SitePeople | undefined, people);
  return groupConsequences(changed.map((what) => ({ what, sites: [] })));
}

function namesOf({ credential }: Call): string[] {
  return credential?.email === undefined || credential.kind === 'api-key' ? [] : [credential.email.toLowerCase()];
}

/**
 * Refuses with WOULD_LOCK_OUT a change by which a caller who is listed as an administrator of the site or organization loses that role;
 * `?confirm=true` allows it. The hosted service has no such rule. Returns what could not be evaluated, as sentences.
 */
export async function preventLockout(call: Call, kind: Kind, before: Raw | undefined, after: Raw | undefined): Promise<string[]> {
  if (after === undefined) return [];
  if (kind === ORG) requireAdmins(call, before, after);
  if (kind !== SITE) return [];
  const [had, has] = [administrators(before), administrators(after)];
  if (before === undefined)
    return has.length > 0 ? [] : ['No administrators are named: the administration of this site on the hosted service is open to anyone.'];
  if (sameValue(had, has)) return [];
  const names = namesOf(call);
  if (names.length === 0) return [];
  const org = await organizationOf(call);
  const scope = (site: Raw) => ({ site: site['groups'] as Org['groups'], organization: org?.groups ?? {} });
  const isIn = (list: readonly string[], site: Raw) => list.some((entry) => matchesPerson(entry, names, scope(site)));
  const ofOrganization = (org?.users ?? [])
    .filter(({ roles }) => roles.includes('admin'))
    .some(({ email }) => matchesPerson(email, names, { organization: org?.groups ?? {} }));
  if (ofOrganization || !isIn(had, before) || isIn(has, after)) return [];
  // A caller who may not read the organization has no remaining role in it.
  if (call.query['confirm'] === true) return [];
  throw new Refusal('WOULD_LOCK_OUT', 'You would lose the administration of this site. To do it all the same, add ?confirm=true.', {
    data: { reason: 'site' },
  });
}

/**
 * An organization must keep an admin, and an admin who makes the change must stay one. Safe: both were fitted to the schema of an
 * organization.
 */
function requireAdmins(call: Call, before: Raw | undefined, after: Raw): void {
  const names = namesOf(call);
  const admins = (raw: Raw | undefined) => {
    const org = raw as Pick<Org, 'users' | 'groups'> | undefined;
    const scope = { organization: org?.groups ?? {} };
    const entries = (org?.users ?? []).filter(({ roles }) => roles.includes('admin')).flatMap(({ email }) => resolveEntry(email, scope));
    return { isAny: entries.length > 0, isCaller: entries.some((entry) => memberMatches(entry, names)) };
  };
  const [had, has] = [admins(before), admins(after)];
  if (had.isAny && !has.isAny)
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".', {
      data: { reason: 'lastAdmin' },
    });
  if (!had.isCaller || has.isCaller || call.query['confirm'] === true) return;
  throw new Refusal('WOULD_LOCK_OUT', 'You would lose the administration of the organization. To do it all the same, add ?confirm=true.', {
    data: { reason: 'organization' },
  });
}

function administrators(site: Raw | undefined): readonly string[] {
  return (site?.['access'] as Access | undefined)?.admin?.role?.admin ?? [];
}
