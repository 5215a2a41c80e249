import type { z } from 'zod';
import { ApiKeyId, ApiKeyInfo, ApiKeyInput, ApiKeyList, CreatedApiKey } from './api-key.ts';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { dryRun, OrgParams, SiteParams } from './site-endpoints.ts';

const READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;
const common = { tag: 'API keys', preconditions: true } as const;
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ description, media: ['application/json'] as const, schema });
const list = { ...common, method: 'GET', query: NO_QUERY, permission: 'keys:read' } as const;
const create = {
  ...common,
  method: 'POST',
  query: WRITE_QUERY,
  body: { media: ['application/json'], schema: ApiKeyInput, optional: true },
  permission: 'keys:write',
  answers: { 200: dryRun, 201: answer('created; the value is shown only once', CreatedApiKey) },
} as const;
const remove = {
  ...common,
  method: 'DELETE',
  query: WRITE_QUERY,
  permission: 'keys:write',
  answers: { 200: dryRun, 204: { description: 'revoked' } },
} as const;
const listed = { 200: answer('the keys by their identifiers, without their values', ApiKeyList) };
const found = { 200: answer('the key without its value', ApiKeyInfo) };

const ofOrg = { path: '/config/{org}/apiKeys.json', params: OrgParams } as const;
const oneOfOrg = { path: '/config/{org}/apiKeys/{id}.json', params: OrgParams.extend({ id: ApiKeyId }) } as const;
const ofSite = { path: '/config/{org}/sites/{site}/apiKeys.json', params: SiteParams } as const;
const oneOfSite = { path: '/config/{org}/sites/{site}/apiKeys/{id}.json', params: SiteParams.extend({ id: ApiKeyId }) } as const;

/** API keys: sent like a token, good for one organization or one of its sites, for the roles that they were made with. */
export const apiKeyEndpoints = {
  listOrgApiKeys: endpoint({ ...list, ...ofOrg, answers: listed, errors: READ_ERRORS, summary: 'List the API keys of an organization' }),
  createOrgApiKey: endpoint({
    ...create,
    ...ofOrg,
    errors: [...READ_ERRORS, ...WRITE_ERRORS],
    summary: 'Create an API key for an organization and all of its sites',
  }),
  getOrgApiKey: endpoint({
    ...list,
    ...oneOfOrg,
    answers: found,
    errors: [...READ_ERRORS, 'API_KEY_NOT_FOUND'],
    summary: 'Read an API key of an organization',
  }),
  deleteOrgApiKey: endpoint({
    ...remove,
    ...oneOfOrg,
    errors: [...READ_ERRORS, 'API_KEY_NOT_FOUND'],
    summary: 'Revoke an API key of an organization',
  }),
  listApiKeys: endpoint({
    ...list,
    ...ofSite,
    answers: listed,
    errors: [...READ_ERRORS, 'SITE_NOT_FOUND'],
    summary: 'List the API keys of a site',
  }),
  createApiKey: endpoint({
    ...create,
    ...ofSite,
    errors: [...READ_ERRORS, ...WRITE_ERRORS, 'SITE_NOT_FOUND'],
    summary: 'Create an API key for a site',
  }),
  getApiKey: endpoint({
    ...list,
    ...oneOfSite,
    answers: found,
    errors: [...READ_ERRORS, 'SITE_NOT_FOUND', 'API_KEY_NOT_FOUND'],
    summary: 'Read an API key of a site',
  }),
  deleteApiKey: endpoint({
    ...remove,
    ...oneOfSite,
    errors: [...READ_ERRORS, 'SITE_NOT_FOUND', 'API_KEY_NOT_FOUND'],
    summary: 'Revoke an API key of a site',
  }),
} as const;
