import { auditEndpoints } from '@repoless/contract/audit.ts';
import { type CheckedSite, checkEndpoints } from '@repoless/contract/site-check.ts';
import type { ChecksPort } from '../overview/stored-checks.ts';
import { weekActivity } from '../overview/week-activity.ts';
import type { Client } from './client.ts';
import { done, found, unfound } from './organization-answers.ts';

const PAGE_OF_SITES = 1000;
/** Entries of the audit trail that the summary of a week is based on, and its maximum number of lines. */
const ENTRIES = 1000;
const LINES = 3;

export function createChecksPort(client: Client): ChecksPort {
  return {
    all: (org) => readAll(client, org),
    start: async (org) => done(await client.call(checkEndpoints.startOrgCheck, { params: { org } })),
    site: async (org, site) => found(await client.call(checkEndpoints.getSiteCheck, { params: { org, site } })),
    activity: async (org) => {
      const read = await client.call(auditEndpoints.getLog, { params: { org }, query: { since: '7d', limit: ENTRIES } });
      return found(read, ({ entries }) => weekActivity(entries, LINES));
    },
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
