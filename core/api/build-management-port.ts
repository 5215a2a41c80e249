import { buildManagementEndpoints as rows } from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { BuildManagementPort } from '../sync/ports.ts';
import type { CallInput, Client, ClientAnswer } from './client.ts';
import { done, found } from './organization-answers.ts';

export function createBuildManagementPort(client: Client): BuildManagementPort {
  const call = async <E extends Endpoint>(row: E, input: CallInput<E>) => ofBuilds(await client.call(row, input));
  return {
    repositories: async (org) => found(await call(rows.listRepositories, { params: { org } })),
    repository: async (org, repository) => found(await call(rows.getRepository, { params: { org, repository } })),
    onboard: async (org, body) => done(await call(rows.onboardRepository, { params: { org }, body })),
    createSite: async (org, repository, body) => done(await call(rows.createSite, { params: { org, repository }, body })),
    retry: async (org, repository, accessToken) => {
      const body = accessToken === undefined ? {} : { accessToken };
      return done(await call(rows.retryRepository, { params: { org, repository }, body }));
    },
    link: async (org, repository, site) => done(await call(rows.linkRepository, { params: { org, repository }, body: { site } })),
    rotateWebhook: async (org, repository) => done(await call(rows.rotateWebhook, { params: { org, repository } })),
    branches: async (org, repository) => found(await call(rows.listBranches, { params: { org, repository } })),
    deliveries: async (org, repository) => found(await call(rows.listDeliveries, { params: { org, repository } })),
    resend: async (org, repository, delivery) => done(await call(rows.resendDelivery, { params: { org, repository, delivery } })),
  };
}

/** Attributes the failure to build management: the service that issued the token does respond. */
function ofBuilds<T>(answer: ClientAnswer<T>): ClientAnswer<T> {
  return answer.ok ? answer : { ok: false, failure: { ...answer.failure, system: 'build-management' } };
}
