import { mkdtemp } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { setTimeout as later } from 'node:timers/promises';
import { ask } from '../support/ask.ts';
import { startChildBackend } from '../support/child-backend.ts';
import { startWorkerBackend } from '../support/worker-backend.ts';
import type { WorkerBackend } from '../support/worker-backend.ts';

const SERVICE = 'service.example.com';
/** Each connection may lead to another process. */
const CONNECTIONS = 8;

let backend: WorkerBackend;

afterEach(() => backend.stop());

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  backend = await startWorkerBackend(settings);
  await backend.site('one', 1);
}

/** Undefined where no answer comes: the connection may be with a process that hangs, and is not known to yet. */
async function health(): Promise<unknown> {
  const answer = await Promise.race([ask(backend.address, '/health', { host: SERVICE }), later(PATIENCE)]);
  return answer?.json();
}

const PATIENCE = 2000;

/** Of requests on connections of their own. */
function statuses(path: string, host: string): Promise<number[]> {
  const one = async () => (await ask(backend.address, path, { host })).status;
  return Promise.all(Array.from({ length: CONNECTIONS }, one));
}

const reads = () => statuses('/config.json', 'main--one--wknd.live.example.com');
const all = (status: number) => Array.from({ length: CONNECTIONS }, () => status);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A call whose body is sent by halves: it has begun, and cannot end before the second half is there. */
async function beginHalf(): Promise<{ outgoing: ClientRequest; answered: Promise<IncomingMessage> }> {
  const headers = { host: SERVICE, 'content-type': 'application/x-www-form-urlencoded', 'content-length': FORM.length };
  const path = '/auth/device';
  const outgoing = request({
    hostname: '127.0.0.1',
    port: backend.port,
    path,
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', (incoming) => resolve(incoming.resume()));
    outgoing.once('error', reject);
  });
  outgoing.flushHeaders();
  await new Promise((resolve) => outgoing.once('continue', resolve));
  outgoing.write(FORM.slice(0, 5));
  return { outgoing, answered };
}

const FORM = 'client_id=pipeline';

describe('While the process of the service hangs', () => {
  it('hosts are read, by connections that are made now; calls are answered afterwards', async () => {
    await start();
    const { pid = 0 } = backend.child;
    backend.signal(pid, 'SIGSTOP');
    expect(await reads()).toEqual(all(200));
    const called = backend.call('GET', '/config/wknd.json');
    expect(await reads()).toEqual(all(200));
    backend.signal(pid, 'SIGCONT');
    expect((await called).status).toBe(200);
  });
});

describe('While no delivery process responds', () => {
  it('the process of the service answers alone, and says so; those that hung answer nothing old afterwards', async () => {
    await start();
    expect(await health()).toEqual({ status: 'ready' });
    const kept = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const readKept = () => Promise.all(kept.map(async (agent) => (await backend.visit('one', '/config.json', { agent })).text));
    await readKept();
    const pids = [...backend.workers().values()];
    for (const pid of pids) backend.signal(pid, 'SIGSTOP');
    await expect.poll(health).toEqual({ status: 'ready', delivery: 'reduced' });
    expect(await reads()).toEqual(all(200));
    await backend.site('one', 2);
    // They wait before processes that have the site ready as it was, and were told nothing since.
    const waiting = readKept();
    for (const pid of pids) backend.signal(pid, 'SIGCONT');
    for (const text of await waiting) expect(text).toContain('"count": 2');
    await expect.poll(health).toEqual({ status: 'ready' });
    for (const agent of kept) agent.destroy();
  });
});

describe('Connections that wait for delivery processes that hang', () => {
  it.each([
    ['are answered by others, but for the one that is on its way to each', 'SIGCONT' as const],
    ['are all answered where these are killed', 'SIGKILL' as const],
  ])('%s', async (_title, signal) => {
    await start();
    const pids = [...backend.workers().values()];
    const tell = (name: 'SIGSTOP' | typeof signal) => pids.forEach((pid) => backend.signal(pid, name));
    tell('SIGSTOP');
    let answered = 0;
    const asked = Array.from({ length: CONNECTIONS }, async () => {
      const { status } = await backend.visit('one');
      answered += 1;
      return status;
    });
    if (signal === 'SIGKILL') tell(signal);
    await expect.poll(() => answered).toBeGreaterThanOrEqual(CONNECTIONS - pids.length);
    if (signal === 'SIGCONT') tell(signal);
    expect(await Promise.all(asked)).toEqual(all(200));
  });
});

describe('A stop', () => {
  it.each([
    ['is told to the service alone', false],
    ['is told to all processes at once', true],
  ])('%s: each request is answered until nobody sends any more, and what is begun ends', async (_title, everybody) => {
    await start({ SHUTDOWN_DELAY: '3' });
    const pids = [backend.child.pid ?? 0, ...backend.workers().values()];
    const { outgoing, answered } = await beginHalf();
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(backend.address, '/live', { host: SERVICE, agent: kept });
    for (const pid of everybody ? pids : pids.slice(0, 1)) process.kill(pid, 'SIGTERM');
    await expect.poll(async () => (await ask(backend.address, '/ready', { host: SERVICE })).status).toBe(503);
    expect([await reads(), await statuses('/service.json', SERVICE)]).toEqual([all(200), all(200)]);
    const last = await ask(backend.address, '/service.json', { host: SERVICE, agent: kept });
    expect([last.status, last.headers['connection']]).toEqual([200, 'close']);
    kept.destroy();
    await expect.poll(reads).toEqual(all(503));
    outgoing.end(FORM.slice(5));
    expect((await answered).statusCode).toBe(200);
    expect(await backend.ended).toEqual({ code: 0, signal: null });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('ends with the grace, however long somebody takes', async () => {
    await start({ SHUTDOWN_GRACE: '1' });
    const pids = [...backend.workers().values()];
    const { answered } = await beginHalf();
    const cut = expect(answered).rejects.toThrow();
    backend.child.kill('SIGTERM');
    await cut;
    expect(await backend.ended).toEqual({ code: 0, signal: null });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('of the process of the service by force ends the others', async () => {
    await start();
    const pids = [...backend.workers().values()];
    expect(pids.filter(isRunning)).toHaveLength(2);
    backend.child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});

describe('A start', () => {
  it('of a second copy on the same port says so and leaves nothing behind', async () => {
    await start();
    const folder = await mkdtemp(join(backend.dataDir, 'second-'));
    const second = startChildBackend(folder, { PORT: String(backend.port), DELIVERY_WORKERS: '1' });
    await expect(second).rejects.toThrow(/Port \d+ of 127\.0\.0\.1 cannot be used\./);
    expect(await reads()).toEqual(all(200));
  });
});
