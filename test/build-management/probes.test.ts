import { describe, expect, it } from 'vitest';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import { startTestBuildManagement } from '../support/byogit.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

describe('build management that is reached by HTTPS', () => {
  const running = startBeforeAll(async () => {
    const { buildManagement } = await freePorts();
    return startTestBuildManagement({ settings: { PORT: String(buildManagement), PUBLIC_ADDRESS: 'https://build.example.com' } });
  });
  const read = (method: string, path: string) => ask(`http://127.0.0.1:${running.port}`, path, { method });

  it.each([
    ['/live', { status: 'live' }],
    ['/ready', { status: 'ready' }],
    ['/health', { status: 'ready' }],
  ])('%s says how it is', async (path, body) => {
    const answer = await read('GET', path);
    expect([answer.status, answer.json()]).toEqual([200, body]);
  });

  it.each([
    ['GET', '/live', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/organizations/wknd/repositories', 401],
    ['PATCH', '/health', 405],
    ['OPTIONS', '/nowhere', 204],
  ])('%s %s (%i) tells browsers to come by HTTPS, to guess no type and to show it in no frame', async (method, path, status) => {
    const answer = await read(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toBe("default-src 'none';base-uri 'none';frame-ancestors 'none'");
  });
});

it('leaves HTTPS to others where it is reached by HTTP', async () => {
  const plain = await startTestBuildManagement();
  expect((await ask(plain.address, '/live')).headers['strict-transport-security']).toBeUndefined();
  await plain.stop();
});
