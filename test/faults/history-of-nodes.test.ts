import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IS_LONG } from '../support/long-tests.ts';
import { createHistory, type Deployment, type Figures, type Node, startDeployment } from './deployment.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

interface Fault {
  readonly name: string;
  /** Whether it is also among the ordinary tests. */
  readonly short?: true;
  /** Causes the fault, waits, and repairs it. */
  happen(deployment: Deployment, length: number): Promise<void>;
}

/** Faults of machines and networks. Those of a single node happen to the second; the writers use all nodes. */
const FAULTS: readonly Fault[] = [
  { name: 'nothing', short: true, happen: (_deployment, length) => later(length).then(() => undefined) },
  {
    name: 'silent connections',
    short: true,
    happen: ({ nodes: [, node] }, length) =>
      during(
        length,
        () => node?.network.freeze(),
        () => node?.network.thaw(),
      ),
  },
  {
    name: 'forgotten connections',
    async happen({ nodes: [, node] }, length) {
      node?.network.clear();
      await later(length);
    },
  },
  {
    name: 'cut connections',
    async happen({ nodes: [, node] }, length) {
      for (let round = 0; round < 5; round += 1) {
        node?.network.cut();
        await later(length / 5);
      }
    },
  },
  {
    name: 'a slow network',
    happen: ({ nodes: [, node] }, length) =>
      during(
        length,
        () => node?.network.delay(400),
        () => node?.network.delay(0),
      ),
  },
  {
    name: 'a killed node',
    short: true,
    async happen({ nodes: [, node] }) {
      await node?.restart();
    },
  },
  {
    name: 'a node that hangs',
    short: true,
    happen: ({ nodes: [, node] }, length) =>
      during(
        length,
        () => node?.signal('SIGSTOP'),
        () => node?.signal('SIGCONT'),
      ),
  },
  {
    name: 'a killed database',
    short: true,
    async happen({ postgres }, length) {
      await postgres.restart();
      await later(length);
    },
  },
  {
    name: 'a database that hangs',
    happen: ({ postgres }, length) =>
      during(
        length,
        () => postgres.hang(true),
        () => postgres.hang(false),
      ),
  },
  {
    name: 'clocks that jump',
    async happen({ nodes: [, node] }, length) {
      for (let jump = 0; jump < 3; jump += 1) {
        node?.signal('SIGUSR2');
        await later(length / 3);
      }
    },
  },
  {
    name: 'everything at once',
    async happen(deployment, length) {
      const [first, second, third] = deployment.nodes;
      first?.network.freeze();
      second?.signal('SIGSTOP');
      third?.network.cut();
      await later(length);
      await deployment.postgres.restart();
      first?.network.thaw();
      second?.signal('SIGCONT');
      await third?.restart();
    },
  },
];

async function during(length: number, start: () => void, end: () => void): Promise<void> {
  start();
  await later(length);
  end();
}

/** The long form tries all of them, and for longer. */
const LENGTH = IS_LONG ? 6000 : 2500;
const FAULTS_HERE = FAULTS.filter(({ short }) => IS_LONG || short === true);

/** Each acknowledged write is visible everywhere within this time, even after a fault starts. */
const BOUND = 2000;
const SITES = ['one', 'two', 'three', 'four'];
/** Everything answers again within this time after a fault. */
const RECOVERY = 20_000;
/** The initial number of every site. */
const FIRST = 1;
/** A writer's timeout. */
const TIMEOUT = BOUND;

