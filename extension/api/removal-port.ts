import { apiKeyEndpoints } from '#contract/api-key-endpoints.ts';
import { secretEndpoints } from '#contract/secret-endpoints.ts';
import type { RemovalPort } from '#extension/setup/ports.ts';
import type { Known } from '#extension/setup/situation.ts';
import type { Client, ClientAnswer } from './client.ts';

/** What goes with a site that is removed, by the client. */
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

function known<T, V>(answer: ClientAnswer<T>, pick: (value: T) => V): Known<V> {
  if (answer.ok) return { state: 'known', value: pick(answer.value) };
  return answer.failure.status === 404 ? { state: 'missing' } : { state: 'failed', failure: answer.failure };
}
