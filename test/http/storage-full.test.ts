import { expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';

it('ends a write in 507 with a sentence where the disk is full; nothing is half done, and reading goes on', async () => {
  // No dry run knows how much room the disk has.
  const backend = await startTestBackend({ dryRun: false, open: (dataDir) => openStore({ dataDir, maxPages: 125 }) });
  try {
    const write = (count: number) => {
      const site = `site-${count}`;
      const body = siteBody('wknd', site, { public: publicPart(site), description: 'x'.repeat(8000) });
      return backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
    };
    let count = 0;
    let answer = await write(count);
    while (answer.status === 201 && count < 200) answer = await write((count += 1));

    expect([answer.status, answer.headers['x-error-code']]).toEqual([507, 'STORAGE_FULL']);
    expect(answer.headers['x-error']).toMatch(/\w+ \w+.*\./);
    expect(answer.json()).toMatchObject({ code: 'STORAGE_FULL', requestId: answer.headers['x-request-id'] });
    expect((await backend.call('GET', `/config/wknd/sites/site-${count}.json`, { as: OPERATOR })).status).toBe(404);
    expect((await backend.visit('live', `main--site-${count}--wknd`, '/config.json')).status).toBe(404);
    expect((await backend.call('GET', '/config/wknd/sites/site-0.json', { as: OPERATOR })).status).toBe(200);
    expect((await backend.visit('live', 'main--site-0--wknd', '/config.json')).status).toBe(200);
  } finally {
    await backend.stop();
  }
});
