import { describe, afterAll, beforeAll, expect, it } from 'vitest';
import { killJourney } from '../support/kill-journey.ts';
import { JobStatus } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ask } from '../support/ask.ts';
import { tokenOf } from '../support/token-of.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { buildBackend, type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { diskFolder } from '../support/memory-folder.ts';

describe.each([
  ['a folder', {}],
  ['the database', { CODE_STORE: 'database' }],
])('with code in %s, the service', (_, settings) => {
  killJourney(async () => settings);
});
describe('A service that is killed twice during a sync', () => {
  let folder: string;
  let port: number;
  let child: ChildBackend;
  let token: string;
  /** Requests for the repository's branches, which are never answered. */
  let requests = 0;

  const codeHost = startBeforeAll(() =>
    startReceiver((request, response) => {
      if (request.url?.startsWith('/wknd/wknd') === true) requests += 1;
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }),
  );
  beforeAll(async () => {
    await buildBackend();
    folder = await mkdtemp(join(diskFolder(), 'repoless-killed-'));
    port = (await freePorts()).backend;
    child = await start();
    token = await tokenOf(folder, child.address);
  }, 120_000);
  afterAll(async () => {
    await killed('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const call = (method: string, path: string, body?: unknown) =>
    ask(child.address, path, { method, headers: { 'x-auth-token': token }, ...(body !== undefined && { body }) });
  const status = async () => JobStatus.parse((await call('GET', '/job/wknd/hung/main/code')).json());

  it('stops the sync, and does not resume it', { timeout: 120_000 }, async () => {
    expect((await call('PUT', '/config/wknd.json', {})).status).toBe(201);
    const site = siteBody('wknd', 'hung', { code: { owner: 'wknd', repo: 'wknd' } });
    expect((await call('PUT', '/config/wknd/sites/hung.json?unchecked=true', site)).status).toBe(201);
    await call('POST', '/code/wknd/hung/main/*');
    await expect.poll(async () => (await status()).state, { timeout: 30_000 }).toBe('running');

    // An orderly stop is never blamed on the sync, however often it happens.
    for (let stop = 1; stop <= 3; stop += 1) await restarted('SIGTERM');
    expect((await status()).state).toBe('running');

    for (let end = 1; end < LIMITS.syncAttempts; end += 1) await restarted('SIGKILL');
    expect((await status()).state).toBe('running');
    await killed('SIGKILL');
    child = await start();
    await expect.poll(async () => (await status()).state, { timeout: 30_000 }).toBe('stopped');
    expect((await status()).error).toBe(
      'The service ended unexpectedly twice during this sync, so it is not tried again. If a new sync fails the same way, contact the operator.',
    );

    const before = requests;
    await killed('SIGKILL');
    child = await start();
    expect([(await status()).state, (await status()).jobs.length, requests]).toEqual(['stopped', 1, before]);
  });

  /** Restarts the service, and waits until it works on the sync. */
  async function restarted(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const before = requests;
    await killed(signal);
    child = await start();
    await expect.poll(() => requests, { timeout: 30_000 }).toBeGreaterThan(before);
  }

  function start(): Promise<ChildBackend> {
    const { address } = codeHost;
    const settings = {
      CODE_HOST: address,
      CODE_HOST_API: address,
      CODE_HOST_RAW: address,
      INTERNAL_ADDRESSES: 'allow',
      OPERATORS: OPERATOR,
    };
    return startChildBackend(folder, { ...settings, PORT: String(port), RATE_LIMIT: '0', CODE_RETRY_DELAY: '10', SHUTDOWN_GRACE: '1' });
  }

  async function killed(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    child.child.kill(signal);
    if (child.child.exitCode === null && child.child.signalCode === null) await once(child.child, 'exit');
  }
});
