import { expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));

it.each(['plain', 'naïve', 'łódź', '日本語', '👩‍🚀'])('config.json keeps "%s" as it was written', async (title) => {
  const body = siteBody('wknd', 'letters', { public: { title } });
  await backend.call('PUT', '/config/wknd/sites/letters.json', { as: OPERATOR, body });
  for (const again of [false, true]) {
    const answer = await backend.visit('live', 'main--letters--wknd', '/config.json');
    expect(answer.json(), again ? 'from memory' : 'loaded').toEqual({ public: { title } });
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  }
});
