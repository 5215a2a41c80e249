import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const READER = 'reader@example.com';
const PAGE = '/nowhere';
/** No code was ever synchronized: whoever is let in is told so. */
const [LET_IN, SHUT_OUT] = [502, 401];

let backend: TestBackend;
let ahead = 0;

beforeAll(async () => {
  backend = await startTestBackend({ now: () => new Date(Date.now() + ahead) });
  for (const site of ['shut', 'other']) {
    const content = { source: { url: `https://author-p1-e1.example.com/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } };
    await call('PUT', `/config/wknd/sites/${site}.json`, siteBody('wknd', site, { content, access: { site: { allow: [READER] } } }));
  }
});
afterAll(async () => {
  await backend.stop();
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await backend.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

async function visit(token: string, site = 'shut', tier: 'preview' | 'live' = 'live'): Promise<number> {
  return (await backend.visit(tier, `main--${site}--wknd`, PAGE, { headers: { authorization: `token ${token}` } })).status;
}

describe('The site token that is handed over at a sign-in', () => {
  const SHUT = { org: 'wknd', site: 'shut' };

  it('opens the hosts of its site to its reader, and nothing else', async () => {
    const token = (await backend.handOver(await backend.token(READER), SHUT))?.token ?? '';
    expect(token).toMatch(/^hlxtst_/);
    expect(decodeJwt(token.slice('hlxtst_'.length))).toMatchObject({ aud: 'shut--wknd', email: READER });
    expect([await visit(token), await visit(token, 'shut', 'preview'), await visit(token, 'other')]).toEqual([LET_IN, LET_IN, SHUT_OUT]);
    expect(await visit(token.slice('hlxtst_'.length))).toBe(SHUT_OUT);
    for (const value of [token, token.slice('hlxtst_'.length)]) {
      expect((await backend.call('GET', '/profile', { headers: { 'x-auth-token': value } })).status).toBe(401);
    }
  });

  it('ends with the session, or after a day', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    const short = await backend.handOver(await backend.token(READER, { notAfter: inAnHour }), SHUT);
    expect(short?.exp).toBe(inAnHour);
    const session = await backend.token(READER);
    const token = (await backend.handOver(session, SHUT))?.token ?? '';
    expect(await visit(token)).toBe(LET_IN);
    expect((await backend.call('GET', '/logout', { headers: { 'x-auth-token': session } })).status).toBeLessThan(400);
    expect(await visit(token)).toBe(SHUT_OUT);
    ahead = 24 * 3_600_000;
    try {
      expect(await visit(short?.token ?? '')).toBe(SHUT_OUT);
    } finally {
      ahead = 0;
    }
  });

  it('is no longer good once its reader may read the site no more', async () => {
    const token = (await backend.handOver(await backend.token(READER), SHUT))?.token ?? '';
    await call('POST', '/config/wknd/sites/shut/access/site.json', { allow: ['somebody@example.com'] });
    expect(await visit(token)).toBe(403);
    await call('POST', '/config/wknd/sites/shut/access/site.json', { allow: [READER] });
    expect(await visit(token)).toBe(LET_IN);
  });

  it('is not made for a stranger, a broken session, or a site that is open', async () => {
    expect(await backend.handOver(await backend.token('stranger@example.com'), SHUT)).toBeUndefined();
    expect(await backend.handOver('broken', SHUT)).toBeUndefined();
    await call('POST', '/config/wknd/sites/other/access/site.json', { allow: [READER], requireAuth: false });
    expect(await backend.handOver(await backend.token(READER), { org: 'wknd', site: 'other' })).toBeUndefined();
  });
});
