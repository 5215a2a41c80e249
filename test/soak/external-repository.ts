import { ExternalRepository, LinkOutcome, WebhookCredentials } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { askWell, createAsk } from '../bench/ask.ts';
import { ORG } from '../bench/backend/site-input.ts';
import { PUBLIC_ADDRESS } from '../bench/backend/place.ts';
import type { Call } from '../bench/load/call.ts';
import { cloneOf } from '../support/code-clone.ts';
import type { CodeClone } from '../support/code-clone.ts';
import { soakSite } from './soak-site.ts';
import type { SoakWorld } from './soak-world.ts';
import { untilSo } from '../bench/until-so.ts';

/** A repository at the git vendor that build management brings to the service. */
export interface External {
  /** The site whose code it is. */
  readonly site: string;
  readonly clone: CodeClone;
}

const REPOSITORY = 'northwind/storefront';

/** Onboards the vendor's repository, links it to a site, and lets the vendor tell build management of each push. */
export async function linkExternal(world: SoakWorld, folder: string): Promise<External> {
  const ask = createAsk();
  const site = 'external';
  const send = (port: number, host: string) => async (method: Call['method'], path: string, body?: unknown) => {
    const headers = { 'x-auth-token': world.token, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await askWell(ask, port, { method, host, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return JSON.parse(answer.body.toString()) as unknown;
  };
  const build = send(world.buildManagement, `127.0.0.1:${world.buildManagement}`);
  const service = send(world.service, new URL(PUBLIC_ADDRESS).host);
  const all = `/organizations/${ORG}/repositories`;
  const onboarded = { programId: '1', name: 'Storefront', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN };
  const cloneUrl = `${world.vendor}/${REPOSITORY}.git`;
  const { repositoryId } = ExternalRepository.parse(await build('POST', all, { ...onboarded, cloneUrl }));
  await untilSo('The repository is ready', async () => {
    const { state } = ExternalRepository.parse(await build('GET', `${all}/${repositoryId}`));
    if (state === 'failed') throw new Error('The repository could not be onboarded.');
    return state === 'READY';
  });
  await service('PUT', `/config/${ORG}/sites/${site}.json?unchecked=true`, soakSite(world.codeHost, site, 'first'));
  const { code, secret } = LinkOutcome.parse(await build('PUT', `${all}/${repositoryId}/link`, { site }));
  await service('PUT', `/config/${ORG}/sites/${site}.json`, { ...soakSite(world.codeHost, site, 'first'), code });
  await service('POST', `/config/${ORG}/sites/${site}/secrets/cm-byog.json`, { value: secret });
  const hook = WebhookCredentials.parse(await build('POST', `${all}/${repositoryId}/webhook`));
  const form = new URLSearchParams({ form: 'github-enterprise', address: hook.address, secret: hook.secret });
  await fetch(`${world.vendor}/${REPOSITORY}/hooks`, { method: 'POST', body: form });
  return { site, clone: await cloneOf(world.vendor, REPOSITORY, folder) };
}
