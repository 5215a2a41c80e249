import type { UsageReport } from '@repoless/contract/usage.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { findOrg } from '../orgs/find-org.ts';
import type { Operation } from './operation.ts';

/** What an organization has, and what it may have. */
export const getUsage: Operation<(typeof endpoints)['getUsage']> = async (context, { params: { org } }) => {
  await findOrg(context, org);
  const { store, settings } = context;
  const { quotas } = settings;
  const [usage, repositories, codeBytes] = await Promise.all([
    store.reads.usage(org),
    store.reads.repositories(org),
    store.code.bytesOf(org),
  ]);
  const body: UsageReport = {
    sites: amount(usage.sites, quotas.sites),
    repositories: amount(repositories.length, quotas.repositories),
    versions: amount(usage.versions, quotas.versions),
    configurationBytes: amount(usage.bytes, quotas.bytes),
    codeBytes: amount(codeBytes, quotas.codeBytes),
    secrets: amount(usage.secrets, quotas.secrets),
    apiKeys: amount(usage.apiKeys, quotas.apiKeys),
    syncsAtOnce: quotas.syncs,
  };
  return { result: 'done', body };
};

function amount(used: number, limit: number | undefined) {
  return { used, ...(limit !== undefined && { limit }) };
}
