import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BODY_EXAMPLES } from '#backend/http/openapi-examples.ts';
import { startFuzzedService } from '../../fuzz/target.ts';
import type { FuzzedService } from '../../fuzz/target.ts';
import { ask } from '../../support/ask.ts';
import { OPERATOR } from '../../support/backend.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Tried } from './run-schemathesis.ts';
import { withExamples } from './with-examples.ts';

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

/** Out: the identifiers that the service gave, by the beginnings of the paths that they belong to. */
async function fill({ call }: FuzzedService, here: (value: unknown) => unknown): Promise<Parameters<typeof withExamples>[1]> {
  const write = (method: string, path: string, example: string, media?: string) => call(method, path, here(BODY_EXAMPLES[example]), media);
  await write('PUT', `${PROFILE}.json`, 'putProfile');
  await write('POST', `${PROFILE}/robots.txt`, 'setProfileRobots', 'text/plain');
  await write('POST', `${PROFILE}/groups/editors.json`, 'setProfileGroup');
  await write('PUT', `${SITE}.json?unchecked=true`, 'putSite');
  await write('POST', `${SITE}/robots.txt`, 'setRobots', 'text/plain');
  await write('POST', `${SITE}/groups/editors.json`, 'setSiteGroup');
  await write('PUT', `${SITE}/content/query.yaml`, 'putSiteQueryYaml', 'text/yaml');
  await write('PUT', `${SITE}/content/sitemap.yaml`, 'putSiteSitemapYaml', 'text/yaml');
  await write('POST', `${SITE}/secrets/cm-byog.json`, 'setSecret');
  await write('POST', '/config/wknd/groups/editors.json', 'setOrgGroup');
  const user = Made.parse((await write('POST', '/config/wknd/users.json', 'addOrgUser')).json()).id;
  const ofOrg = Made.parse((await write('POST', '/config/wknd/apiKeys.json', 'createOrgApiKey')).json()).id;
  const ofSite = Made.parse((await write('POST', `${SITE}/apiKeys.json`, 'createApiKey')).json()).id;
  return {
    '/config/{org}/users/': { user },
    '/config/{org}/apiKeys/': { id: ofOrg },
    '/config/{org}/sites/{site}/apiKeys/': { id: ofSite },
  };
}
