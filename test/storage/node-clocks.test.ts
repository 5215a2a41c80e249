import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import { JobStatus } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { postgresEngine, type StoreDatabase } from '../support/each-store.ts';
import { startWebhookReceiver } from '../support/message-receivers.ts';

const MINUTE = 60_000;

describe('nodes on one PostgreSQL whose clocks differ', () => {
  const engine = postgresEngine();

  /** A node whose clock is ahead by this many milliseconds; the first one claims the organization. */
  async function node({ open }: StoreDatabase, ahead: number, settings: Record<string, string>, claim = false): Promise<TestBackend> {
    const started = await startTestBackend({ claim, settings, dryRun: false, now: () => new Date(Date.now() + ahead), open });
    onTestFinished(() => started.stop());
    return started;
  }

  it('leave a code sync to the node that works on it', async () => {
    const host = await hangingCodeHost();
    const database = await engine.newDatabase();
    const first = await node(database, 0, host, true);
    await createOrJoinSync(first);
    // A node that starts resumes orphaned work at once.
    const others = [await node(database, 5 * MINUTE, host), await node(database, 10 * MINUTE, host)];
    for (const one of [first, ...others]) expect(await syncOf(one)).toMatchObject({ state: 'running' });
    expect(await first.store.code.openJobs(2)).toMatchObject([{ job: { attempts: 1 } }]);
  });

  it('wait no longer for a dead node whose clock was ahead than for another', async () => {
    const host = await hangingCodeHost();
    const ahead = await node(await engine.newDatabase(), 10 * MINUTE, host, true);
    await createOrJoinSync(ahead);
    const [open] = await ahead.store.code.openJobs(1);
    expect(open?.lease?.until.getTime()).toBeLessThan(Date.now() + MINUTE);
    // Its times are by the shared clock too, because other nodes compare them with their checks.
    expect(Date.parse((await syncOf(ahead)).startTime ?? '')).toBeLessThan(Date.now() + MINUTE);
  });

  it('delay the second attempt of a message by one clock, and not the first', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    const times: number[] = [];
    receiver.answer((response) => {
      times.push(Date.now());
      response.writeHead(500).end();
    });
    const settings = { SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json') };
    const database = await engine.newDatabase();
    const ahead = await node(database, 10 * MINUTE, settings, true);
    await node(database, 0, settings);
    await node(database, 20 * MINUTE, settings);
    await sendTest(ahead, receiver.url);
    await receiver.until(2);
    const [first = 0, second = 0, third] = times;
    expect(second - first).toBeGreaterThanOrEqual(4900);
    expect(third).toBeUndefined();
  });

  it('send a message once while its receiver is slow', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    receiver.answer(() => undefined);
    const settings = { SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json') };
    const database = await engine.newDatabase();
    const first = await node(database, 0, settings, true);
    const share = LIMITS.deliveriesOfOrg;
    for (let sent = 1; sent <= share; sent += 1) {
      await sendTest(first, receiver.url);
      await receiver.until(sent);
    }
    // The first node has no slot left for the organization, so another one sends the next message.
    await node(database, 10 * MINUTE, settings);
    await sendTest(first, receiver.url);
    const messages = await receiver.until(share + 1);
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(share + 1);
  });
});

/** Settings of a code host that never answers requests about the repository. */
async function hangingCodeHost(): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/wknd/wknd') !== true) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { CODE_HOST: address, CODE_HOST_API: address, CODE_HOST_RAW: address };
}

/** Starts a sync, and resolves when the node works on it. */
async function createOrJoinSync(backend: TestBackend): Promise<void> {
  const site = siteBody('wknd', 'slow', { code: { owner: 'wknd', repo: 'wknd' } });
  expect((await backend.call('PUT', '/config/wknd/sites/slow.json?unchecked=true', { as: OPERATOR, body: site })).status).toBe(201);
  expect((await backend.call('POST', '/code/wknd/slow/main/*', { as: OPERATOR })).status).toBe(202);
  // The call itself probes the branch, so a request to the host does not show that a node has taken the job.
  const { code } = backend.store;
  await expect.poll(async () => (await code.openJobs(1))[0]?.lease, { timeout: 30_000 }).toBeDefined();
}

async function syncOf(backend: TestBackend): Promise<JobStatus> {
  return JobStatus.parse((await backend.call('GET', '/job/wknd/slow/main/code', { as: OPERATOR })).json());
}

/** Sends a message to a new subscription. */
async function sendTest(backend: TestBackend, url: string): Promise<void> {
  const body = { channel: { type: 'webhook', url } };
  const created = await backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body });
  const { id } = CreatedSubscription.parse(created.json());
  expect((await backend.call('POST', `/config/wknd/subscriptions/${id}/test.json`, { as: OPERATOR })).status).toBeLessThan(300);
}
