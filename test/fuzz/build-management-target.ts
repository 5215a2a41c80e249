import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExternalRepositoryList, HostedAccess, LinkOutcome, WebhookCredentials } from '#contract/build-management.ts';
import type { ExternalRepository } from '#contract/build-management.ts';
import { wholeDocuments } from '#backend/http/openapi.ts';
import { freePorts } from '#sandbox/addresses.ts';
import { ACCESS_TOKEN } from '#sandbox/vendor-host/access.ts';
import { startVendorHost } from '#sandbox/vendor-host/start-vendor-host.ts';
import { git } from '../build-management/world.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/build-management.ts';
import { BUILD_MANAGEMENT_PROGRAM, startChildBackend } from '../support/child-backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { callerOf, end, startFuzzedService, UNWATCHED } from './target.ts';
import type { FuzzedService, FuzzTarget } from './target.ts';

/** Build management between the service and a git vendor, with a repository of each kind, and one of another organization. */
export async function startBuildManagementTarget(): Promise<FuzzTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-fuzz-'));
  const [own, serviceFolder] = [join(folder, 'build-management'), join(folder, 'service')];
  for (const made of [own, serviceFolder]) await mkdir(made);
  const vendor = await startVendorHost({ port: 0, dataDir: join(folder, 'vendor') });
  const codeHost = await startReceiver((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const { buildManagement: port } = await freePorts();
  const address = `http://localhost:${port}`;
  const service = await startFuzzedService(serviceFolder, codeHost.address, { BUILD_MANAGEMENT: address, ...BUILD_MANAGEMENT_NEEDS });
  const settings = { ...UNWATCHED, ...BUILD_MANAGEMENT_NEEDS, PORT: String(port), SERVICE_ADDRESS: service.child.address };
  const child = await startChildBackend(own, settings, { program: BUILD_MANAGEMENT_PROGRAM });
  const token = await service.tokenOf(OPERATOR);
  const call = callerOf(child.address, async () => ({ 'x-auth-token': token }));
  const stranger = await service.tokenOf('sam@example.com');
  const organization = (org: string) => organizationOf(org, { call, service, folder });

  const other = organization('other');
  const { hosted: theirs, secret: theirSecret } = await other.renew();
  const wknd = organization('wknd');
  await wknd.onboard(`${vendor.address}/northwind/storefront.git`);
  let present = await wknd.renew();
  return {
    child,
    document: JSON.parse(JSON.stringify(wholeDocuments()['build-management'])),
    credentials(path) {
      const person = { 'x-auth-token': token };
      if (path.startsWith('/organizations/')) return [person, person, person, person, { 'x-auth-token': stranger }];
      const login = Buffer.from(`git:${present.accessToken}`).toString('base64');
      if (path.startsWith('/git/')) return [{ authorization: `Basic ${login}` }];
      if (path.startsWith('/standing/')) return [{ authorization: `Bearer ${BUILD_MANAGEMENT_NEEDS.BUILD_MANAGEMENT_KEY}` }];
      return [person, { authorization: `token ${present.secret}` }, { authorization: `token ${present.secret}` }];
    },
    hosts: [],
    names: () => ({
      org: 'wknd',
      repository: present.hosted.repositoryId,
      owner: '100',
      repo: present.hosted.repositoryId,
      name: present.hosted.name,
      webhook: new URL(present.webhook.address).pathname.split('/').at(-1) ?? '',
      branch: 'main',
      ref: 'main',
      sha: 'main',
      path: 'styles.css',
    }),
    known: [`${vendor.address}/northwind/storefront.git`, ACCESS_TOKEN, '100', 'refs/heads/main', 'push', 'styles.css'],
    signed: (path, body) =>
      path.startsWith('/webhooks/')
        ? {
            headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', present.webhook.secret).update(body).digest('hex')}` },
            query: { api_key: present.webhook.apiKey },
          }
        : undefined,
    async renew() {
      present = await wknd.renew();
    },
    bystander: () =>
      ask(child.address, `/raw/100/${theirs.repositoryId}/main/styles.css`, { headers: { authorization: `token ${theirSecret}` } }),
    async stop() {
      await end(child);
      await service.stop();
      await vendor.stop();
      await codeHost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Present {
  readonly hosted: ExternalRepository;
  readonly accessToken: string;
  /** Of the link to a site. */
  readonly secret: string;
  readonly webhook: WebhookCredentials;
}

/** What an organization has: a hosted repository with a commit, linked to a site, and one at the git vendor with a webhook. */
function organizationOf(org: string, { call, service, folder }: { call: FuzzedService['call']; service: FuzzedService; folder: string }) {
  const all = `/organizations/${org}/repositories`;
  const list = async () => ExternalRepositoryList.parse((await call('GET', all)).json()).repositories;
  let cloneUrl: string | undefined;
  let made: { readonly repositoryId: string; readonly credentials: WebhookCredentials } | undefined;

  async function host(): Promise<void> {
    for (const { vendor, repositoryId } of await list()) if (vendor === 'hosted') await call('DELETE', `${all}/${repositoryId}`);
    const made = await call('POST', `/organizations/${org}/hosted-repositories`, { programId: '100', name: 'storefront' });
    await push(HostedAccess.parse(made.json()));
  }

  async function push(access: HostedAccess): Promise<void> {
    const place = await mkdtemp(join(folder, 'clone-'));
    const address = new URL(access.cloneUrl);
    [address.username, address.password] = [access.username, access.accessToken];
    await git('init', '--quiet', '--initial-branch', 'main', place);
    await writeFile(join(place, 'styles.css'), 'body {}\n');
    await git('-C', place, 'add', '--all');
    await git('-C', place, 'commit', '--quiet', '--message', 'Begin');
    await git('-C', place, 'push', '--quiet', address.href, 'main');
    await rm(place, { recursive: true, force: true });
  }

  const onboard = async (url: string) => {
    cloneUrl = url;
    const body = { programId: '100', name: 'At the vendor', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl: url };
    await call('POST', all, body);
  };

  return {
    onboard,
    async renew(): Promise<Present> {
      const isStore = ({ name, vendor }: ExternalRepository) => vendor === 'hosted' && name === 'storefront';
      const before = await list();
      if (!before.some(isStore)) await host();
      if (cloneUrl !== undefined && !before.some((one) => one.cloneUrl === cloneUrl)) await onboard(cloneUrl);
      const there = await list();
      const hosted = there.find(isStore);
      const webhook = there.find((one) => one.vendor === 'github-enterprise') ?? hosted;
      if (hosted === undefined || webhook === undefined) throw new Error(`The repositories of ${org} cannot be made again.`);
      await service.call('PUT', `/config/${org}/sites/lantern.json`, siteBody(org, 'lantern', { code: { owner: org, repo: org } }));
      const linked = await call('PUT', `${all}/${hosted.repositoryId}/link`, { site: 'lantern' });
      const access = await call('POST', `${all}/${hosted.repositoryId}/token`);
      return {
        hosted,
        accessToken: HostedAccess.parse(access.json()).accessToken,
        secret: LinkOutcome.parse(linked.json()).secret,
        webhook: await credentialsOf(webhook),
      };
    },
  };

  /** Made once for a repository: what a fuzzed request makes besides leaves these good for a day. */
  async function credentialsOf({ vendor, repositoryId }: ExternalRepository): Promise<WebhookCredentials> {
    if (vendor === 'hosted') return { address: 'http://localhost/', apiKey: '', secret: '', username: '' };
    if (made?.repositoryId !== repositoryId) {
      const credentials = WebhookCredentials.parse((await call('POST', `${all}/${repositoryId}/webhook`)).json());
      made = { repositoryId, credentials };
    }
    return made.credentials;
  }
}
