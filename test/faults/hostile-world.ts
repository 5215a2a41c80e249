import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { tokenOf } from '../support/token-of.ts';
import { OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { startChildBackend } from '../support/child-backend.ts';
import { startLoopClock } from '../support/loop-delay.ts';
import { listen } from '../support/listen.ts';

/** Something that a tenant sends, stores, serves or requests. Returns the statuses of the answers. */
export interface Hostile {
  readonly name: string;
  run(world: HostileWorld): Promise<readonly number[]>;
  /** Statuses besides 2xx, 3xx and 4xx that are correct if another system answers like this. */
  readonly alsoCorrect?: readonly number[];
}

export interface Observed {
  readonly statuses: readonly number[];
  /** The longest turn of the program's event loop, in milliseconds of a quiet machine. */
  readonly blocked: number;
  /** The longest delay of the event loop in milliseconds, and the time until everything was answered. */
  readonly delay: number;
  readonly whole: number;
  /** Bytes still in use afterwards. */
  readonly retained: number;
  /** Bytes allocated from the system. */
  readonly grown: number;
  /** The longest wait of another organization's reader in milliseconds, by the turns of this process; and its failures. */
  readonly waited: number;
  readonly failed: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface HostileWorld {
  readonly port: number;
  /** The operator's authorization header. */
  readonly credential: Readonly<Record<string, string>>;
  /** The address of the stand-in for every other system; `serve` sets its answers below a path. */
  readonly elsewhere: string;
  serve(path: string, answer: Serve): void;
  /** Calls the service as the operator, who administers `wknd`. */
  call(method: string, path: string, options?: Omit<TestRequest, 'method'>): Promise<TestAnswer>;
  /** Registers or replaces a site of `wknd`. */
  put(site: string, more?: Readonly<Record<string, unknown>>): Promise<TestAnswer>;
  visit(site: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  observe(input: Hostile): Promise<Observed>;
  stop(): Promise<void>;
}

export async function startHostileWorld(settings: Readonly<Record<string, string>> = {}): Promise<HostileWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-hostile-'));
  const routes = new Map<string, Serve>();
  const elsewhere = createServer((request, response) => {
    const [, serve] = [...routes].find(([path]) => request.url?.startsWith(path) === true) ?? [];
    if (serve !== undefined) return serve(request, response);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  elsewhere.on('clientError', () => undefined);
  const { address } = await listen(elsewhere);
  const {
    child,
    address: service,
    ended,
    output,
  } = await startProbed(folder, {
    CODE_HOST: address,
    CODE_HOST_API: address,
    CODE_HOST_RAW: `${address}/raw-files`,
    INTERNAL_ADDRESSES: 'allow',
    OPERATORS: OPERATOR,
    RATE_LIMIT: '0',
    PREVIEW_DOMAIN: 'preview.test',
    LIVE_DOMAIN: 'live.test',
    CODE_RETRY_DELAY: '5',
    LOG_LEVEL: 'error',
    ...settings,
  });
  const token = await tokenOf(folder, service);
  const port = Number(new URL(service).port);

  /** Reads the probe in the program, which then restarts its measurement. */
  async function probe(): Promise<{ blocked: number; delay: number; used: number; resident: number }> {
    const outputBefore = output().length;
    child.kill('SIGUSR2');
    for (;;) {
      const [, ...found] = /blocked (\d+) delay (\d+) used (\d+) resident (\d+)\n/.exec(output().slice(outputBefore)) ?? [];
      const [blocked, delay = 0, used = 0, resident = 0] = found.map(Number);
      if (blocked !== undefined) return { blocked, delay, used, resident };
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The service ended: ${output().slice(-2000)}`);
      await pause(2);
    }
  }

  /** Requests both cached and stored data until `done`. */
  async function watch(done: { readonly value: boolean }): Promise<{ waited: number; failed: number }> {
    let [waited, failed] = [0, 0];
    const clock = startLoopClock();
    const reads = [
      () => ask(service, '/config.json', { host: 'main--bystander--other.live.test' }),
      () => ask(service, '/config/other/sites/bystander.json', { headers: { 'x-auth-token': token } }),
    ];
    for (let turn = 0; !done.value; turn += 1) {
      const started = clock.now();
      const status = await reads[turn % 2]?.().then(
        (answer) => answer.status,
        () => 0,
      );
      waited = Math.max(waited, clock.now() - started);
      if (status !== 200) failed += 1;
      await pause(10);
    }
    clock.stop();
    return { waited, failed };
  }

  const world: HostileWorld = {
    port,
    credential: { 'x-auth-token': token },
    elsewhere: address,
    serve: (path, answer) => void routes.set(path, answer),
    call: (method, path, options = {}) =>
      ask(service, path, { ...options, method, headers: { 'x-auth-token': token, ...options.headers } }),
    put(site, more = {}) {
      const body = siteBody('wknd', site, { code: { owner: 'wknd', repo: 'wknd' }, ...more });
      return world.call('PUT', `/config/wknd/sites/${site}.json?replace=true&unchecked=true`, { body });
    },
    visit: (site, path, options) => ask(service, path, { host: `main--${site}--wknd.live.test`, ...options }),
    async observe(input) {
      const done = { value: false };
      const before = await probe();
      const watching = watch(done);
      const started = performance.now();
      const statuses = await input.run(world).finally(() => (done.value = true));
      const whole = Math.round(performance.now() - started);
      const bystander = await watching;
      const after = await probe();
      const [retained, grown] = [after.used - before.used, after.resident - before.resident];
      return { statuses, blocked: after.blocked, delay: after.delay, whole, retained, grown, ...bystander };
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await closed(elsewhere);
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (const org of ['wknd', 'other']) await world.call('PUT', `/config/${org}.json`, { body: {} });
  const bystander = siteBody('other', 'bystander', { code: { owner: 'other', repo: 'other' }, public: publicPart('bystander') });
  const { status, text } = await world.call('PUT', '/config/other/sites/bystander.json?unchecked=true', { body: bystander });
  if (status !== 201) throw new Error(text);
  // The first calls of a process are slow.
  const content = { source: { url: `${address}/warm`, type: 'markup', suffix: '.html' } };
  for (let count = 0; count < 5; count += 1) await world.put('warm', { content, public: { count } });
  await world.visit('warm', '/warm');
  return world;
}

function startProbed(folder: string, settings: Readonly<Record<string, string>>) {
  const probe = new URL('../support/loop-probe.mjs', import.meta.url.replace('/test/dist/', '/test/')).pathname;
  return startChildBackend(folder, { ...settings, NODE_OPTIONS: `--import ${probe}` });
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** An object with this many properties. */
export function many<T>(count: number, value: (index: number) => T, name = 'k'): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value(index)]));
}

export function list<T>(count: number, value: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => value(index));
}

/** Expects that an input is answered, affects no other organization, and leaves nothing in memory. */
export async function expectHarmless(world: HostileWorld, input: Hostile): Promise<void> {
  const { statuses, blocked, retained, grown, waited, failed } = await world.observe(input);
  expect(statuses.length).toBeGreaterThan(0);
  const isCorrect = (status: number) => (status >= 200 && status < 500) || input.alsoCorrect?.includes(status) === true;
  expect(statuses.filter((status) => !isCorrect(status))).toEqual([]);
  expect(blocked, 'milliseconds for which the event loop was blocked').toBeLessThan(200);
  expect(retained, 'bytes of memory that stay in use').toBeLessThan(MEMORY);
  expect(grown, 'bytes of memory allocated from the system').toBeLessThan(4 * MEMORY);
  expect(failed, 'answers that another organization did not get').toBe(0);
  expect(waited, 'milliseconds that another organization waited').toBeLessThan(TIMEOUT);
}

const MEMORY = 80 * 1024 * 1024;
/** Far more than any answer takes. */
const TIMEOUT = 5000;
