import { z } from 'zod';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { OF_ORG, OF_PROFILE, OF_SITE } from './owners.ts';
import type { OwnerRow } from './owners.ts';
import { GeneratedSecret, NewSecretInput, SecretInfo, SecretInput, SecretList, SecretName } from './secret.ts';
import { dryRun, json } from './site-endpoints.ts';
import { DryRun } from './history.ts';

const name = { name: SecretName };
const ofSite = secretRows(OF_SITE, OF_SITE.params.extend(name), 6);
const ofProfile = secretRows(OF_PROFILE, OF_PROFILE.params.extend(name));
const ofOrg = secretRows(OF_ORG, OF_ORG.params.extend(name));

/** Secrets: no answer ever holds the value of one, but the answer that makes it. */
export const secretEndpoints = {
  listSecrets: ofSite.list,
  generateSecret: ofSite.generate,
  getSecret: ofSite.get,
  setSecret: ofSite.set,
  deleteSecret: ofSite.remove,
  listProfileSecrets: ofProfile.list,
  generateProfileSecret: ofProfile.generate,
  getProfileSecret: ofProfile.get,
  setProfileSecret: ofProfile.set,
  deleteProfileSecret: ofProfile.remove,
  listOrgSecrets: ofOrg.list,
  generateOrgSecret: ofOrg.generate,
  getOrgSecret: ofOrg.get,
  setOrgSecret: ofOrg.set,
  deleteOrgSecret: ofOrg.remove,
} as const;

function secretRows<Params extends z.ZodObject, Named extends z.ZodObject>(owner: OwnerRow<Params>, named: Named, call?: number) {
  const common = { tag: 'Secrets', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/secrets.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/secrets/{name}.json`, params: named } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the secrets by name, without their values', media: ['application/json'], schema: SecretList } },
      errors: owner.missing,
      summary: `List the secrets of ${owner.noun}`,
    }),
    generate: endpoint({
      method: 'POST',
      ...all,
      query: WRITE_QUERY,
      body: json(NewSecretInput, true),
      permission: owner.write,
      answers: {
        200: dryRun,
        201: {
          description: 'created; a generated value is shown only once',
          media: ['application/json'],
          schema: z.union([GeneratedSecret, SecretInfo]),
        },
      },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create a secret of ${owner.noun} of which only the hash is stored; without a value, one is generated`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the secret without its value', media: ['application/json'], schema: SecretInfo } },
      errors: [...owner.missing, 'SECRET_NOT_FOUND'],
      summary: `Read a secret of ${owner.noun} without its value`,
    }),
    set: endpoint({
      method: 'POST',
      ...one,
      query: WRITE_QUERY,
      body: json(SecretInput, true),
      permission: owner.write,
      answers: {
        200: {
          description: 'stored encrypted, the value is never returned; a generated value is shown only once',
          media: ['application/json'],
          schema: z.union([GeneratedSecret, SecretInfo, DryRun]),
        },
      },
      errors: [...owner.missing, ...WRITE_ERRORS, 'SECRET_NOT_ALLOWED'],
      summary: `Set a secret of ${owner.noun}; without a value, one is generated, and a description alone describes the one that is there`,
      ...(call === undefined ? {} : { call }),
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      query: WRITE_QUERY,
      permission: owner.write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...owner.missing, 'SECRET_NOT_FOUND'],
      summary: `Remove a secret of ${owner.noun}`,
    }),
  } as const;
}
