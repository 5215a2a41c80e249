import { z } from 'zod';
import { RoleName } from './access.ts';
import { dryRun, OF_ORG, OF_PROFILE, OF_SITE, type OwnerRow, removed } from './endpoint-parts.ts';
import { answer, endpoint, json, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';

export const ApiKeyId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'The identifier of an API key holds letters, digits, "-" and "_".');

/** A new key. Without roles, it is an author's, as in the public API; `expiresIn` is in seconds from now. */
export const ApiKeyInput = z.strictObject({
  description: z.string().trim().max(1000).optional(),
  roles: z.array(RoleName).min(1, 'Specify at least one role.').optional(),
  expiresIn: z.number().int('Write whole seconds.').min(60, 'A key is valid for at least 60 seconds.').optional(),
});
export type ApiKeyInput = z.infer<typeof ApiKeyInput>;

/** The public view of a key: everything but its value (docs/contract.md 3.8). */
export const ApiKeyInfo = z.object({
  id: z.string(),
  description: z.string().optional(),
  roles: z.array(RoleName),
  /** The scope: `<org>/<site>`, or `<org>/*` for every site and the organization itself. */
  subject: z.string(),
  created: z.iso.datetime(),
  /** The owner: its creator or, if it was created with another key, the creator of that one. */
  createdBy: z.string(),
  expires: z.iso.datetime(),
  /** The same time, under the name that clients of the public API read. */
  expiration: z.iso.datetime(),
});
export type ApiKeyInfo = z.infer<typeof ApiKeyInfo>;

export const ApiKeyList = z.record(z.string(), ApiKeyInfo);
export type ApiKeyList = z.infer<typeof ApiKeyList>;

/** A new key: its value is shown only once. */
export const CreatedApiKey = ApiKeyInfo.extend({ value: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

const read = { query: NO_QUERY, permission: 'keys:read' } as const;
const write = { query: WRITE_QUERY, permission: 'keys:write' } as const;
const id = { id: ApiKeyId };
const ofOrg = keyRows(OF_ORG, OF_ORG.params.extend(id), 'an organization and all of its sites');
const ofProfile = keyRows(OF_PROFILE, OF_PROFILE.params.extend(id), 'the sites that extend a profile');
const ofSite = keyRows(OF_SITE, OF_SITE.params.extend(id), 'a site');

/** API keys: sent like a token; valid for one organization, the sites of a profile, or one site, with the roles they were created with. */
export const apiKeyEndpoints = {
  listOrgApiKeys: ofOrg.list,
  createOrgApiKey: ofOrg.create,
  getOrgApiKey: ofOrg.get,
  deleteOrgApiKey: ofOrg.remove,
  listProfileApiKeys: ofProfile.list,
  createProfileApiKey: ofProfile.create,
  getProfileApiKey: ofProfile.get,
  deleteProfileApiKey: ofProfile.remove,
  listApiKeys: ofSite.list,
  createApiKey: ofSite.create,
  getApiKey: ofSite.get,
  deleteApiKey: ofSite.remove,
} as const;

function keyRows<Params extends z.ZodObject, One extends z.ZodObject>(owner: OwnerRow<Params>, params: One, validFor: string) {
  const common = { tag: 'API keys', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/apiKeys.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/apiKeys/{id}.json`, params } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      ...read,
      answers: { 200: answer('the keys by their identifiers, without their values', ApiKeyList) },
      errors: owner.missing,
      summary: `List the API keys of ${owner.noun}`,
    }),
    create: endpoint({
      method: 'POST',
      ...all,
      ...write,
      body: json(ApiKeyInput, true),
      answers: { 200: dryRun, 201: answer('created; the value is shown only once', CreatedApiKey) },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create an API key for ${validFor}`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      ...read,
      answers: { 200: answer('the key without its value', ApiKeyInfo) },
      errors: [...owner.missing, 'API_KEY_NOT_FOUND'],
      summary: `Read an API key of ${owner.noun}`,
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      ...write,
      answers: { 200: dryRun, 204: { description: 'revoked' } },
      errors: [...owner.missing, 'API_KEY_NOT_FOUND'],
      summary: `Revoke an API key of ${owner.noun}`,
    }),
  } as const;
}

/** The prefix of a site token's value, by which clients of the public API recognize it. */
export const SITE_TOKEN_PREFIX = 'hlxtst_';

export const SITE_TOKEN_SECONDS = 24 * 60 * 60;

export const SiteTokenId = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9-_=]+$/, 'The identifier of a site token holds letters, digits, "-", "_" and "=".');

export const SiteTokenInput = z.strictObject({});

/** The public view of a site token: everything but its value. One that was imported with a configuration gives no access and has no expiry date. */
export const SiteTokenInfo = z.object({
  id: z.string(),
  created: z.iso.datetime({ offset: true }).optional(),
  expires: z.iso.datetime().optional(),
});
export type SiteTokenInfo = z.infer<typeof SiteTokenInfo>;

export const SiteTokenList = z.record(z.string(), SiteTokenInfo);

/** A new site token: its value is shown only once. */
export const CreatedSiteToken = z.object({
  id: z.string(),
  value: z.string(),
  created: z.iso.datetime(),
  expires: z.iso.datetime(),
});

const tokenId = { id: SiteTokenId };
const siteRows = tokenRows(OF_SITE, OF_SITE.params.extend(tokenId));
const profileRows = tokenRows(OF_PROFILE, OF_PROFILE.params.extend(tokenId));

/** Site tokens: each gives access to the hosts of a site for a day, regardless of the site's access rules, so only admins create them. */
export const siteTokenEndpoints = {
  listSiteTokens: siteRows.list,
  createSiteToken: siteRows.create,
  getSiteToken: siteRows.get,
  deleteSiteToken: siteRows.remove,
  listProfileTokens: profileRows.list,
  createProfileToken: profileRows.create,
  getProfileToken: profileRows.get,
  deleteProfileToken: profileRows.remove,
} as const;

function tokenRows<Params extends z.ZodObject, One extends z.ZodObject>(owner: OwnerRow<Params>, params: One) {
  const common = { tag: 'Secrets', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/tokens.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/tokens/{id}.json`, params } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: answer('the tokens by their identifiers, without their values', SiteTokenList) },
      errors: owner.missing,
      summary: `List the site tokens of ${owner.noun}`,
    }),
    create: endpoint({
      method: 'POST',
      ...all,
      ...write,
      body: json(SiteTokenInput, true),
      answers: { 200: dryRun, 201: answer('created; the value is shown only once', CreatedSiteToken) },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create a site token of ${owner.noun}, which opens its protected hosts for a day`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: answer('the token without its value', SiteTokenInfo) },
      errors: [...owner.missing, 'SITE_TOKEN_NOT_FOUND'],
      summary: `Read a site token of ${owner.noun} without its value`,
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      ...write,
      answers: removed,
      errors: [...owner.missing, 'SITE_TOKEN_NOT_FOUND'],
      summary: `Remove a site token of ${owner.noun}`,
    }),
  } as const;
}
