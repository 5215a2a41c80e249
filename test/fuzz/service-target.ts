import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeDocuments } from '@repoless/service/http/openapi.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { startReceiver } from '../support/receiver.ts';
import { startFuzzedService, type FuzzedService, type FuzzTarget } from './target.ts';

/** The service, with a site to work on, one of another organization, and other systems that answer. */
export async function startServiceTarget(): Promise<FuzzTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-fuzz-'));
  const others = await startReceiver((incoming, response) => {
    incoming.resume();
    const isPage = incoming.url?.startsWith('/bin/') === true;
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' }).end(isPage ? '<main>Page</main>' : '{}');
  });
  const service = await startFuzzedService(folder, others.address, {
    PREVIEW_DOMAIN: 'preview.test',
    LIVE_DOMAIN: 'live.test',
    CODE_RETRY_DELAY: '5',
    GITHUB_WEBHOOK_SECRET: 'the-secret-of-the-webhook',
  });
  const { child } = service;
  let [credentials, session] = [await signedIn(service), await service.tokenOf(OPERATOR)];
  const register = async (org: string, site: string) => {
    const source = { url: `${others.address}/bin/franklin.delivery/${org}/${site}/main`, type: 'markup', suffix: '.html' };
    const access = { admin: { role: { admin: [OPERATOR] } } };
    const body = siteBody(org, site, { code: { owner: org, repo: org }, content: { source }, public: publicPart(site), access });
    await service.call('PUT', `/config/${org}/sites/${site}.json?replace=true`, body);
  };
  await register('other', 'bystander');
  await register('wknd', 'lantern');
  return {
    child,
    document: JSON.parse(JSON.stringify(completeDocuments().service)),
    credentials: () => credentials,
    hosts: ['main--lantern--wknd.preview.test', 'main--lantern--wknd.live.test', 'x--lantern--wknd.live.test', 'a--b--c.live.test'],
    names: () => ({ org: 'wknd', site: 'lantern' }),
    known: [],
    signed: () => undefined,
    async renew() {
      await register('wknd', 'lantern');
      // Some requests end all sessions of a person.
      const { status } = await ask(child.address, '/profile', { headers: { 'x-auth-token': session } });
      if (status === 401) [credentials, session] = [await signedIn(service), await service.tokenOf(OPERATOR)];
    },
    bystander: () => ask(child.address, '/config.json', { host: 'main--bystander--other.live.test' }),
    async stop() {
      await service.stop();
      await others.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Many, because some requests sign out. */
async function signedIn(service: FuzzedService): Promise<Readonly<Record<string, string>>[]> {
  const tokenOf = service.signIn();
  return await Promise.all(
    Array.from({ length: MAX_TOKENS }, async (_, index): Promise<Readonly<Record<string, string>>> => {
      const token = await tokenOf(index % 8 === 0 ? 'sam@example.com' : OPERATOR);
      return index % 16 === 1 ? { authorization: `Bearer ${token}` } : { 'x-auth-token': token };
    }),
  );
}

const MAX_TOKENS = 2000;
