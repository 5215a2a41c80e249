import { type Access, memberMatches } from '@repoless/contract/access.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { Org } from '@repoless/contract/org.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { groupConsequences, siteConsequences, type SitePeople } from '@repoless/core/access/consequences.ts';
import { matchesPerson, resolved } from '@repoless/core/access/groups.ts';
import { aboutOf, type Call, read } from './call.ts';
import { held, type Kind, ORG, SITE } from './document.ts';
import type { Raw } from './documents.ts';
import { missingDocument } from './refusals.ts';

export async function organizationOf(call: Call): Promise<Org | undefined> {
  const { org } = call.params;
  if (org === undefined) return undefined;
  return await requireOrganization(call, org).catch((error: unknown) => {
    if (error instanceof Refusal && error.code !== 'HOSTED_UNREACHABLE') return undefined;
    throw error;
  });
}

export async function requireOrganization(call: Call, org: string): Promise<Org> {
  return await call.remembered(`organization ${org}`, async () => {
    const raw = await read(call, 'org', { org });
    if (raw === undefined) throw missingDocument(aboutOf(call, { org }));
    // Safe: it was fitted to the schema of an organization.
    return held({ params: { org } }, ORG, raw as Raw).shown as unknown as Org;
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
    const entries = (org?.users ?? []).filter(({ roles }) => roles.includes('admin')).flatMap(({ email }) => resolved(email, scope));
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
