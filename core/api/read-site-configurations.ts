import { aggregateEndpoints } from '@repoless/contract/profile-endpoints.ts';
import { siteEndpoints } from '@repoless/contract/site-endpoints.ts';
import type { ServicePort } from '../situation/ports.ts';
import type { Client } from './client.ts';
import { known, failedByPermission } from './organization-answers.ts';

/**
 * A site with its etag, and its effective configuration. Missing if there is no such site; failed if the effective configuration cannot be
 * read. If the service has no profiles, the site's own configuration is effective.
 */
export async function readSiteConfigurations(client: Client, org: string, site: string): ReturnType<ServicePort['siteConfigurations']> {
  const params = { org, site };
  const stored = await client.call(siteEndpoints.getSite, { params });
  if (!stored.ok) return failedByPermission(stored.failure);
  const own = stored.value;
  const etag = stored.headers.get('etag') ?? '';
  const alone = { state: 'known', value: { config: own, own, etag } } as const;
  // A site without `extends` extends the default profile of its organization, if there is one.
  if (own.extends !== undefined && own.extends.profile === undefined) return alone;
  const effective = await client.call(aggregateEndpoints.getAggregate, { params });
  if (effective.ok) return { state: 'known', value: { config: effective.value, own, etag } };
  return effective.failure.status === 404 ? alone : { state: 'failed', failure: effective.failure };
}

export async function readEffective(client: Client, org: string, site: string): ReturnType<ServicePort['effective']> {
  return known(await client.call(aggregateEndpoints.getAggregate, { params: { org, site } }));
}
