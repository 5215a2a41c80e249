import { z } from 'zod';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { GeneratedSecret, NewSecretInput, SecretInfo, SecretInput, SecretList, SecretName } from './secret.ts';
import { dryRun, json, SiteParams } from './site-endpoints.ts';
import { DryRun } from './history.ts';

const READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SITE_NOT_FOUND'] as const;
const SecretParams = SiteParams.extend({ name: SecretName });
const all = { path: '/config/{org}/sites/{site}/secrets.json', params: SiteParams, tag: 'Secrets', preconditions: true } as const;
const one = { path: '/config/{org}/sites/{site}/secrets/{name}.json', params: SecretParams, tag: 'Secrets', preconditions: true } as const;

/** Secrets of a site: no answer ever holds the value of one, but the answer that makes a hashed one. */
export const secretEndpoints = {
  listSecrets: endpoint({
    method: 'GET',
    ...all,
    query: NO_QUERY,
    permission: 'people:read',
    answers: { 200: { description: 'the secrets by name, without their values', media: ['application/json'], schema: SecretList } },
    errors: READ_ERRORS,
    summary: 'List the secrets of a site',
  }),
  generateSecret: endpoint({
    method: 'POST',
    ...all,
    query: WRITE_QUERY,
    body: json(NewSecretInput, true),
    permission: 'config:write',
    answers: {
      200: dryRun,
      201: { description: 'created; the value is shown only once', media: ['application/json'], schema: GeneratedSecret },
    },
    errors: [...READ_ERRORS, ...WRITE_ERRORS],
    summary: 'Create a secret of which only the hash is stored',
  }),
  getSecret: endpoint({
    method: 'GET',
    ...one,
    query: NO_QUERY,
    permission: 'people:read',
    answers: { 200: { description: 'the secret without its value', media: ['application/json'], schema: SecretInfo } },
    errors: [...READ_ERRORS, 'SECRET_NOT_FOUND'],
    summary: 'Read a secret without its value',
  }),
  setSecret: endpoint({
    method: 'POST',
    ...one,
    query: WRITE_QUERY,
    body: json(SecretInput, true),
    permission: 'config:write',
    answers: {
      200: {
        description: 'stored encrypted, the value is never returned; a generated value is shown only once',
        media: ['application/json'],
        schema: z.union([GeneratedSecret, SecretInfo, DryRun]),
      },
    },
    errors: [...READ_ERRORS, ...WRITE_ERRORS, 'SECRET_NOT_ALLOWED'],
    summary: 'Set a secret, e.g. that of an external repository; without a value, one is generated',
    call: 6,
  }),
  deleteSecret: endpoint({
    method: 'DELETE',
    ...one,
    query: WRITE_QUERY,
    permission: 'config:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: [...READ_ERRORS, 'SECRET_NOT_FOUND'],
    summary: 'Remove a secret',
  }),
} as const;
