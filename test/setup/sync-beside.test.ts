import { expect, test } from 'vitest';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { untilStopped } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, stateOf } from './apply.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

const PAGE = '/content/summit';
const around = startBeforeAll(() => startSetupWorld());

test('A sync that ends while the site is read makes no fault of files that were not served before it', async () => {
  const code = { owner: 'wknd', repo: 'later', source: { type: 'github', url: `${around.codeHost.address}/wknd/later` } };
  const source = { url: `${around.authorAddress()}/bin/franklin.delivery/wknd/summit/main`, type: 'markup', suffix: '.html' };
  await around.codeHost.copy('later');
  const stored = await around.backend.call('PUT', '/config/wknd/sites/summit.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'summit', { code, content: { source } }),
  });
  expect(stored.status, stored.text).toBe(201);
  const headers = { 'x-auth-token': await around.backend.token(ADA) };

  let looks = 0;
  const ada = await around.person(ADA, {
    async before({ method, address }) {
      if (method !== 'GET' || !address.includes('/job/wknd/summit/') || ++looks > 1) return;
      await around.backend.call('POST', '/code/wknd/summit/main/*', { as: ADA });
      expect(await untilStopped(around.backend.address, '/job/wknd/summit/main/code', headers)).not.toHaveProperty('error');
    },
  });
  const opened = await open(ada, PAGE);
  expect(looks).toBeGreaterThan(0);
  expect(stateOf(opened.plan, 'editor-files')).toEqual({ kind: 'done' });
  expect(checkSite(opened.situation).find(({ check }) => check === 'editor-files')).toMatchObject({ verdict: 'fine' });
  expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
});
