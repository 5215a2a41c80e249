import { codeCheckEndpoints } from '@repoless/contract/code-check-endpoints.ts';
import { jobEndpoints } from '@repoless/contract/job-endpoints.ts';
import { secretEndpoints } from '@repoless/contract/secret-endpoints.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { BranchPlace, SyncPort } from '../sync/ports.ts';
import { printAddress } from './address.ts';
import type { Client } from './client.ts';
import { createJobFeed } from './job-feed.ts';
import { done, found } from './organization-answer.ts';

/** Code sync and secrets of the configuration service, by the client. */
export function createSyncPort(client: Client): SyncPort {
  const status = async (place: BranchPlace) => done(await client.call(jobEndpoints.getJob, { params: { ...place } }));
  return {
    code: async (org, site) => found(await client.call(jobEndpoints.getCode, { params: { org, site, path: '*' } })),
    status,
    details: async (place, name) => found(await client.call(jobEndpoints.getJobDetails, { params: { ...place, name } })),
    look: async ({ org, site }, { type, owner, repo }, branch) =>
      found(await client.call(codeCheckEndpoints.checkCode, { params: { org, site }, query: { type, owner, repo, ref: branch } })),
    start: async (place, branch) => {
      const query = branch === place.ref ? {} : { branch };
      return done(await client.call(jobEndpoints.startSync, { params: { ...place, path: '*' }, query }));
    },
    stop: async (place, name) => done(await client.call(jobEndpoints.stopJob, { params: { ...place, name } })),
    watch: createJobFeed({ client, status, address: (place) => printAddress(jobEndpoints.getJob.path, place) }),
    secrets: async (org, site) => found(await client.call(secretEndpoints.listSecrets, { params: { org, site } })),
    setSecret: async (org, site, { value, expires }) => {
      const body = { value, ...(expires === undefined ? {} : { expires }) };
      return done(await client.call(secretEndpoints.setSecret, { params: { org, site, name: REPOSITORY_SECRET }, body }));
    },
  };
}
