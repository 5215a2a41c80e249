import type { Site } from '@repoless/contract/site.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { StoredSite } from '../domain/ports.ts';
import { etagOf, frozen, oncePerDocument } from '../domain/canonical.ts';
import { isOpen } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';
import type { SiteName } from './check-site.ts';

/** The stored site. Refuses with SITE_NOT_FOUND. */
export async function findSite(context: Context, name: SiteName): Promise<StoredSite> {
  const { permitted } = context;
  const known = permitted?.site?.org === name.org && permitted.site.site === name.site ? permitted.site : undefined;
  const site = known ?? (await context.store.reads.site(name.org, name.site));
  if (site === undefined) throw siteNotFound(name);
  return site;
}

/**
 * The stored site as its caller may see it: where `requireAuth: false` let in somebody without a role, nothing of people,
 * keys and secrets. Refuses with SITE_NOT_FOUND.
 */
export async function shownSite(context: Context, name: SiteName): Promise<StoredSite> {
  const site = await findSite(context, name);
  if (!isOpen(site.aggregate) || (await isAdministered(context, site))) return site;
  const config = shownToEverybody(site.config);
  return { ...site, config, etag: etagOf(config) };
}

/**
 * What holds for a site as its caller may see it. Who administers its configuration sees all of it; who has the role `config`
 * alone, and everybody where `requireAuth` is false, sees nothing of people, keys and secrets (docs/contract.md 4.3). Refuses with
 * SITE_NOT_FOUND.
 */
export async function shownAggregate(context: Context, name: SiteName): Promise<Site> {
  const site = await findSite(context, name);
  return (await isAdministered(context, site)) ? site.aggregate : shownToEverybody(site.aggregate);
}

/** Whether the caller administers the configuration of a site. Nobody who is not signed in does. */
async function isAdministered({ caller, permitted, store }: Context, site: StoredSite): Promise<boolean> {
  if (caller.kind === 'anonymous') return false;
  const org = permitted?.org?.org === site.org ? permitted.org : await store.reads.org(site.org);
  const roles = org === undefined ? new Set() : rolesOf(caller, org.config, site.aggregate);
  return roles.has('admin') || roles.has('config_admin');
}

// Another document than the one with secrets, so that nothing that is made of one, its etag and its JSON, is ever answered for the other.
const shownToEverybody = oncePerDocument((site: Site): Site => frozen(redactedSite(site)));

/** What everybody may see of a site whose reads are open: nothing of people, keys and secrets (docs/contract.md 4.3). */
function redactedSite(site: Site): Site {
  const { code, cdn, access: _access, groups: _groups, secrets: _secrets, apiKeys: _apiKeys, tokens: _tokens, ...others } = site;
  // What is kept without being understood may hold anything.
  const { features: _features, limits: _limits, editor: _editor, ...rest } = others;
  return {
    ...rest,
    ...(code === undefined ? {} : { code: withoutSecret(code) }),
    ...(cdn === undefined ? {} : { cdn: withoutCredentials(cdn) }),
  };
}

export function siteNotFound(name: SiteName): Refusal {
  return new Refusal('SITE_NOT_FOUND', `The site "${name.org}/${name.site}" does not exist.`, { data: { ...name } });
}

export function partNotFound(part: string, name: SiteName): Refusal {
  return new Refusal('PART_NOT_FOUND', `Site "${name.org}/${name.site}" has no ${part}.`);
}

function withoutSecret(code: NonNullable<Site['code']>): Site['code'] {
  if (code.source === undefined) return code;
  const { secretId: _secretId, ...source } = code.source;
  return { ...code, source };
}

/** The production part takes any key, among them the credentials by which caches are emptied: only what is known is shown. */
function withoutCredentials({ prod, ...rest }: NonNullable<Site['cdn']>): Site['cdn'] {
  if (prod === undefined) return rest;
  const { type, host, route } = prod;
  return {
    ...rest,
    prod: { ...(type === undefined ? {} : { type }), ...(host === undefined ? {} : { host }), ...(route === undefined ? {} : { route }) },
  };
}
