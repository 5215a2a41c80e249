import { codeCheckEndpoints } from '@repoless/contract/code-check.ts';
import { historyEndpoints } from '@repoless/contract/history.ts';
import { jobEndpoints } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { orgEndpoints } from '@repoless/contract/org.ts';
import { REPOSITORY_SECRET, secretEndpoints } from '@repoless/contract/secret.ts';
import { serviceEndpoints, type ServiceInfo } from '@repoless/contract/service.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import { siteEndpoints } from '@repoless/contract/site-endpoints.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { newestFirst } from '../history/history-port.ts';
import type { Call, Known } from '../situation/call.ts';
import type { RemovalPort, ServicePort } from '../situation/ports.ts';
import type { Client, ServiceRequest } from './client.ts';
import { createDryRuns } from './dry-run.ts';
import { type Exchanged, parseJson, refusal } from './exchange.ts';
import { createHistoryPort } from './history-port.ts';
import { known, failedByPermission } from './organization-answers.ts';

/** Maximum number of sites that are searched for the code source that an organization uses. */
const SOME_SITES = 20;
const PAGE_OF_SITES = 1000;

/** Loaded lazily, because few people remove anything. */
async function removalPort(client: Client): Promise<RemovalPort> {
  return (await import('./organization-ports.ts')).createRemovalPort(client);
}

/** The configuration service as setup needs it. `onInfo`: called each time the service describes itself. */
export function createServicePort(client: Client, onInfo?: (info: ServiceInfo) => void): ServicePort {
  const dryRun = createDryRuns(client);
  return {
    info: async () => {
      const info = known(await client.call(serviceEndpoints.getService, { params: {} }));
      if (info.state === 'known') {
        dryRun.announced(info.value.features);
        onInfo?.(info.value);
      }
      return info;
    },
    profile: async () => {
      const answer = await client.call(sessionEndpoints.profile, { params: {} });
      if (!answer.ok && answer.failure.status === 401) return { state: 'missing' };
      return known(answer, (value) => value.profile);
    },
    organization: async (org) => known(await client.call(orgEndpoints.getOrg, { params: { org } })),
    organizations: async () => known(await client.call(orgEndpoints.listOwnOrgs, { params: {} })),
    site: (org, site) => readSite(client, org, site),
    siteConfigurations: (org, site) => readSiteConfigurations(client, org, site),
    effective: async (org, site) => (await import('./read-site-configurations.ts')).readEffective(client, org, site),
    stored: async (path) => {
      const answer = await client.request({ method: 'GET', path: path.replace(/\?.*$/, '') });
      if (!answer.ok) return failedByPermission(answer.failure);
      const { status, headers, text } = answer.received;
      if (status !== 200) return failedByPermission(refusal(answer.received));
      return { state: 'known', value: { value: parseJson(text), etag: headers.get('etag') ?? '' } };
    },
    sites: async (org) =>
      known(await client.call(siteEndpoints.listSites, { params: { org }, query: { details: true, limit: SOME_SITES } })),
    removal: {
      secrets: async (org, site) => (await removalPort(client)).secrets(org, site),
      apiKeys: async (org, site) => (await removalPort(client)).apiKeys(org, site),
    },
    allSites: (org) => readAllSites(client, org),
    configuration: async (org, site) => {
      const answer = await client.call(siteEndpoints.getSite, { params: { org, site } });
      if (!answer.ok) return failedByPermission(answer.failure);
      return { state: 'known', value: { config: answer.value, etag: answer.headers.get('etag') ?? '' } };
    },
    versions: async (org, site) => known(await client.call(historyEndpoints.listVersions, { params: { org, site } }), newestFirst),
    version: async (org, site, version) => {
      const answer = known(await client.call(historyEndpoints.getVersion, { params: { org, site, version } }), (value) => value.data);
      if (answer.state !== 'known') return answer;
      return answer.value === null ? { state: 'missing' } : { state: 'known', value: answer.value };
    },
    codeSync: async (org, site) => known(await client.call(jobEndpoints.getJob, { params: { org, site, ref: DEFAULT_REF } })),
    codeCheck: async (org, site, code) => {
      const { type, owner, repo } = code;
      const query = { type, owner, repo, ref: DEFAULT_REF, ...(code.type === 'byogit' ? { url: code.url } : {}) };
      return known(await client.call(codeCheckEndpoints.checkCode, { params: { org, site }, query }));
    },
    secret: async (org, site) => known(await client.call(secretEndpoints.getSecret, { params: { org, site, name: REPOSITORY_SECRET } })),
    challenge: async (org, repository) => known(await client.call(orgEndpoints.challengeOrg, { params: { org }, body: { repository } })),
    claim: async (org) => {
      const answer = await client.call(orgEndpoints.putOrg, { params: { org }, body: {} });
      if (!answer.ok) return failedByPermission(answer.failure);
      if ('dryRun' in answer.value) return { state: 'failed', failure: { kind: 'unexpected', status: answer.status } };
      return { state: 'known', value: answer.value };
    },
    dryRun: (call) => dryRun.of(requestOf(call)),
    send: async (call) => sent(call, await client.request(requestOf(call))),
    history: createHistoryPort(client, dryRun),
  };
}

async function readAllSites(client: Client, org: string): ReturnType<ServicePort['allSites']> {
  const all: SiteListEntry[] = [];
  for (;;) {
    const after = all.at(-1)?.name;
    const query = { details: true, limit: PAGE_OF_SITES, ...(after === undefined ? {} : { after }) };
    const page = await client.call(siteEndpoints.listSites, { params: { org }, query });
    if (!page.ok) return { state: 'failed', failure: page.failure };
    all.push(...page.value.sites);
    if (page.value.sites.length < PAGE_OF_SITES) return { state: 'known', value: all };
  }
}

/** Loaded with the first site, so that signing in loads less. */
async function readSiteConfigurations(
  ...args: readonly [client: Client, org: string, site: string]
): ReturnType<ServicePort['siteConfigurations']> {
  return await (await import('./read-site-configurations.ts')).readSiteConfigurations(...args);
}

async function readSite(client: Client, org: string, site: string): ReturnType<ServicePort['site']> {
  const configurations = await readSiteConfigurations(client, org, site);
  if (configurations.state !== 'known') return configurations;
  const versions = await client.call(historyEndpoints.listVersions, { params: { org, site } });
  if (!versions.ok) return failedByPermission(versions.failure);
  return { state: 'known', value: { ...configurations.value, version: versions.value.current ?? 0 } };
}

function requestOf(call: Call): ServiceRequest {
  const headers = {
    ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
    ...(call.ifNoneMatch === undefined ? {} : { 'if-none-match': call.ifNoneMatch }),
  };
  const request = { method: call.method, path: call.address };
  if (call.body === undefined || call.body.type === 'form') return { ...request, headers };
  const value = call.body.type === 'secret' ? { value: call.body.value.reveal() } : call.body.value;
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Removing something that doesn't exist succeeds. */
function sent(call: Call, answer: Exchanged): Known<unknown> {
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { status, text } = answer.received;
  if (status >= 200 && status <= 299) return { state: 'known', value: parseJson(text) };
  return status === 404 && call.method === 'DELETE' ? { state: 'missing' } : { state: 'failed', failure: refusal(answer.received) };
}
