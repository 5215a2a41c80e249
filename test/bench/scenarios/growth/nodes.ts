import { alternate } from '../../alternate.ts';
import { getConfig, putCalls } from '../../backend/calls.ts';
import { siteName } from '../../backend/site-input.ts';
import { startBackendProcess, type StartedBackend } from '../../backend/start-backend.ts';
import { storeSites } from '../../backend/store-sites.ts';
import type { Bench } from '../../bench.ts';
import { compared, measured, missing, type Figure } from '../../figures.ts';
import type { Call } from '../../load/call.ts';
import { startPostgres } from '../../peers/postgres.ts';
import { quantile } from '../../statistics.ts';
import { freshness } from './freshness.ts';

const STEPS = [1, 2, 3] as const;
const SITES = 1000;
const READERS = 64;
const WRITERS = 48;

/** Several backends on one PostgreSQL: throughput of all together, and when a write on one shows on the others. */
export async function growthWithNodes(bench: Bench): Promise<Figure[]> {
  const { options, workspace, tell } = bench;
  const postgres = await startPostgres(workspace);
  if (postgres === undefined) return [missing('nodes', 'PUT/s', 'PostgreSQL is not installed')];
  const { place, token } = await storeSites(bench, SITES, await postgres.database('nodes'));
  const nodes: StartedBackend[] = [];
  for (const _ of STEPS) nodes.push(await startBackendProcess(workspace, place));
  const reads = Array.from({ length: SITES }, (_, index) => getConfig(siteName(index)));
  const contestants = STEPS.flatMap((step) => [
    { name: `GET ${step}`, run: () => together(bench, nodes.slice(0, step), reads, READERS) },
    { name: `PUT ${step}`, run: () => together(bench, nodes.slice(0, step), putCalls(SITES, token), WRITERS) },
  ]);
  const results = await alternate(contestants, options.runs, tell);
  tell('freshness on other nodes');
  const waits = await freshness(nodes, token);
  return [
    ...['GET', 'PUT'].flatMap((kind) =>
      STEPS.map((step) =>
        compared(
          { name: `${kind}, nodes: ${step}`, unit: `${kind}/s`, samples: results(`${kind} ${step}`) },
          { name: 'one node', samples: results(`${kind} 1`) },
        ),
      ),
    ),
    measured({ name: 'shown on other nodes after', unit: 'ms', samples: waits, note: `p99 ${quantile(waits, 0.99).toFixed(1)} ms` }),
    measured({ name: 'shown on other nodes after, longest', unit: 'ms', samples: [Math.max(...waits)], target: { atMost: 100 } }),
  ];
}

/** Loads the nodes at the same time, the connections shared out among them; answers per second of all. */
async function together({ load, options }: Bench, nodes: readonly StartedBackend[], calls: readonly Call[], connections: number) {
  const share = connections / nodes.length;
  const loads = nodes.map(({ port }) => load.run({ port, calls, connections: Math.floor(share), seconds: options.seconds }));
  return (await Promise.all(loads)).reduce((sum, result) => sum + result.perSecond, 0);
}
