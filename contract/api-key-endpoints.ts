import type { z } from 'zod';
import { ApiKeyId, ApiKeyInfo, ApiKeyInput, ApiKeyList, CreatedApiKey } from './api-key.ts';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { OF_ORG, OF_PROFILE, OF_SITE } from './owners.ts';
import type { OwnerRow } from './owners.ts';
import { dryRun } from './site-endpoints.ts';

const id = { id: ApiKeyId };
const ofOrg = keyRows(OF_ORG, OF_ORG.params.extend(id), 'an organization and all of its sites');
const ofProfile = keyRows(OF_PROFILE, OF_PROFILE.params.extend(id), 'the sites that extend a profile');
const ofSite = keyRows(OF_SITE, OF_SITE.params.extend(id), 'a site');

/** API keys: sent like a token, good for one organization, the sites of a profile, or one site, for the roles that they were made with. */
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

function keyRows<Params extends z.ZodObject, One extends z.ZodObject>(owner: OwnerRow<Params>, params: One, goodFor: string) {
  const common = { tag: 'API keys', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/apiKeys.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/apiKeys/{id}.json`, params } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      query: NO_QUERY,
      permission: 'keys:read',
      answers: { 200: answer('the keys by their identifiers, without their values', ApiKeyList) },
      errors: owner.missing,
      summary: `List the API keys of ${owner.noun}`,
    }),
    create: endpoint({
      method: 'POST',
      ...all,
      query: WRITE_QUERY,
      body: { media: ['application/json'], schema: ApiKeyInput, optional: true },
      permission: 'keys:write',
      answers: { 200: dryRun, 201: answer('created; the value is shown only once', CreatedApiKey) },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create an API key for ${goodFor}`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: 'keys:read',
      answers: { 200: answer('the key without its value', ApiKeyInfo) },
      errors: [...owner.missing, 'API_KEY_NOT_FOUND'],
      summary: `Read an API key of ${owner.noun}`,
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      query: WRITE_QUERY,
      permission: 'keys:write',
      answers: { 200: dryRun, 204: { description: 'revoked' } },
      errors: [...owner.missing, 'API_KEY_NOT_FOUND'],
      summary: `Revoke an API key of ${owner.noun}`,
    }),
  } as const;
}

function answer<S extends z.ZodType>(description: string, schema: S) {
  return { description, media: ['application/json'] as const, schema };
}
