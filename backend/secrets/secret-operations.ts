import type { Endpoints } from '@repoless/contract/endpoints.ts';
import { secretEndpoints } from '@repoless/contract/secret-endpoints.ts';
import type { Operation } from '../domain/operation.ts';
import { deleteSecret, generateSecret, setSecret } from './change-secrets.ts';
import { getSecret, listSecrets } from './read-secrets.ts';

export type SecretOperations = { readonly [Id in keyof typeof secretEndpoints]: Operation<Endpoints[Id]> };

const OF_SITE = secretEndpoints.setSecret.permission;
const OF_PROFILE = secretEndpoints.setProfileSecret.permission;
const OF_ORG = secretEndpoints.setOrgSecret.permission;

/** The calls on secrets: the same of a site, a profile and an organization. */
export const secretOperations: SecretOperations = {
  listSecrets,
  generateSecret: generateSecret(OF_SITE),
  getSecret,
  setSecret: setSecret(OF_SITE),
  deleteSecret: deleteSecret(OF_SITE),
  listProfileSecrets: listSecrets,
  generateProfileSecret: generateSecret(OF_PROFILE),
  getProfileSecret: getSecret,
  setProfileSecret: setSecret(OF_PROFILE),
  deleteProfileSecret: deleteSecret(OF_PROFILE),
  listOrgSecrets: listSecrets,
  generateOrgSecret: generateSecret(OF_ORG),
  getOrgSecret: getSecret,
  setOrgSecret: setSecret(OF_ORG),
  deleteOrgSecret: deleteSecret(OF_ORG),
};
