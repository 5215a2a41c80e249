import { type ExternalRepository, ExternalRepositoryList, LinkOutcome, WebhookCredentials } from '@repoless/contract/build-management.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { startVendorHost, ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { completeDocuments } from '@repoless/service/http/openapi.ts';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../support/ask.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/byogit.ts';
import { BUILD_MANAGEMENT_PROGRAM, startChildBackend } from '../support/child-backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { callerOf, end, type FuzzedService, type FuzzTarget, startFuzzedService, UNRECORDED } from './target.ts';

/** Build management between the service and a git vendor, with a repository, and one of another organization. */
export async function startBuildManagementTarget(): Promise<FuzzTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-fuzz-'));
  const [own, serviceFolder] = [join(folder, 'build-management'), join(folder, 'service')];
  for (const data of [own, serviceFolder]) await mkdir(data);
  const vendor = await startVendorHost({ port: 0, dataDir: join(folder, 'vendor') });
  const codeHost = await startReceiver((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const { buildManagement: port } = await freePorts();
  const address = `http://localhost:${port}`;
  const service = await startFuzzedService(serviceFolder, codeHost.address, { BUILD_MANAGEMENT: address, ...BUILD_MANAGEMENT_NEEDS });
  const settings = { ...UNRECORDED, ...BUILD_MANAGEMENT_NEEDS, PORT: String(port), SERVICE_ADDRESS: service.child.address };
  const child = await startChildBackend(own, settings, { program: BUILD_MANAGEMENT_PROGRAM });
  const token = await service.tokenOf(OPERATOR);
  const call = callerOf(child.address, async () => ({ 'x-auth-token': token }));
  const stranger = await service.tokenOf('sam@example.com');
  const cloneUrl = `${vendor.address}/northwind/storefront.git`;
  const organization = (org: string) => organizationOf(org, { call, service, cloneUrl });

  const other = organization('other');
  const { repository: theirs, secret: theirSecret } = await other.renew();
  const wknd = organization('wknd');
  let current = await wknd.renew();
  return {
    child,
    document: JSON.parse(JSON.stringify(completeDocuments()['build-management'])),
    credentials(path) {
      const person = { 'x-auth-token': token };
      if (path.startsWith('/organizations/')) return [person, person, person, person, { 'x-auth-token': stranger }];
      if (path.startsWith('/repository-status/')) return [{ authorization: `Bearer ${BUILD_MANAGEMENT_NEEDS.BUILD_MANAGEMENT_KEY}` }];
      return [person, { authorization: `token ${current.secret}` }, { authorization: `token ${current.secret}` }];
    },
    hosts: [],
    names: () => ({
      org: 'wknd',
      repository: current.repository.repositoryId,
      owner: '100',
      repo: current.repository.repositoryId,
      name: current.repository.name,
      webhook: new URL(current.webhook.address).pathname.split('/').at(-1) ?? '',
      branch: 'main',
      ref: 'main',
      sha: 'main',
      path: 'styles/styles.css',
    }),
    known: [cloneUrl, ACCESS_TOKEN, '100', 'refs/heads/main', 'push', 'styles/styles.css'],
    signed: (path, body) =>
      path.startsWith('/webhooks/')
        ? {
            headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', current.webhook.secret).update(body).digest('hex')}` },
            query: { api_key: current.webhook.apiKey },
          }
        : undefined,
    async renew() {
      current = await wknd.renew();
    },
    bystander: () =>
      ask(child.address, `/raw/100/${theirs.repositoryId}/main/styles/styles.css`, { headers: { authorization: `token ${theirSecret}` } }),
    async stop() {
      await end(child);
      await service.stop();
      await vendor.stop();
      await codeHost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Linked {
  readonly repository: ExternalRepository;
  /** The secret of the link to a site. */
  readonly secret: string;
  readonly webhook: WebhookCredentials;
}

interface Surroundings {
  readonly call: FuzzedService['call'];
  readonly service: FuzzedService;
  readonly cloneUrl: string;
}

/** Sets up an organization: a READY repository of the git vendor with a webhook, linked to a site. */
function organizationOf(org: string, { call, service, cloneUrl }: Surroundings) {
  const all = `/organizations/${org}/repositories`;
  const find = async () =>
    ExternalRepositoryList.parse((await call('GET', all)).json()).repositories.find((one) => one.cloneUrl === cloneUrl);
  let latest: { readonly repositoryId: string; readonly credentials: WebhookCredentials } | undefined;

  async function ready(): Promise<ExternalRepository> {
    const body = { programId: '100', name: 'At the vendor', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl };
    for (;;) {
      const found = await find();
      if (found?.state === 'READY') return found;
      if (found === undefined) await call('POST', all, body);
      if (found?.state === 'failed') await call('POST', `${all}/${found.repositoryId}/retry`, { accessToken: ACCESS_TOKEN });
    }
  }

  /** Created once per repository: credentials created by fuzzed requests leave these valid for a day. */
  async function credentialsOf({ repositoryId }: ExternalRepository): Promise<WebhookCredentials> {
    if (latest?.repositoryId !== repositoryId) {
      const credentials = WebhookCredentials.parse((await call('POST', `${all}/${repositoryId}/webhook`)).json());
      latest = { repositoryId, credentials };
    }
    return latest.credentials;
  }

  return {
    async renew(): Promise<Linked> {
      const repository = await ready();
      await service.call('PUT', `/config/${org}/sites/lantern.json`, siteBody(org, 'lantern', { code: { owner: org, repo: org } }));
      const linked = await call('PUT', `${all}/${repository.repositoryId}/link`, { site: 'lantern' });
      return { repository, secret: LinkOutcome.parse(linked.json()).secret, webhook: await credentialsOf(repository) };
    },
  };
}
