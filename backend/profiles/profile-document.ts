import { canonical, defined, sameValue } from '@repoless/contract/json.ts';
import type { Consequence, ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Profile, ProfileInput } from '@repoless/contract/site.ts';
import { groupConsequences, type PeopleContext, siteConsequences } from '@repoless/core/access/consequences.ts';
import { permit } from '../access/permit.ts';
import { checkSiteGroups, hasSameGrants, notAuthorized, peopleContext, rolesOf } from '../access/roles.ts';
import { changeDocument, within } from '../changes/change-document.ts';
import type { Change, DocumentKind } from '../changes/change.ts';
import type { Context, DomainSettings, Outcome } from '../domain/context.ts';
import { bytesOf, etagOf, requireSmall } from '../domain/documents.ts';
import { profileInUse, Refusal } from '@repoless/contract/refusal.ts';
import { createTimeSlices } from '../domain/fair-share.ts';
import type { Reads } from '../domain/ports.ts';
import { profileOwner } from '../owners/owner.ts';
import { aggregateSite } from '@repoless/contract/aggregate-site.ts';
import {
  checkAggregate,
  checkContentRoot,
  checkFurtherRoots,
  checkHolder,
  contentRootTaken,
  pathWarnings,
  siteIndexKeys,
} from '../sites/check-site.ts';
import { completedParts } from '../sites/site-document.ts';
import type { AggregateWrite, StoredProfile, StoredSite } from '../sites/ports.ts';
import type { Caller } from '../sessions/identity.ts';

export interface ProfileName {
  readonly org: string;
  readonly profile: string;
}

export type ProfileChange = Change<ProfileName, Profile, ProfileInput>;

/** Profiles. A change is refused entirely if it breaks a rule on one of the sites that extend it. */
export const PROFILES: DocumentKind<ProfileName, Profile, ProfileInput, StoredProfile> = {
  nameOf: ({ org, profile }) => ({ org, profile }),
  subject: ({ org, profile }) => ({ kind: 'profile', org, profile }),
  title: ({ org, profile }) => `The profile "${org}/${profile}"`,
  ownName: ({ profile }) => profile,
  secretsOf: ({ org, profile }) => ({ org, site: profileOwner(profile) }),
  ownsSecrets: true,
  find: findProfile,
  partMissing: (part, { org, profile }) => new Refusal('PART_NOT_FOUND', `Profile "${org}/${profile}" has no ${part}.`, { data: { part } }),
  async load(_context, reads, { name }) {
    const [org, current, usage] = await Promise.all([reads.org(name.org), reads.profile(name.org, name.profile), reads.usage(name.org)]);
    return { org, current, usage };
  },
  permit: ({ caller }, { name, permission }, { org }) => permit(caller, permission, { name: name.org, org }),
  missing: (_context, name) => profileNotFound(name),
  async remove({ change: { name }, reads, permitted }) {
    await refuseUsed(reads, name);
    const { sites } = await affectedSites(reads, name, { profile: undefined, groups: permitted?.groups });
    return { sites };
  },
  complete: ({ context, change, input }, times) => completeProfile(change.name.profile, input, times, context.settings),
  async check({ context: { caller }, change, permitted, current, config }) {
    if (permitted !== undefined) await within(change, () => leavePeople(caller, permitted, current?.config ?? change.copiedFrom, config));
  },
  warnings: ({ view }, config) => pathWarnings(view, config),
  async checkSecrets({ context: { caller }, change, permitted }) {
    if (permitted !== undefined) await within(change, () => requireAdmin(caller, permitted));
  },
  async checkOthers({ change: { name }, reads, permitted, current, config }, bytes) {
    const { sites, bytes: more } = await affectedSites(reads, name, { profile: config, groups: permitted?.groups });
    const own = current === undefined ? 2 * bytes : bytes;
    // As for a single site that moves to another repository: the previous one counts until the move is complete.
    const repositories = new Set(sites.flatMap((site) => site.repository ?? []));
    return { sites, usage: { versions: 1, bytes: own + Math.max(0, more) }, repositories: [...repositories] };
  },
  async put(_context, writes, { name: { org, profile } }, { config, etag, sites = [] }, version) {
    if (config === null) await writes.deleteProfile(org, profile);
    else await writes.putProfile({ org, profile, config, etag: etag ?? etagOf(config), version });
    const pause = createTimeSlices();
    for (const site of sites) {
      await writes.putAggregate(site);
      // Each is printed again.
      await pause();
    }
  },
  async consequences({ caller }, reads, name, { org, config }) {
    return profileConsequences(await reads.sitesOfProfile(name.org, name.profile), config ?? undefined, peopleContext(caller, org));
  },
  auditAction: ({ action, name }) => auditAction(action, name.profile),
  async stored({ firstSyncs }, { name: { org } }, { sites = [] }) {
    // Most have the profile's code, hence the same: one sync of it is enough.
    const sources = new Map(sites.map(({ aggregate, repository }) => [repository, aggregate.code]));
    for (const code of sources.values()) await firstSyncs?.codeStored(org, code);
  },
};

