import type { ApiKeyInfo, ApiKeyInput } from '#contract/api-key.ts';
import type { apiKeyEndpoints } from '#contract/api-key-endpoints.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredApiKey, Writes } from '../ports.ts';
import { permit, requireUser, unclaimed } from '../roles/permit.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { siteNotFound } from '../sites/find-site.ts';
import type { Outcome, Verb } from '../verb.ts';
import { expiryOf } from './expiry.ts';
import type { KeyLifetime } from './expiry.ts';
import type { KnownKeys } from './known-keys.ts';

export type ApiKeyVerbs = { readonly [Id in keyof typeof apiKeyEndpoints]: Verb<(typeof apiKeyEndpoints)[Id]> };

export interface ApiKeyServices {
  readonly tokens: Pick<Tokens, 'issueKey'>;
  readonly known: Pick<KnownKeys, 'forget'>;
  readonly lifetime: KeyLifetime;
}

/** Where keys belong: a site, or the organization itself. */
interface Place {
  readonly org: string;
  readonly site?: string;
}

/** API keys (decision record 0025). Their admins alone make, see and revoke them, so no key has more rights than its maker. */
export function apiKeyVerbs(services: ApiKeyServices): ApiKeyVerbs {
  return {
    listOrgApiKeys: (context, { params }) => list(context, params),
    createOrgApiKey: (context, { params, body }) => create(services, context, params, body),
    getOrgApiKey: (context, { params }) => get(context, params),
    deleteOrgApiKey: (context, { params }) => revoke(services, context, params),
    listApiKeys: (context, { params }) => list(context, params),
    createApiKey: (context, { params, body }) => create(services, context, params, body),
    getApiKey: (context, { params }) => get(context, params),
    deleteApiKey: (context, { params }) => revoke(services, context, params),
  };
}

async function list(context: Context, { org, site }: Place): Promise<Outcome> {
  const { reads } = context.store;
  await requirePlace(reads, { org, ...(site !== undefined && { site }) });
  const keys = await reads.apiKeys(org, site);
  return { status: 200, body: Object.fromEntries(keys.map((key) => [key.id, infoOf(key)])) };
}

async function get(context: Context, params: Place & { readonly id: string }): Promise<Outcome> {
  const { reads } = context.store;
  await requirePlace(reads, params);
  return { status: 200, body: infoOf(await findKey(reads, params)) };
}

async function create(services: ApiKeyServices, context: Context, { org, site }: Place, body: ApiKeyInput = {}): Promise<Outcome> {
  const created = context.now();
  const key: StoredApiKey = {
    id: context.newId(),
    org,
    ...(site !== undefined && { site }),
    ...(body.description !== undefined && { description: body.description }),
    roles: [...new Set(body.roles ?? DEFAULT_ROLES)],
    created,
    createdBy: requireUser(context.caller).email,
    expires: expiryOf(created, body.expiresIn, services.lifetime),
  };
  const value = await services.tokens.issueKey(key);
  await context.store.write(async (writes) => {
    await permitted(context, writes, key);
    await writes.putApiKey(key);
    await audit(context, writes, key, 'create-api-key');
  });
  return { status: 201, body: { ...infoOf(key), value } };
}

async function revoke(services: ApiKeyServices, context: Context, params: Place & { readonly id: string }): Promise<Outcome> {
  await context.store.write(async (writes) => {
    await permitted(context, writes, params);
    const key = await findKey(writes, params);
    await writes.deleteApiKey(key.id);
    await audit(context, writes, key, 'delete-api-key');
  });
  services.known.forget(params.id);
  return { status: 204 };
}

/** What a key without roles may, as at the public API. */
const DEFAULT_ROLES = ['author'] as const;

async function permitted(context: Context, writes: Writes, place: Place): Promise<void> {
  const { org, site } = await readPlace(writes, place);
  permit(context.caller, 'keys:write', { name: place.org, org, site: site?.aggregate });
  if (place.site !== undefined && site === undefined) throw siteNotFound({ org: place.org, site: place.site });
}

async function requirePlace(reads: Reads, place: Place): Promise<void> {
  const { org, site } = await readPlace(reads, place);
  if (org === undefined) throw unclaimed(place.org);
  if (place.site !== undefined && site === undefined) throw siteNotFound({ org: place.org, site: place.site });
}

async function readPlace(reads: Reads, { org, site }: Place) {
  return site === undefined ? { org: await reads.org(org), site: undefined } : await reads.orgAndSite(org, site);
}

/** A key of another place is as if it were not there. */
async function findKey(reads: Reads, { org, site, id }: Place & { readonly id: string }): Promise<StoredApiKey> {
  const key = await reads.apiKey(id);
  if (key?.org === org && key.site === site) return key;
  const place = site === undefined ? `The organization "${org}"` : `Site "${org}/${site}"`;
  throw new Refusal('API_KEY_NOT_FOUND', `${place} has no API key "${id}".`);
}

function infoOf({ id, org, site, description, roles, created, createdBy, expires }: StoredApiKey): ApiKeyInfo {
  return {
    id,
    ...(description !== undefined && { description }),
    roles: [...roles],
    subject: `${org}/${site ?? '*'}`,
    created: created.toISOString(),
    createdBy,
    expires: expires.toISOString(),
    expiration: expires.toISOString(),
  };
}

async function audit(context: Context, writes: Writes, { org, site, id }: StoredApiKey, verb: string): Promise<void> {
  await writes.addAudit({
    org,
    ...(site !== undefined && { site }),
    time: context.now(),
    user: requireUser(context.caller).email,
    action: `${verb}/${id}`,
    requestId: context.requestId,
  });
}
