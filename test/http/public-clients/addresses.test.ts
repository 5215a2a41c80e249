import { beforeAll, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  const body = siteBody('wknd', 'both', { robots: { txt: 'User-agent: *\n' }, sidekick: { project: 'Both' } });
  expect((await backend.call('PUT', '/config/wknd/sites/both.json', { as: OPERATOR, body })).status).toBe(201);
});

it.each([
  ['/config/wknd/aggregated/both/robots.txt', '/wknd/aggregated/both/robots.txt'],
  ['/config/wknd/aggregated/both.json', '/wknd/aggregated/both/config.json'],
  ['/sidekick/wknd/both/main/config.json', '/wknd/sites/both/sidekick/config.json'],
  ['/job/wknd/both/main/code', '/wknd/sites/both/job/code'],
  ['/code/wknd/both/*', '/wknd/sites/both/code/*'],
])('%s is answered the same at %s', async (older, newer) => {
  const [one, other] = [await page.call('GET', older), await page.call('GET', newer)];
  expect([one.status, other.status, other.text]).toEqual([200, 200, one.text]);
});

it.each(['/psi', '/psi?url=https://www.example.com', '/wknd/sites/both/snapshot', '/wknd/sites/both/job', '/cron/wknd/both/main'])(
  '%s is refused with 501, and with where it is done instead',
  async (path) => {
    const refused = await page.call('GET', path);
    expect([refused.status, refused.error]).toEqual([501, expect.stringMatching(/ is not offered here: .+\. .+\.$/)]);
  },
);