describe('three nodes on one database', () => {
  const history = createHistory(BOUND, () => performance.now());
  const table: { readonly fault: string; readonly figures: Figures }[] = [];
  const latest = new Map<string, number>();
  let problem: unknown;
  let isRunning = true;
  const clients: Promise<void>[] = [];

  const deployment = startBeforeAll(() => startDeployment(SITES), 120_000);
  beforeAll(async () => {
    for (const node of deployment.nodes) clients.push(...SITES.map((site) => reader(node, site)));
    clients.push(...SITES.map((site, index) => writer(site, index)));
  }, 120_000);
  afterAll(async () => {
    isRunning = false;
    await Promise.all(clients);
    if (IS_LONG) process.stdout.write(`\n${printed(table)}\n`);
  });

  it.each(FAULTS_HERE.map((fault) => [fault.name, fault] as const))(
    'show each acknowledged write within BOUND, whatever fails: %s',
    { timeout: LENGTH * 3 + RECOVERY * 2 },
    async (name, { happen }) => {
      history.figures();
      const before = new Map(latest);
      await happen(deployment, LENGTH);
      await recovered();
      // A node that recovers soon may do so before a write that waits for its lease is acknowledged.
      const isWritten = () => [...latest].some(([site, version]) => version > (before.get(site) ?? FIRST));
      await vi.waitFor(() => expect(isWritten(), 'a write is acknowledged').toBe(true), { timeout: RECOVERY, interval: 10 });
      const figures = history.figures();
      table.push({ fault: name, figures });
      const found = problem;
      problem = undefined;
      if (found !== undefined) throw found;
      expect(figures.reads).toBeGreaterThan(0);
      expect(figures.writes).toBeGreaterThan(0);
      expect(figures.longest, 'ms that an acknowledged write was not seen').toBeLessThan(BOUND);
    },
  );

  /** Waits until every node shows the last acknowledged number of every site, or a newer one. */
  async function recovered(): Promise<void> {
    for (const node of deployment.nodes) {
      for (const site of SITES) {
        const wanted = latest.get(site) ?? FIRST;
        await vi.waitFor(async () => expect(await node.read(site)).toBeGreaterThanOrEqual(wanted), { timeout: RECOVERY, interval: 100 });
      }
    }
  }

  /** One reader for each node and site, so that cached sites are requested while a node cannot read others. */
  async function reader(node: Node, site: string): Promise<void> {
    while (isRunning) {
      const invoked = performance.now();
      const value = await node.read(site);
      if (value === undefined) {
        history.refused();
        await later(20);
      } else checked(() => history.read(node.name, site, invoked, value));
      await later(5);
    }
  }

  /** One writer per site, which uses the nodes in turn; after a timeout it continues with the next number. */
  async function writer(site: string, first: number): Promise<void> {
    let etag: string | undefined;
    for (let value = FIRST + 1; isRunning; value += 1) {
      const node = deployment.nodes[(first + value) % deployment.nodes.length];
      etag ??= await inTime(node?.etag(site));
      const started = performance.now();
      const written = etag === undefined ? undefined : await inTime(node?.write(site, value, etag));
      etag = written;
      if (written === undefined) history.unknown();
      else {
        history.acknowledged(site, value, performance.now() - started);
        latest.set(site, value);
      }
      await later(10);
    }
  }

  function inTime(answer: Promise<string | undefined> | undefined): Promise<string | undefined> {
    return Promise.race([answer, later(TIMEOUT, undefined)]).catch((error: unknown) => void (problem ??= error));
  }

  function checked(check: () => void): void {
    try {
      check();
    } catch (error) {
      problem ??= error;
    }
  }
});

function printed(table: readonly { readonly fault: string; readonly figures: Figures }[]): string {
  const rows = table.map(({ fault, figures: { reads, refused, writes, unknown, slowest, longest } }) =>
    [
      fault.padEnd(24),
      ...[reads, refused, writes, unknown, Math.round(slowest), Math.round(longest)].map((figure) => String(figure).padStart(10)),
    ].join(''),
  );
  const head = [
    'fault'.padEnd(24),
    ...['reads', 'refused', 'writes', 'unknown', 'slowest', 'stale, ms'].map((name) => name.padStart(10)),
  ].join('');
  return [head, ...rows].join('\n');
}