export async function findProfile(context: Context, name: ProfileName): Promise<StoredProfile> {
  const profile = await context.store.reads.profile(name.org, name.profile);
  if (profile === undefined) throw profileNotFound(name);
  return profile;
}

export function profileNotFound({ org, profile }: ProfileName): Refusal {
  const sentence = `The profile "${org}/${profile}" does not exist.`;
  return new Refusal('PROFILE_NOT_FOUND', sentence, {
    detail: `${sentence} Create it: PUT /config/${org}/profiles/${profile}.json.`,
    data: { org, profile },
  });
}

/**
 * Completes a client's profile into the stored one. A profile has no required parts; each of its sites is checked together with it. A
 * profile holds no secret: only one of all sites of a repository does.
 */
export function completeProfile(
  name: string,
  input: ProfileInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Profile {
  const parts = completedParts(input, settings.codeHost);
  if (externalSource(parts.code)?.secretId !== undefined) throw secretInProfile();
  return canonical({ ...input, ...parts, version: 1, name, created: times.created, lastModified: times.now } satisfies Profile);
}

function secretInProfile(): Refusal {
  const sentence = 'Omit secretId: a profile cannot hold a secret. The first site of the repository holds it, and the others use it.';
  return new Refusal('SECRET_NOT_ALLOWED', sentence, { errors: [{ pointer: '/code/source/secretId', detail: sentence }] });
}

export function changeProfile(context: Context, change: ProfileChange): Promise<Outcome> {
  return changeDocument(context, PROFILES, change);
}

/** What a profile does after the change to the people of the sites that extend it. */
export async function profileConsequences(
  sites: readonly StoredSite[],
  profile: Profile | undefined,
  people: PeopleContext,
): Promise<ConsequenceOfSites[]> {
  const found: { what: Consequence; sites: readonly string[] }[] = [];
  const pause = createTimeSlices();
  for (const { site, config, aggregate } of sites) {
    await pause();
    for (const what of siteConsequences(aggregate, aggregateSite(config, profile), people)) found.push({ what, sites: [site] });
  }
  return groupConsequences(found);
}

/**
 * Administrators of a profile administer every site that extends it, and its readers read their hosts: only the organization's own admins
 * may name them.
 */
function leavePeople(caller: Caller, org: Org, before: Profile | undefined, after: Profile): void {
  if (hasSameGrants(before, after)) return;
  if (rolesOf(caller, org).has('admin')) return checkSiteGroups(after, org);
  throw notAuthorized(caller, org, {
    why: 'Only an admin of the organization may use a profile to change who administers its sites or reads their hosts (access and groups).',
    reason: 'profileAccess',
  });
}

/** A secret of a profile may grant access to the hosts of every site that extends it. */
function requireAdmin(caller: Caller, org: Org): void {
  if (rolesOf(caller, org).has('admin')) return;
  throw notAuthorized(caller, org, {
    why: 'Only an admin of the organization may set the secrets of a profile.',
    reason: 'profileSecrets',
  });
}

/** A site that extends a profile by default continues without it; one that names it cannot. */
async function refuseUsed(reads: Reads, { org, profile }: ProfileName): Promise<void> {
  const naming = (await reads.sitesOfProfile(org, profile)).filter(({ config }) => config.extends !== undefined);
  const sites = naming.map(({ site }) => site);
  if (sites.length > 0) throw profileInUse(profile, sites);
}

/** `set-headers` of the profile `base` is `set-profiles/base/headers`, by its address. */
function auditAction(action: string, profile: string): string {
  const [operation = '', ...rest] = action.split('-');
  return [`${operation}-profiles/${profile}`, ...(rest.length === 0 ? [] : [rest.join('-')])].join('/');
}

/**
 * What a profile changes on the sites that extend it: the changed sites, and approximately how many more bytes they take. Refuses, naming
 * the site, if it breaks a rule on one of them by which a write of the site itself would be refused. Takes the new profile, undefined if it
 * is removed, and the groups of the organization.
 */
async function affectedSites(
  reads: Reads,
  { org, profile: name }: ProfileName,
  { profile, groups }: { readonly profile: Profile | undefined; readonly groups: Org['groups'] },
): Promise<AffectedSites> {
  const sites: AggregateWrite[] = [];
  let bytes = 0;
  const roots = new Map<string, string>();
  const holders = holdersOnce(reads);
  const ofSite = profile === undefined ? withoutIt : withIt;
  const pause = createTimeSlices();
  for (const stored of await reads.sitesOfProfile(org, name)) {
    // Each is merged over the profile, checked and compared: other work runs in between.
    await pause();
    const aggregate = aggregateSite(stored.config, profile);
    const site = stored.site;
    const keys = siteIndexKeys(aggregate);
    const isSame = sameValue(aggregate, stored.aggregate);
    // An unchanged site claims nothing, and may have lost its root to another of them.
    const root = isSame ? stored.contentRoot : keys.contentRoot;
    if (root !== undefined) {
      const other = roots.get(root);
      if (other !== undefined) throw ofSite(stored, contentRootTaken(root, { org, site: other }, org));
      roots.set(root, site);
    }
    if (isSame) continue;
    try {
      checkAggregate(stored, aggregate);
      if (!hasSameGrants(stored.aggregate, aggregate)) checkSiteGroups(aggregate, { groups });
      bytes += requireSmall(aggregate, `The site "${org}/${site}"`) - bytesBefore(stored);
      await checkContentRoot(reads, stored, keys.contentRoot, stored.contentRoot);
      await checkFurtherRoots(reads, stored, aggregate, stored.aggregate);
      await checkHolder(holders, stored, { config: stored.config, aggregate }, stored);
    } catch (error) {
      throw error instanceof Refusal ? ofSite(stored, error) : error;
    }
    sites.push({ org, site, aggregate, alone: profile === undefined, ...keys });
  }
  return { sites, bytes };
}

interface AffectedSites {
  readonly sites: readonly AggregateWrite[];
  readonly bytes: number;
}

/** Nothing is stored in addition to the configuration of a site that extends no profile. */
function bytesBefore({ aggregate }: StoredSite): number {
  return aggregate.extends === undefined ? 0 : bytesOf(aggregate);
}

/** Reads the holder of a repository's secret once: most sites of a profile use the same repository. */
function holdersOnce(reads: Reads): Pick<Reads, 'secretHolder'> {
  const found = new Map<string, ReturnType<Reads['secretHolder']>>();
  return {
    secretHolder(org, repository) {
      const known = found.get(repository) ?? reads.secretHolder(org, repository);
      found.set(repository, known);
      return known;
    },
  };
}

const withIt = (stored: StoredSite, refusal: Refusal) => brokenRule('With', stored, refusal);
const withoutIt = (stored: StoredSite, refusal: Refusal) => brokenRule('Without', stored, refusal);

function brokenRule(when: 'With' | 'Without', { org, site }: StoredSite, refusal: Refusal): Refusal {
  const describe = (sentence: string) => `${when} this profile site "${org}/${site}" would break a rule. ${sentence}`;
  return refusal.with({
    sentence: describe(refusal.message),
    data: { ...refusal.data, extending: `${org}/${site}` },
    ...defined({ detail: refusal.detail && describe(refusal.detail) }),
  });
}
