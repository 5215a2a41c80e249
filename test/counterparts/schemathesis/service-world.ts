import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES } from '@repoless/contract/profile.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import { startFuzzedService } from '../../fuzz/target.ts';
import type { FuzzedService } from '../../fuzz/target.ts';
import { ask } from '../../support/ask.ts';
import { OPERATOR } from '../../support/backend.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Tried } from './run-schemathesis.ts';
import { withExamples } from './with-examples.ts';
import type { Names } from './with-examples.ts';

const SITE = '/config/wknd/sites/wknd-de';
const PROFILE = '/config/wknd/profiles/default';
const Made = z.object({ id: z.string() });

/** The service with what the examples of its document name: an organization with people and keys, a site, a profile, secrets, versions. */
export async function startServiceWorld(): Promise<Tried & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-schemathesis-'));
  const others = await startReceiver((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const service = await startFuzzedService(folder, others.address, { GITHUB_WEBHOOK_SECRET: 'the-secret-of-the-webhook' });
  const { address } = service.child;
  // The code host of the examples is another one here.
  const here = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('https://github.com', others.address));
  const real = await fill(service, here);
  return {
    address,
    document: withExamples(here((await ask(address, '/openapi.json')).json()), real),
    config: 'service.toml',
    variables: { TOKEN: await service.tokenOf(OPERATOR), TOKEN_TO_END: await service.tokenOf('sam@example.com') },
    async stop() {
      await service.stop();
      await others.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Out: how things are called that are made. What a call removes is another one, so that the calls after it find theirs. */
async function fill({ call }: FuzzedService, here: (value: unknown) => unknown): Promise<Names[]> {
  const write = (method: string, path: string, example: string, media?: string) => call(method, path, here(BODY_EXAMPLES[example]), media);
  const made = async (path: string, example: string, body = BODY_EXAMPLES[example]) =>
    Made.parse((await call('POST', path, body)).json()).id;
  for (const profile of ['default', 'spare']) await write('PUT', `/config/wknd/profiles/${profile}.json`, 'putProfile');
  for (const site of ['wknd-de', 'spare']) {
    const body = {
      ...Object(BODY_EXAMPLES['putSite']),
      content: { source: { url: `https://content.example.com/${site}`, type: 'markup' } },
    };
    await call('PUT', `/config/wknd/sites/${site}.json?unchecked=true`, here(body));
  }
  for (const part of SITE_PART_NAMES) await write('POST', `${SITE}/${part}.json?confirm=true`, partEndpointId('Site', part, 'set'));
  for (const part of PROFILE_PART_NAMES) await write('POST', `${PROFILE}/${part}.json`, partEndpointId('Profile', part, 'set'));
  await write('PUT', `${SITE}/content/query.yaml`, 'putSiteQueryYaml', 'text/yaml');
  await write('PUT', `${SITE}/content/sitemap.yaml`, 'putSiteSitemapYaml', 'text/yaml');
  await write('POST', `${SITE}/secrets/cm-byog.json`, 'setSecret');
  await write('POST', '/config/wknd/groups/editors.json', 'setOrgGroup');
  const user = await made('/config/wknd/users.json', 'addOrgUser');
  const spareUser = await made('/config/wknd/users.json', 'addOrgUser', { email: 'spare@example.com', roles: ['author'] });
  const keys = async (all: string, example: string) => [await made(all, example), await made(all, example)] as const;
  const [ofOrg, spareOfOrg] = await keys('/config/wknd/apiKeys.json', 'createOrgApiKey');
  const [ofSite, spareOfSite] = await keys(`${SITE}/apiKeys.json`, 'createApiKey');
  return [
    // Otherwise every call would be about a state that was never there.
    { at: /^/, names: { 'if-match': '*', 'if-none-match': '"another"' } },
    { at: /^DELETE .*\/(?:sites|profiles)\/\{\w+\}\.json$/, names: { site: 'spare', profile: 'spare' } },
    { at: /^DELETE .*\/users\//, names: { user: spareUser } },
    { at: /^DELETE .*\{site\}\/apiKeys\//, names: { id: spareOfSite } },
    { at: /^DELETE .*\{org\}\/apiKeys\//, names: { id: spareOfOrg } },
    { at: /\{site\}\/apiKeys\//, names: { id: ofSite } },
    { at: /\{org\}\/apiKeys\//, names: { id: ofOrg } },
    { at: /\/users\//, names: { user } },
  ];
}
