import { request } from 'node:http';
import { expect, it } from 'vitest';
import { Refusal } from '@repoless/service/domain/errors.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';

/** A storage that breaks when it is told to. */
async function breakable(dataDir: string, failing: () => Error | undefined): Promise<Store> {
  const store = await openStore({ dataDir });
  const orgAndSite: Store['reads']['orgAndSite'] = (org, site) => {
    const error = failing();
    return error === undefined ? store.reads.orgAndSite(org, site) : Promise.reject(error);
  };
  const reads: Store['reads'] = Object.create(store.reads, { orgAndSite: { value: orgAndSite } });
  return Object.create(store, { reads: { value: reads } });
}

it('answers what nobody expected with the request id alone, and logs the rest under it', async () => {
  const lines: string[] = [];
  let failure: Error | undefined;
  const open = (dataDir: string) => breakable(dataDir, () => failure);
  const backend = await startTestBackend({ open, logged: (line) => lines.push(line) });
  try {
    failure = new Error('disk /dev/sda1 of 10.0.0.7 burns');
    const headers = { 'x-request-id': 'unlucky-1' };
    const answer = await backend.call('GET', '/config/wknd/sites/any.json', { as: OPERATOR, headers });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([500, 'INTERNAL']);
    expect(answer.headers['x-error']).toContain('unlucky-1');
    expect(answer.text).not.toMatch(/burns|10\.0\.0\.7|at .*\.ts/);
    expect(lines.find((line) => line.includes('burns'))).toContain('unlucky-1');

    failure = new Refusal('STORAGE_UNAVAILABLE', 'The storage does not respond. Try again in a moment.', { retryAfter: 2 });
    const refused = await backend.call('GET', '/config/wknd/sites/any.json', { as: OPERATOR });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
  } finally {
    await backend.stop();
  }
});

it('has nothing to report of a caller who went away in the middle of its body', async () => {
  const lines: string[] = [];
  const backend = await startTestBackend({ logged: (line) => lines.push(line) });
  try {
    lines.length = 0;
    const headers = { 'content-type': 'application/json', 'content-length': '100', expect: '100-continue' };
    const path = '/auth/exchange';
    const outgoing = request({ hostname: '127.0.0.1', port: backend.port, path, method: 'POST', headers }).on('error', () => undefined);
    outgoing.flushHeaders();
    await new Promise((resolve) => outgoing.once('continue', resolve));
    outgoing.destroy();
    await expect.poll(() => lines.some((line) => line.includes(path))).toBe(true);
    expect((await backend.call('GET', '/health')).status).toBe(200);
    expect(lines.filter((line) => line.includes('failure'))).toEqual([]);
  } finally {
    await backend.stop();
  }
});

it('logs one line for each request, without its secrets', async () => {
  const lines: string[] = [];
  const backend = await startTestBackend({ logged: (line) => lines.push(line) });
  try {
    const token = await backend.token(OPERATOR);
    lines.length = 0;
    const headers = { authorization: `Bearer ${token}`, cookie: `auth_token=${token}`, 'x-request-id': 'watched-1' };
    await backend.call('GET', `/config/wknd/sites.json?after=${token.slice(0, 100)}`, { headers });
    await backend.call('GET', `/nowhere/${token}`, { headers: { ...headers, 'x-request-id': 'watched-2' } });
    await expect.poll(() => lines.length).toBe(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      requestId: 'watched-1',
      method: 'GET',
      path: '/config/wknd/sites.json',
      status: 200,
    });
    expect(lines[1]).toContain('watched-2');
    for (const line of lines) expect(line).not.toContain(token.slice(0, 20));
  } finally {
    await backend.stop();
  }
});
