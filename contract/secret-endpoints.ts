import { endpoint, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { GeneratedSecret, SecretInfo, SecretInput, SecretList, SecretName } from './secret.ts';
import { SiteParams } from './site-endpoints.ts';

const READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SITE_NOT_FOUND'] as const;
const SecretParams = SiteParams.extend({ name: SecretName });
const all = { path: '/config/{org}/sites/{site}/secrets.json', params: SiteParams, query: NO_QUERY } as const;
const one = { path: '/config/{org}/sites/{site}/secrets/{name}.json', params: SecretParams, query: NO_QUERY } as const;

/** Secrets of a site: no answer ever holds the value of one, but the answer that makes a hashed one. */
export const secretEndpoints = {
  listSecrets: endpoint({
    method: 'GET',
    ...all,
    permission: 'people:read',
    answers: { 200: { description: 'the secrets by name, without their values', media: ['application/json'], schema: SecretList } },
    errors: READ_ERRORS,
    tag: 'Secrets',
    summary: 'List the secrets of a site',
  }),
  generateSecret: endpoint({
    method: 'POST',
    ...all,
    permission: 'config:write',
    answers: { 201: { description: 'made; the value is shown this once', media: ['application/json'], schema: GeneratedSecret } },
    errors: [...READ_ERRORS, 'STORAGE_FULL'],
    tag: 'Secrets',
    summary: 'Make a secret of which only the hash is kept',
  }),
  getSecret: endpoint({
    method: 'GET',
    ...one,
    permission: 'people:read',
    answers: { 200: { description: 'the secret without its value', media: ['application/json'], schema: SecretInfo } },
    errors: [...READ_ERRORS, 'SECRET_NOT_FOUND'],
    tag: 'Secrets',
    summary: 'Read what is told of a secret',
  }),
  setSecret: endpoint({
    method: 'POST',
    ...one,
    body: { media: ['application/json'], schema: SecretInput },
    permission: 'config:write',
    answers: { 200: { description: 'stored sealed; the value is never answered', media: ['application/json'], schema: SecretInfo } },
    errors: [...READ_ERRORS, ...WRITE_ERRORS, 'SECRET_NOT_ALLOWED'],
    tag: 'Secrets',
    summary: 'Set a secret, e.g. that of an external repository',
    rule: 'call 6',
  }),
  deleteSecret: endpoint({
    method: 'DELETE',
    ...one,
    permission: 'config:write',
    answers: { 204: { description: 'removed' } },
    errors: [...READ_ERRORS, 'SECRET_NOT_FOUND', 'STORAGE_FULL'],
    tag: 'Secrets',
    summary: 'Remove a secret',
  }),
} as const;
