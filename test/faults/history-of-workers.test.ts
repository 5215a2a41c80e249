import { Agent } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { startPostgres } from '../support/postgres.ts';
import type { PostgresCluster } from '../support/postgres.ts';
import { startWorkerBackend } from '../support/worker-backend.ts';
import type { WorkerBackend } from '../support/worker-backend.ts';
import { createHistory } from './register.ts';

/** Longer than the time for which a process may use what it keeps. */
const LENGTH = IS_LONG ? 6000 : 2500;
const BOUND = 2000;
const SITES = ['one', 'two', 'three', 'four'];
/** Readers of each site; each has a connection of its own, which leads to one process. */
const READERS = 3;
const FIRST = 1;
/** After this time a connection is given up, and another one made: its process may hang. */
const PATIENCE = 400;

interface Fault {
  readonly name: string;
  happen(backend: WorkerBackend): Promise<void>;
}

const FAULTS: readonly Fault[] = [
  { name: 'nothing', happen: () => later(LENGTH) },
  {
    name: 'a delivery process that hangs',
    happen: (backend) => whileStopped(backend, [...backend.workers().values()][0], LENGTH),
  },
  {
    name: 'delivery processes that hang for less than they may use what they keep',
    async happen(backend) {
      for (const pid of [...backend.workers().values(), ...backend.workers().values(), ...backend.workers().values()]) {
        await whileStopped(backend, pid, PATIENCE / 2);
        await later(PATIENCE / 4);
      }
    },
  },
  {
    name: 'a delivery process that is killed',
    async happen(backend) {
      const [name = '', pid = 0] = [...backend.workers()][0] ?? [];
      backend.signal(pid, 'SIGKILL');
      await expect.poll(() => backend.workers().get(name)).not.toBe(pid);
      await expect.poll(() => backend.workers().has(name)).toBe(true);
      await later(LENGTH / 2);
    },
  },
  {
    name: 'all delivery processes killed at once',
    async happen(backend) {
      const before = backend.workers();
      for (const pid of before.values()) backend.signal(pid, 'SIGKILL');
      await expect.poll(() => [...backend.workers()].filter(([name, pid]) => before.get(name) !== pid).length).toBe(before.size);
      await later(LENGTH / 2);
    },
  },
  { name: 'the process of the service that hangs', happen: (backend) => whileStopped(backend, backend.child.pid, LENGTH) },
];

async function whileStopped(backend: WorkerBackend, pid: number | undefined, milliseconds: number): Promise<void> {
  if (pid === undefined) throw new Error('There is no such process.');
  backend.signal(pid, 'SIGSTOP');
  await later(milliseconds);
  backend.signal(pid, 'SIGCONT');
}

describe.each(['SQLite', 'PostgreSQL'])('delivery processes beside the service on %s', (engine) => {
  let postgres: PostgresCluster | undefined;
  let backend: WorkerBackend;
  const history = createHistory(BOUND, () => performance.now());
  const latest = new Map<string, number>();
  const clients: Promise<void>[] = [];
  let problem: unknown;
  let goesOn = true;

  beforeAll(async () => {
    if (engine === 'PostgreSQL') postgres = await startPostgres();
    backend = await startWorkerBackend(postgres === undefined ? {} : { DATABASE_URL: await postgres.database() });
    for (const site of SITES) await backend.site(site, FIRST);
    for (const site of SITES) clients.push(writer(site), ...Array.from({ length: READERS }, (_, index) => reader(`reader ${index}`, site)));
  }, 120_000);
  afterAll(async () => {
    goesOn = false;
    await Promise.all(clients);
    await backend.stop();
    await postgres?.stop();
  }, 60_000);

  it.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    'never answer old, whatever happens: %s',
    { timeout: LENGTH * 3 + 60_000 },
    async (_name, { happen }) => {
      history.figures();
      await happen(backend);
      await recovered();
      const figures = history.figures();
      const found = problem;
      problem = undefined;
      if (found !== undefined) throw found;
      expect(figures.reads).toBeGreaterThan(0);
      expect(figures.longest, 'ms that an acknowledged write was not seen').toBe(0);
    },
  );

  /** Every site is written again, and connections that are made now show what was acknowledged last, or something newer. */
  async function recovered(): Promise<void> {
    const before = new Map(latest);
    for (const site of SITES) {
      await expect.poll(() => latest.get(site)).not.toBe(before.get(site));
      const wanted = latest.get(site) ?? FIRST;
      for (let connection = 0; connection < READERS; connection += 1)
        await expect.poll(() => read(site).catch(() => 0)).toBeGreaterThanOrEqual(wanted);
    }
  }

  async function read(site: string, agent?: Agent): Promise<number> {
    const { status, text } = await backend.visit(site, '/config.json', agent === undefined ? {} : { agent });
    const [, value] = status === 200 ? (/"count": (\d+)/.exec(text) ?? []) : [];
    if (value === undefined) throw new Error(`${status} ${text}`);
    return Number(value);
  }

  /** One process after the other may answer a site's readers; that of one connection never goes back. */
  async function reader(name: string, site: string): Promise<void> {
    for (let connection = 1; goesOn; connection += 1) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let invoked = performance.now(); goesOn; invoked = performance.now()) {
        const value = await Promise.race([read(site, agent).catch(() => undefined), later(PATIENCE, undefined)]);
        if (value === undefined) break;
        checked(() => history.read(`${name}, connection ${connection}`, site, invoked, value));
        await later(5);
      }
      agent.destroy();
      if (goesOn) history.refused();
      await later(20);
    }
  }

  async function writer(site: string): Promise<void> {
    const path = `/config/wknd/sites/${site}/public.json`;
    let etag: string | undefined;
    for (let value = FIRST + 1; goesOn; value += 1) {
      etag ??= await inTime(backend.call('GET', path).then(({ status, headers }) => (status === 200 ? headers['etag'] : undefined)));
      const began = performance.now();
      etag = etag === undefined ? undefined : await inTime(write(path, value, etag));
      if (etag === undefined) history.unknown();
      else {
        history.acknowledged(site, value, performance.now() - began);
        latest.set(site, value);
      }
      await later(10);
    }
  }

  /** The new etag where it was acknowledged. What was given up may be stored yet, but never over a later one. */
  async function write(path: string, value: number, etag: string): Promise<string | undefined> {
    const asked = { method: 'POST', host: 'service.example.com', body: { paths: { includes: ['/'] }, count: value } };
    const answer = await ask(backend.address, path, { ...asked, headers: { 'x-auth-token': backend.token, 'if-match': etag } });
    if (answer.status < 500 && ![200, 412].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    return answer.status === 200 ? answer.headers['etag'] : undefined;
  }

  function inTime(answer: Promise<string | undefined>): Promise<string | undefined> {
    const known = answer.catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) problem ??= error;
      return undefined;
    });
    return Promise.race([known, later(BOUND, undefined)]);
  }

  function checked(check: () => void): void {
    try {
      check();
    } catch (error) {
      problem ??= error;
    }
  }
});
