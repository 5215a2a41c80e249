import { contentRootKey, hostOfContentRoot, unescaped } from '@repoless/contract/addresses.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { contentRoot, contentRoots, mappingWarnings } from '@repoless/contract/mappings.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import type { ContentSource, Profile, PublicConfig, Site, SiteInput } from '@repoless/contract/site.ts';
import type { View } from '../changes/change.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import type { Reads } from '../domain/ports.ts';
import { extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { memoizePerDocument } from '../domain/documents.ts';
import type { SiteWrite, StoredSite } from './ports.ts';

export interface SiteName {
  readonly org: string;
  readonly site: string;
}

/** The new site: its own configuration, and that over its profile. */
export interface NextSite {
  readonly config: Site;
  readonly aggregate: Site;
}

/** The profile that a site extends; undefined if none. Refuses a named profile that does not exist. */
export async function profileOf(reads: Reads, org: string, config: Site): Promise<Profile | undefined> {
  const profile = extendedProfile(config);
  if (profile === undefined) return undefined;
  const stored = await reads.profile(org, profile);
  if (stored !== undefined || config.extends === undefined) return stored?.config;
  throw bodyInvalid(
    '/extends/profile',
    `The profile "${org}/${profile}" does not exist. Create it first, PUT /config/${org}/profiles/${profile}.json, or use another.`,
  );
}

/** Refuses a site that, even with its profile, lacks code or content, and a delivery address of another site. */
export function checkAggregate(name: SiteName, aggregate: Site): void {
  refuseErrors(required(aggregate));
  if (aggregate.content !== undefined) checkDeliveryAddress(aggregate.content, name.org, name.site);
}

/**
 * Refuses a content root that is not the site's and cannot be claimed, a secret for a repository whose secret another site holds, and an
 * external repository whose secret no site holds (docs/contract.md 3.6 and docs/contract.md 3.7).
 */
export async function checkNeighbours(reads: Reads, name: SiteName, next: NextSite, current: StoredSite | undefined): Promise<void> {
  await checkContentRoot(reads, name, siteIndexKeys(next.aggregate).contentRoot, current?.contentRoot);
  await checkFurtherRoots(reads, name, next.aggregate, current?.aggregate);
  await checkHolder(reads, name, next, current);
}

/** The part of it about the secret of an external repository. */
export async function checkHolder(
  reads: Pick<Reads, 'secretHolder'>,
  name: SiteName,
  next: NextSite,
  current: StoredSite | undefined,
): Promise<void> {
  const keys = siteIndexKeys(next.aggregate);
  const had = current === undefined ? undefined : siteIndexKeys(current.aggregate);
  if (keys.holdsSecret && keys.repository !== undefined && !(had?.holdsSecret === true && had.repository === keys.repository)) {
    const holder = await reads.secretHolder(name.org, keys.repository);
    if (holder !== undefined && !isSame(holder, name)) throw secretNotAllowed(holder);
  }
  const isNew = had === undefined || had.repository !== keys.repository || had.holdsSecret;
  if (externalSource(next.aggregate.code) !== undefined && keys.repository !== undefined && !keys.holdsSecret && isNew) {
    const holder = await reads.secretHolder(name.org, keys.repository);
    if (holder === undefined || isSame(holder, name)) refuseErrors([secretMissing(name, next)]);
  }
}

/** Only its first site holds the secret of an external repository; the others use it. */
export async function refuseSecondHolder(reads: Reads, name: SiteName, site: Site): Promise<void> {
  const { repository, holdsSecret } = siteIndexKeys(site);
  if (repository === undefined || holdsSecret || externalSource(site.code) === undefined) return;
  const holder = await reads.secretHolder(name.org, repository);
  if (holder === undefined) return;
  const sentence = `Site "${holder.org}/${holder.site}" holds the secret of this repository, which this site uses too. Set it there.`;
  throw new Refusal('SECRET_NOT_ALLOWED', sentence, { data: { ...holder, requested: name.site } });
}

/** A complete site that replaces another preserves these files if it does not name them: they have their own calls. */
export function withStoredYaml(input: SiteInput, current: Site | undefined): SiteInput {
  const unsent = SITE_YAML_NAMES.filter((name) => input[name] === undefined && current?.[name] !== undefined);
  return { ...input, ...Object.fromEntries(unsent.map((name) => [name, current?.[name]])) };
}

/** Refuses with BODY_INVALID and the first message, if there are any. */
export function refuseErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

function required({ code, content, extends: from }: Site): FieldError[] {
  const or = from?.profile === undefined ? '' : ` here or to the profile "${from.profile}"`;
  return [
    ...(code === undefined ? [{ pointer: '/code', detail: `A site needs a code source: send "code"${or}.` }] : []),
    ...(content === undefined ? [{ pointer: '/content', detail: `A site needs a content source: send "content"${or}.` }] : []),
  ];
}

/** Refuses a delivery address of another site: its org and site must equal those of the path (docs/contract.md 3.4). */
function checkDeliveryAddress(content: ContentSource, org: string, site: string): void {
  const [, bin, delivery, urlOrg = '', urlSite = ''] = unescaped(new URL(content.source.url).pathname).split('/');
  if (bin !== 'bin' || delivery?.endsWith('.delivery') !== true) return;
  if (urlOrg === org && urlSite === site) return;
  const sentence = `The content address belongs to site "${urlOrg}/${urlSite}", but this is site "${org}/${site}".`;
  throw new Refusal('CONTENT_ADDRESS_MISMATCH', sentence, {
    detail: `The content address belongs to site "${urlOrg}/${urlSite}", but this is site "${org}/${site}". Write …/bin/<connector>.delivery/${org}/${site}/main.`,
    data: { org: urlOrg, site: urlSite },
    errors: [{ pointer: '/content/source/url', detail: `Write the delivery address of ${org}/${site}.` }],
  });
}

function secretMissing({ org }: SiteName, { config, aggregate: { code } }: NextSite): FieldError {
  const repository = `${code?.owner}/${code?.repo}`;
  // The code comes from the profile, which cannot hold a secret.
  if (config.code === undefined)
    return {
      pointer: '/code',
      detail: `No site of the organization "${org}" holds the secret of the external repository ${repository}. Set "code" on one site itself, with "secretId": "${REPOSITORY_SECRET}", and store the secret there. Then try again.`,
    };
  return {
    pointer: '/code/source/secretId',
    detail: `This is the first site of the repository ${repository}: set "secretId": "${REPOSITORY_SECRET}". Further sites use the same secret.`,
  };
}

function secretNotAllowed(holder: SiteName): Refusal {
  const sentence = `Omit secretId: site "${holder.org}/${holder.site}" holds the secret of this repository, which this site uses too.`;
  return new Refusal('SECRET_NOT_ALLOWED', sentence, {
    data: { ...holder },
    errors: [{ pointer: '/code/source/secretId', detail: sentence }],
  });
}

function isSame(one: SiteName, other: SiteName): boolean {
  return one.org === other.org && one.site === other.site;
}

/** Warnings about the mappings that a call stores, as sentences. Takes the part of the call, and everything to be stored. */
export function pathWarnings(
  view: Pick<View<never>, 'pointer'> | undefined,
  config: { readonly public?: PublicConfig | undefined },
): string[] {
  const isAbout = view === undefined || view.pointer === '' || view.pointer === '/public';
  return isAbout ? mappingWarnings(config.public?.paths?.mappings ?? []) : [];
}

/**
 * Refuses a content root that another site claimed, or that is on the authoring host of another organization (docs/contract.md 3.6). Takes
 * the root that the site wants, and its current one, which is not checked again.
 */
export async function checkContentRoot(
  reads: Reads,
  name: SiteName,
  claimed: string | undefined,
  previous: string | undefined,
): Promise<void> {
  if (claimed === undefined || claimed === previous) return;
  const host = hostOfContentRoot(claimed);
  const [owner = name.org, other] = await Promise.all([reads.orgOfAuthoringHost(host), reads.siteWithContentRoot(claimed)]);
  if (owner !== name.org) throw authoringHostTaken(claimed, host);
  if (other !== undefined && !isSame(other, name)) throw contentRootTaken(claimed, other, name.org);
}

/**
 * Refuses newly added mappings to `/`, other than the content root, that are another site's root. Takes both configurations, over the
 * profile.
 */
export async function checkFurtherRoots(
  reads: Pick<Reads, 'siteWithContentRoot'>,
  name: SiteName,
  next: Site,
  current: Site | undefined,
): Promise<void> {
  const known = new Set(current === undefined ? [] : furtherRootKeys(current));
  for (const root of furtherRootKeys(next)) {
    const other = known.has(root) ? undefined : await reads.siteWithContentRoot(root);
    if (other !== undefined && !isSame(other, name)) throw contentRootTaken(root, other, name.org);
  }
}

/** Takes the organization of the caller. Another organization and its site are not named. */
export function contentRootTaken(contentRoot: string, other: SiteName, org: string): Refusal {
  const owner = other.org === org ? `site "${other.org}/${other.site}"` : 'a site of another organization';
  const sentence = `The content root ${contentRoot} already belongs to ${owner}. A content root can belong to only one site.`;
  return new Refusal('CONTENT_ROOT_TAKEN', sentence, other.org === org ? { data: { ...other } } : {});
}

function authoringHostTaken(contentRoot: string, host: string): Refusal {
  const sentence = `The authoring host ${host} belongs to another organization, so this site cannot have the content root ${contentRoot}. Ask the operator of the service, who can assign the host.`;
  return new Refusal('CONTENT_ROOT_TAKEN', sentence, { data: { host } });
}

/** The keys by which a site is found: its content root on its authoring host, its repository, and whether it holds the secret. */
export const siteIndexKeys = memoizePerDocument((config: Site): Pick<SiteWrite, 'contentRoot' | 'repository' | 'holdsSecret'> => {
  const { source, owner, repo } = config.code ?? {};
  const external = externalSource(config.code);
  const root = contentRoot(config.public?.paths?.mappings ?? []);
  const key = config.content === undefined || root === undefined ? undefined : contentRootKey(config.content.source.url, root);
  return {
    ...(key === undefined ? {} : { contentRoot: key }),
    ...(source === undefined || owner === undefined || repo === undefined
      ? {}
      : { repository: `${external === undefined ? 'github' : 'byogit'}:${owner}/${repo}` }),
    holdsSecret: external?.secretId !== undefined,
  };
});

/**
 * Content that a site maps to `/` in addition to its content root, and that is elsewhere: it must not be another site's root. Mappings that
 * are never used don't count.
 */
const furtherRootKeys = memoizePerDocument((config: Site): readonly string[] => {
  const [root, ...others] = contentRoots(config.public?.paths?.mappings ?? []);
  const elsewhere = others.filter((path) => !path.startsWith(`${root ?? ''}/`)).slice(-LIMITS.mappingsTried);
  return elsewhere.flatMap((path) => (config.content === undefined ? [] : (contentRootKey(config.content.source.url, path) ?? [])));
});
