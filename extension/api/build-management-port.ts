import { buildManagementEndpoints as rows } from '#contract/build-management-endpoints.ts';
import type { BuildManagementPort } from '#extension/setup/sync/build-management-port.ts';
import type { Client } from './client.ts';
import { done, found } from './organization-answer.ts';

/** Build management, by a client of its address that shows the service's token. */
export function createBuildManagementPort(client: Client): BuildManagementPort {
  return {
    repositories: async (org) => found(await client.call(rows.listRepositories, { params: { org } })),
    repository: async (org, repository) => found(await client.call(rows.getRepository, { params: { org, repository } })),
    onboard: async (org, body) => done(await client.call(rows.onboardRepository, { params: { org }, body })),
    host: async (org, body) => done(await client.call(rows.hostRepository, { params: { org }, body })),
    renewAccessToken: async (org, repository) => done(await client.call(rows.renewAccessToken, { params: { org, repository } })),
    createSite: async (org, repository, body) => done(await client.call(rows.createSite, { params: { org, repository }, body })),
    retry: async (org, repository, accessToken) => {
      const body = accessToken === undefined ? {} : { accessToken };
      return done(await client.call(rows.retryRepository, { params: { org, repository }, body }));
    },
    link: async (org, repository, site) => done(await client.call(rows.linkRepository, { params: { org, repository }, body: { site } })),
    rotateWebhook: async (org, repository) => done(await client.call(rows.rotateWebhook, { params: { org, repository } })),
    branches: async (org, repository) => found(await client.call(rows.listBranches, { params: { org, repository } })),
    deliveries: async (org, repository) => found(await client.call(rows.listDeliveries, { params: { org, repository } })),
    resend: async (org, repository, delivery) => done(await client.call(rows.resendDelivery, { params: { org, repository, delivery } })),
  };
}
