import { projectRoot } from '@repoless/sandbox/addresses.ts';
import { EXAMPLE, exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ask, asker, sitePath } from './hosted-client.ts';

const { org, ownSite } = EXAMPLE;
const users = `/config/${org}/users.json`;

describe('faults of the hosted service', () => {
  let hosted: Hosted;
  let ask: Ask;
  beforeEach(async () => {
    hosted = await startHosted({ switches: { requestsPerSecond: 0 } });
    ask = asker(hosted.address, { 'x-auth-token': hosted.token('session', { email: EXAMPLE.admin }) });
  });
  afterEach(() => hosted.close());

  it.each([
    ['PUT', sitePath('rehearsed'), {}, '?dryRun=true', 'dryRun'],
    ['POST', sitePath(ownSite, 'public'), {}, '?confirm=lock-out', 'confirm'],
    ['POST', sitePath(ownSite, 'public'), { 'x-dry-run': 'true' }, '', 'x-dry-run'],
    ['POST', sitePath(ownSite, 'public'), { 'if-match': '"1"' }, '', 'if-match'],
    ['DELETE', sitePath(ownSite), { 'if-none-match': '*' }, '', 'if-none-match'],
  ] as const)('include a loud failure instead of a write: %s %s %j %s', async (method, path, headers, query, named) => {
    const before = (await ask('GET', sitePath(ownSite))).text;
    const answer = await ask(method, `${path}${query}`, method === 'DELETE' ? undefined : exampleSite('rehearsed'), headers);
    expect(answer.status).toBe(500);
    expect(answer.error).toContain(named);
    expect(hosted.violations).toEqual([expect.stringContaining(`${method} ${path} carries ${named}`)]);
    expect((await ask('GET', sitePath(ownSite))).text).toBe(before);
    expect((await ask('GET', `${sitePath(ownSite)}?dryRun=true`)).status).toBe(200);
    expect(hosted.violations).toHaveLength(1);
  });

  it.each([
    ['answer', 500],
    ['answer', 503],
    ['cut', undefined],
  ] as const)('include a misleading answer to a stored write: %s %s', async (kind, status) => {
    hosted.fault({ kind, ...(status === undefined ? {} : { status }) });
    const sent = ask('POST', sitePath(ownSite, 'public'), { changed: true });
    if (status === undefined) await expect(sent).rejects.toThrow();
    else expect((await sent).status).toBe(status);
    expect((await ask('GET', sitePath(ownSite, 'public'))).json).toEqual({ changed: true });
    expect((await ask('POST', sitePath(ownSite, 'public'), { changed: 2 })).status).toBe(200);
  });

  it('include a stored write without an answer', async () => {
    hosted.fault({ kind: 'hang', path: sitePath(ownSite, 'public') });
    const hanging = ask('POST', sitePath(ownSite, 'public'), { changed: true });
    const ended = expect(hanging).rejects.toThrow();
    await expect.poll(async () => (await ask('GET', sitePath(ownSite, 'public'))).json).toEqual({ changed: true });
    await hosted.close();
    await ended;
    expect(hosted.requests).toContainEqual({ generation: 'H5', method: 'POST', path: sitePath(ownSite, 'public'), status: 0 });
    hosted = await startHosted();
  });

  it('include a given number of refusals without an effect', async () => {
    hosted.fault({ kind: 'answer', status: 413, takesEffect: false, skip: 1, times: 2, method: 'GET' });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask('GET', sitePath(ownSite))).status);
    expect(statuses).toEqual([200, 413, 413, 200]);
  });

  it('include another person’s write between a read and a write', async () => {
    hosted.fault({
      kind: 'foreign',
      write: { method: 'POST', path: sitePath(ownSite, 'headers'), body: { '/**': [{ key: 'a', value: 'b' }] } },
    });
    const document = (await ask('GET', sitePath(ownSite))).json as object;
    expect(document).not.toHaveProperty('headers');
    expect((await ask('POST', sitePath(ownSite, 'public'), { own: true })).status).toBe(200);
    expect((await ask('GET', sitePath(ownSite))).json).toMatchObject({ headers: {}, public: { own: true } });
    hosted.change('POST', sitePath(ownSite, 'public'), { foreign: true });
    expect((await ask('GET', sitePath(ownSite, 'public'))).json).toEqual({ foreign: true });
    expect(() => hosted.change('POST', sitePath(ownSite), {})).toThrow('data must have required property');
  });

  it('include a loud failure when a creation with a lost answer is repeated', async () => {
    const user = { email: 'twice@example.com', roles: ['author'] };
    expect((await ask('POST', users, user)).status).toBe(200);
    expect((await ask('POST', users, user)).status).toBe(200);
    expect(hosted.violations).toEqual([]);
    const refused = { ...user, email: 'refused@example.com' };
    hosted.fault({ kind: 'answer', status: 503, takesEffect: false });
    expect((await ask('POST', users, refused)).status).toBe(503);
    expect((await ask('POST', users, refused)).status).toBe(200);
    expect(hosted.violations).toEqual([]);
    hosted.fault({ kind: 'answer', status: 503 });
    expect((await ask('POST', users, { ...user, email: 'lost@example.com' })).status).toBe(503);
    expect((await ask('POST', users, { ...user, email: 'lost@example.com' })).status).toBe(500);
    expect(hosted.violations).toEqual([expect.stringContaining('was repeated')]);
    const listed = (await ask('GET', users)).json as { email: string }[];
    expect(listed.filter(({ email }) => email === 'lost@example.com')).toHaveLength(1);
  });

  it('include a limit of ten requests per second and organization', async () => {
    hosted.set({ requestsPerSecond: 10 });
    const burst = (count: number, path: string) => Promise.all(Array.from({ length: count }, () => ask('GET', path)));
    const answers = await burst(30, sitePath(ownSite));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.headers).toMatchObject({ 'x-ratelimit-limit': '10' });
    expect(limited[0]?.headers).not.toHaveProperty('retry-after');
    expect((await ask('GET', '/config/other.json')).status).toBe(403);
    hosted.set({ retryAfter: true });
    const later = await burst(30, sitePath(ownSite));
    expect(later.find(({ status }) => status === 429)?.headers).toHaveProperty('retry-after');
  });

  it('are set over HTTP if it runs as a separate program', async () => {
    const program = spawn(process.execPath, [join(projectRoot(), 'sandbox/dist/hosted/main.js')], {
      env: { HOSTED_PORT: '0', HOSTED_SUCCESSOR_PORT: '0' },
    });
    try {
      let output = '';
      program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await expect.poll(() => output, { timeout: 20_000 }).toMatch(/\ney\S+\n$/);
      const address = /http:\/\/localhost:\d+/.exec(output)?.[0] ?? '';
      const ask = asker(address, { 'x-auth-token': output.trim().split('\n').at(-1) ?? '' });
      expect((await ask('POST', '/sandbox/hosted', { lists: 'array' })).json).toMatchObject({
        switches: { lists: 'array' },
        violations: [],
      });
      expect((await ask('GET', sitePath(ownSite, 'secrets'))).text).toBe('[]');
      expect((await ask('POST', '/sandbox/hosted', { lists: 'nonsense' })).status).toBe(400);
      await ask('POST', '/sandbox/hosted/faults', { kind: 'answer', status: 503, method: 'GET' });
      await ask('POST', '/sandbox/faults', { mode: 'unavailable', times: 1 });
      const statuses = [];
      for (let count = 0; count < 3; count++) statuses.push((await ask('GET', sitePath(ownSite))).status);
      expect(statuses).toEqual([503, 503, 200]);
    } finally {
      program.kill();
      await once(program, 'exit');
    }
  });
});
