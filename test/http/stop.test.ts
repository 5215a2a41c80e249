import { diskFolder } from '../support/memory-folder.ts';
import { operate } from '../support/operate.ts';
import { mkdtemp } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/byogit.ts';
import {
  BUILD_MANAGEMENT_PROGRAM,
  buildBackend,
  startChildBackend,
  temporaryDirectory,
  buildCommandLine,
  type ChildBackend,
} from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const data = startBeforeAll(() => temporaryDirectory(), 120_000);
beforeAll(async () => {
  await buildBackend();
}, 120_000);

const FORM = 'client_id=pipeline';
const DEVICE = { path: '/auth/device', type: 'application/x-www-form-urlencoded', text: FORM };
const EVENT = { path: '/webhooks/00000000-0000-4000-8000-000000000000', type: 'application/json', text: '{"event":1}' };

/** Sends half a request: the program has started on it, and cannot finish before the second half arrives. */
function startHalf(address: string, { path, type, text } = DEVICE): { outgoing: ClientRequest; answered: Promise<IncomingMessage> } {
  const { port } = new URL(address);
  const headers = { 'content-type': type, 'content-length': text.length, expect: '100-continue' };
  const outgoing = request({ hostname: '127.0.0.1', port, path, method: 'POST', headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', (incoming) => resolve(incoming.resume()));
    outgoing.once('error', reject);
  });
  return { outgoing, answered };
}

async function started(outgoing: ClientRequest, { text } = DEVICE): Promise<void> {
  outgoing.flushHeaders();
  await new Promise((resolve) => outgoing.once('continue', resolve));
  outgoing.write(text.slice(0, 5));
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets requests in progress finish, refuses new ones with the reason, and ends the program with 0', async () => {
    const backend = await startChildBackend(data.path, { SHUTDOWN_GRACE: '20' });
    const { outgoing, answered } = startHalf(backend.address);
    await started(outgoing);
    backend.child.kill(signal);
    await expect.poll(async () => (await ask(backend.address, '/health')).status).toBe(503);

    expect((await ask(backend.address, '/health')).json()).toEqual({ status: 'stopping' });
    const refused = await ask(backend.address, '/service.json');
    expect([refused.status, refused.code, refused.headers['connection']]).toEqual([503, 'SHUTTING_DOWN', 'close']);
    expect(refused.headers['retry-after']).toBe('1');
    const { port } = new URL(backend.address);
    const delivery = await ask(backend.address, '/config.json', { host: `main--a--b.preview.localhost:${port}` });
    expect(delivery).toMatchObject({ status: 503, code: 'SHUTTING_DOWN' });

    outgoing.end(FORM.slice(5));
    expect((await answered).statusCode).toBe(200);
    expect(await backend.ended).toEqual({ code: 0, signal: null });
  });
});

it('build management is live and not ready until its requests in progress are answered', async () => {
  const settings = { ...BUILD_MANAGEMENT_NEEDS, SHUTDOWN_GRACE: '20' };
  const program = await startChildBackend(data.path, settings, { program: BUILD_MANAGEMENT_PROGRAM });
  const { outgoing, answered } = startHalf(program.address, EVENT);
  await started(outgoing, EVENT);
  program.child.kill('SIGTERM');
  await expect.poll(async () => (await ask(program.address, '/ready')).status).toBe(503);
  const { status, json, headers } = await ask(program.address, '/health');
  expect([status, json(), headers['x-error']]).toEqual([503, { status: 'stopping' }, 'Build management is stopping.']);
  expect((await ask(program.address, '/live')).json()).toEqual({ status: 'live' });
  const refused = await ask(program.address, '/service.json');
  expect([refused.status, refused.code, refused.headers['connection']]).toEqual([503, 'SHUTTING_DOWN', 'close']);
  outgoing.end(EVENT.text.slice(5));
  expect((await answered).headers['x-error-code']).toBe('WEBHOOK_NOT_FOUND');
  expect(await program.ended).toEqual({ code: 0, signal: null });
});

it.each([
  ['the service', undefined, {}],
  ['build management', BUILD_MANAGEMENT_PROGRAM, BUILD_MANAGEMENT_NEEDS],
])('%s answers requests during SHUTDOWN_DELAY, and reports at once that it is not ready', async (_title, program, needs) => {
  const running = await startChildBackend(data.path, { ...needs, SHUTDOWN_DELAY: '3' }, { program });
  const { port } = new URL(running.address);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string, host = '127.0.0.1') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const clientRequest = request({ hostname: '127.0.0.1', port, path, agent, headers: { host } }, (incoming) =>
        resolve(incoming.resume()),
      );
      clientRequest.once('error', reject).end();
    });
  expect((await get('/service.json')).headers['connection']).toBe('keep-alive');
  running.child.kill('SIGTERM');
  await expect.poll(async () => (await get('/ready')).statusCode).toBe(503);
  const hosts = program === undefined ? [`main--a--b.preview.localhost:${port}`] : [];
  for (const host of [undefined, ...hosts]) {
    const { statusCode, headers } = await get(host === undefined ? '/service.json' : '/config.json', host);
    expect([statusCode, headers['connection']]).toEqual([host === undefined ? 200 : 404, 'close']);
  }
  expect(await running.ended).toEqual({ code: 0, signal: null });
});

