import { type CheckedSite, checkEndpoints } from '@repoless/contract/site-check.ts';
import type { ChecksPort } from '../overview/stored-checks.ts';
import type { Client } from './client.ts';
import { done, found, unfound } from './organization-answers.ts';

/** The most sites that the service lists at once. */
const PAGE_OF_SITES = 1000;

/** The checks that the configuration service keeps, by the client. */
export function createChecksPort(client: Client): ChecksPort {
  return {
    all: (org) => readAll(client, org),
    start: async (org) => done(await client.call(checkEndpoints.startOrgCheck, { params: { org } })),
    site: async (org, site) => found(await client.call(checkEndpoints.getSiteCheck, { params: { org, site } })),
    keep: async (org, site, body) => done(await client.call(checkEndpoints.putSiteCheck, { params: { org, site }, body })),
  };
}

async function readAll(client: Client, org: string): ReturnType<ChecksPort['all']> {
  const sites: CheckedSite[] = [];
  for (;;) {
    const after = sites.at(-1)?.name;
    const query = { limit: PAGE_OF_SITES, ...(after === undefined ? {} : { after }) };
    const page = await client.call(checkEndpoints.getOrgChecks, { params: { org }, query });
    if (!page.ok) return unfound(page.failure);
    sites.push(...page.value.sites);
    const { days, running } = page.value;
    if (page.value.sites.length < PAGE_OF_SITES)
      return { state: 'known', value: { sites, days, ...(running === undefined ? {} : { running }) } };
  }
}
