import { apiKeyEndpoints } from '@repoless/contract/credentials.ts';
import { secretEndpoints } from '@repoless/contract/secret.ts';
import type { RemovalPort } from '../situation/ports.ts';
import type { Client } from './client.ts';
import { known } from './organization-answers.ts';

export function createRemovalPort(client: Client): RemovalPort {
  return {
    secrets: async (org, site) =>
      known(await client.call(secretEndpoints.listSecrets, { params: { org, site } }), (list) => Object.keys(list)),
    apiKeys: async (org, site) =>
      known(await client.call(apiKeyEndpoints.listApiKeys, { params: { org, site } }), (list) =>
        Object.values(list).map(({ id, description }) => description ?? id),
      ),
  };
}
