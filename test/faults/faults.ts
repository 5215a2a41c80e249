import { setTimeout as later } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';

export interface Fault {
  readonly name: string;
  /** Also among the ordinary tests. */
  readonly short?: true;
  /** Brings it about, waits, and mends it. */
  happen(deployment: Deployment, length: number): Promise<void>;
}

/** What machines and networks do to a service. The second node meets what happens to one; the writers use all of them. */
export const FAULTS: readonly Fault[] = [
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
      node?.network.forget();
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

async function during(length: number, begin: () => void, end: () => void): Promise<void> {
  begin();
  await later(length);
  end();
}