it('ends after the grace period, however slow a caller is', async () => {
  const [patient, backend] = await Promise.all(
    ['60', '1'].map(async (grace) => startChildBackend(await mkdtemp(join(data.path, 'service-')), { SHUTDOWN_GRACE: grace })),
  );
  if (patient === undefined || backend === undefined) return expect.unreachable();
  const ends: string[] = [];
  void patient.ended.then(() => ends.push('patient'));
  const cuts = [];
  for (const { address, child } of [patient, backend]) {
    const { outgoing, answered } = startHalf(address);
    cuts.push(expect(answered).rejects.toThrow());
    await started(outgoing);
    child.kill('SIGTERM');
  }
  expect(await backend.ended).toEqual({ code: 0, signal: null });
  expect(ends).toEqual([]);
  patient.child.kill('SIGKILL');
  await Promise.all(cuts);
});

it('does not wait for idle connections', async () => {
  const backend = await startChildBackend(data.path, { SHUTDOWN_GRACE: '60' });
  const { port } = new URL(backend.address);
  const answer = await fetch(`http://127.0.0.1:${port}/health`, { headers: { connection: 'keep-alive' } });
  await answer.text();
  backend.child.kill('SIGTERM');
  expect(await backend.ended).toEqual({ code: 0, signal: null });
});

it('reports why it does not start', async () => {
  const wrong = startChildBackend(data.path, { LOG_LEVEL: 'loud', BODY_LIMIT: 'much' });
  await expect(wrong).rejects.toThrow(/LOG_LEVEL: .*\n.*BODY_LIMIT: |BODY_LIMIT: .*\n.*LOG_LEVEL: /);
  const backend = await startChildBackend(data.path);
  const { port } = new URL(backend.address);
  await expect(startChildBackend(await mkdtemp(join(data.path, 'service-')), { PORT: port })).rejects.toThrow(
    /Port \d+ of 127\.0\.0\.1 cannot be used\./,
  );
  backend.child.kill('SIGTERM');
  expect(await backend.ended).toEqual({ code: 0, signal: null });
});

const PROGRAMS: readonly (readonly [string, number, readonly string[]])[] = [
  ['main.js', 1, []],
  ['build-management/main.js', 1, []],
  ['administration/main.js', 2, ['jobs', 'list']],
];

it.each(PROGRAMS)('%s reports the invalid setting, and nothing else', async (program, status, args) => {
  const settings = { DATA_DIR: diskFolder(), PORT: '0', LOG_LEVEL: 'loud', BUILD_MANAGEMENT_KEY: 'a-key-of-sixteen-or-more-characters' };
  const err = 'These settings are wrong:\n  LOG_LEVEL: Write one of fatal, error, warn, info, debug, trace, silent.\n';
  expect(await operate(args, settings, `backend/dist/${program}`)).toEqual({ status, out: '', err });
});
describe('on one data folder,', () => {
  beforeAll(async () => {
    await buildBackend();
    await buildCommandLine();
  }, 120_000);

  const IMPATIENT = { SHUTDOWN_DELAY: '0', SHUTDOWN_GRACE: '0' };

  async function end({ child, ended }: ChildBackend, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    child.kill(signal);
    await ended;
  }

  it.each([
    ['the service', 'Another service', undefined, {}],
    ['build management', 'Another build management', BUILD_MANAGEMENT_PROGRAM, BUILD_MANAGEMENT_NEEDS],
  ])('the second program of %s ends with the reason', async (_title, other, program, needs) => {
    const first = await startChildBackend(data.path, needs, { program });
    const second = startChildBackend(data.path, { ...needs, ...IMPATIENT }, { program }).then(({ address }) => address);
    await expect(second).rejects.toThrow(`${other} runs on the folder ${data.path}. Stop it, or set DATA_DIR to another folder.`);
    expect((await fetch(`${first.address}/ready`)).status).toBe(200);
    await end(first, 'SIGKILL');
    // A killed process holds no lock.
    const next = await startChildBackend(data.path, { ...needs, ...IMPATIENT }, { program });
    expect((await fetch(`${next.address}/ready`)).status).toBe(200);
    await end(next);
  });

  it('a service that replaces another waits for its end', async () => {
    const first = await startChildBackend(data.path);
    let noticed: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (noticed = resolve));
    const wrote = (text: string) => {
      if (text.includes('Waiting for it to end')) noticed();
    };
    const second = startChildBackend(data.path, { SHUTDOWN_GRACE: '60' }, { wrote });
    expect(await Promise.race([waits.then(() => 'waits'), second.then(() => 'started')])).toBe('waits');
    await end(first);
    expect((await fetch(`${(await second).address}/ready`)).status).toBe(200);
    await end(await second);
  });

  it('operator commands work while the service runs', async () => {
    const service = await startChildBackend(data.path);
    expect(await operate(['jobs', 'list'], { DATA_DIR: data.path })).toMatchObject({ status: 0, err: '' });
    expect(await operate(['backup', `${data.path}/copy`], { DATA_DIR: data.path })).toMatchObject({ status: 0, err: '' });
    await end(service);
  });
});
