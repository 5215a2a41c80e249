import { externalSource } from '#contract/code-source.ts';
import { hostLabelProblem, DEFAULT_REF } from '#contract/names.ts';
import type { FieldError } from '#contract/errors.ts';
import { REPOSITORY_SECRET } from '#contract/secret.ts';
import type { Profile, Site, SiteInput } from '#contract/site.ts';
import { canonical } from '../canonical.ts';
import type { DomainSettings } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads } from '../ports.ts';
import { extendedProfile } from './aggregate-site.ts';
import { siteYamlErrors } from './check-yaml.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { completeCode } from './complete-code.ts';
import { checkDeliveryAddress, completeContent } from './complete-content.ts';
import { siteIndexKeys } from './site-index-keys.ts';

export interface SiteName {
  readonly org: string;
  readonly site: string;
}

/**
 * Makes of what a client sent what is stored, and refuses what breaks a rule that goes beyond one field (docs/contract.md
 * 3.2). What may come from a profile is checked of both together (`checkAggregate`). `times`:
 * when the site was made, and now.
 */
export function completeSite(
  name: SiteName,
  input: SiteInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Site {
  refuseErrors(nameErrors(input.name, name.site));
  const problem = hostLabelProblem(DEFAULT_REF, name.site, name.org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const code = input.code === undefined ? undefined : completeCode(input.code, settings.codeHost);
  const content = input.content === undefined ? undefined : completeContent(input.content);
  refuseErrors([...(code?.errors ?? []), ...(content?.errors ?? []), ...siteYamlErrors(input)]);
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name: name.site,
    created: times.created,
    lastModified: times.now,
    ...(code === undefined ? {} : { code: code.code }),
    ...(content === undefined ? {} : { content: content.content }),
  } satisfies Site);
}

/** The profile that a site extends; undefined where it extends none. Refuses one that is named and does not exist. */
export async function profileOf(reads: Reads, org: string, config: Site): Promise<Profile | undefined> {
  const profile = extendedProfile(config);
  if (profile === undefined) return undefined;
  const stored = await reads.profile(org, profile);
  if (stored !== undefined || config.extends === undefined) return stored?.config;
  const sentence = `There is no profile "${org}/${profile}". Create it first, PUT /config/${org}/profiles/${profile}.json, or name another.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/extends/profile', detail: sentence }] });
}

/** Refuses a site that lacks code or content, its profile included, and a delivery address of another site. */
export function checkAggregate(name: SiteName, aggregate: Site): void {
  refuseErrors(required(aggregate));
  if (aggregate.content !== undefined) checkDeliveryAddress(aggregate.content, name.org, name.site);
}

/**
 * Refuses a content root that another site has, a secret for a repository whose secret another site holds, and an external
 * repository whose secret no site holds (docs/contract.md 3.6 and docs/contract.md 3.7).
 */
export async function checkNeighbours(reads: Reads, name: SiteName, next: Site, before: Site | undefined): Promise<void> {
  const keys = siteIndexKeys(next);
  const had = before === undefined ? undefined : siteIndexKeys(before);
  if (keys.contentRoot !== undefined && keys.contentRoot !== had?.contentRoot) {
    const other = await reads.siteWithContentRoot(keys.contentRoot);
    if (other !== undefined && !isSame(other, name)) throw contentRootTaken(keys.contentRoot, other, name.org);
  }
  if (keys.holdsSecret && keys.repository !== undefined && !(had?.holdsSecret === true && had.repository === keys.repository)) {
    const holder = await reads.secretHolder(name.org, keys.repository);
    if (holder !== undefined && !isSame(holder, name)) throw secretNotAllowed(holder);
  }
  const isNew = had === undefined || had.repository !== keys.repository || had.holdsSecret;
  if (externalSource(next.code) !== undefined && keys.repository !== undefined && !keys.holdsSecret && isNew) {
    const holder = await reads.secretHolder(name.org, keys.repository);
    if (holder === undefined || isSame(holder, name)) refuseErrors([secretMissing(next)]);
  }
}

function secretMissing({ code }: Site): FieldError {
  const place = `${code?.owner}/${code?.repo}`;
  return {
    pointer: '/code/source/secretId',
    detail: `This is the first site of the repository ${place}: name its secret, "secretId": "${REPOSITORY_SECRET}". Further sites use the same one.`,
  };
}

/** In: the organization that is told. Another one, and its site, are not named to it. */
export function contentRootTaken(contentRoot: string, other: SiteName, org: string): Refusal {
  const owner = other.org === org ? `site "${other.org}/${other.site}"` : 'a site of another organization';
  const sentence = `The content root ${contentRoot} belongs to ${owner} already; every site of the content tree has exactly one service site.`;
  return new Refusal('CONTENT_ROOT_TAKEN', sentence, other.org === org ? { data: { ...other } } : {});
}

function secretNotAllowed(holder: SiteName): Refusal {
  const sentence = `Leave secretId out: site "${holder.org}/${holder.site}" holds the secret of this repository, and it is used here too.`;
  return new Refusal('SECRET_NOT_ALLOWED', sentence, {
    data: { ...holder },
    errors: [{ pointer: '/code/source/secretId', detail: sentence }],
  });
}

/** Refuses with BODY_INVALID and the first of the sentences, where there are any. */
export function refuseErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

/** A document is known by its address; another name in it would be a slip. */
export function nameErrors(given: string | undefined, name: string): FieldError[] {
  if (given === undefined || given === name) return [];
  return [{ pointer: '/name', detail: `The name "${given}" differs from "${name}" in the address. Write the same, or leave it out.` }];
}

function required({ code, content, extends: from }: Site): FieldError[] {
  const or = from?.profile === undefined ? '' : ` here or to the profile "${from.profile}"`;
  return [
    ...(code === undefined ? [{ pointer: '/code', detail: `A site needs a code source: send "code"${or}.` }] : []),
    ...(content === undefined ? [{ pointer: '/content', detail: `A site needs a content source: send "content"${or}.` }] : []),
  ];
}

function isSame(one: SiteName, other: SiteName): boolean {
  return one.org === other.org && one.site === other.site;
}
