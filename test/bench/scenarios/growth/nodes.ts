import { askOrFail, createFetchHosted } from '../../ask.ts';
import {
  getConfig,
  putCalls,
  putSite,
  siteName,
  startBackendProcess,
  type StartedBackend,
  storeSites,
} from '../../backend/start-backend.ts';
import { type Figure, measured, missing } from '../../figures.ts';
import type { Call, LoadResult } from '../../load/load.ts';
import { processorTime, quantile } from '../../measure.ts';
import type { Bench } from '../../options.ts';
import { startPostgres } from '../../peers/postgres.ts';
import { type Cost, grow } from './grow.ts';

const STEPS = [1, 2, 3];
const SITES = 1000;
const READERS = 48;
const WRITERS = 48;

/** Several backends on one PostgreSQL: the cost of a request for all of them together, and when a write on one is visible on the others. */
export async function growthWithNodes(bench: Bench): Promise<Figure[]> {
  const { workspace, showProgress } = bench;
  const postgres = await startPostgres(workspace);
  if (postgres === undefined) return [missing('nodes', 'µs', 'PostgreSQL is not installed')];
  const { storage, token } = await storeSites(bench, SITES, await postgres.database('nodes'));
  // Each step starts its own nodes on the same database. Nodes of other steps would confirm the writes too, so they must not run.
  const nodes: StartedBackend[] = [];
  for (const _ of STEPS) nodes.push(await startBackendProcess(workspace, storage));
  const reads = Array.from({ length: SITES }, (_, index) => getConfig(siteName(index)));
  const steps = STEPS.map((count) => ({
    count,
    costs: [
      ...costs(bench, 'GET config.json', nodes.slice(0, count), reads, READERS),
      ...costs(bench, 'PUT', nodes.slice(0, count), putCalls(SITES, token), WRITERS),
    ],
  }));
  const grown = await grow(bench, 'nodes', steps);
  showProgress('freshness on other nodes');
  const waits = await freshness(nodes, token);
  return [
    ...grown,
    measured({ name: 'shown on other nodes after', unit: 'ms', samples: waits, note: `p99 ${quantile(waits, 0.99).toFixed(1)} ms` }),
    measured({ name: 'shown on other nodes after, longest', unit: 'ms', samples: [Math.max(...waits)], target: { atMost: 100 } }),
  ];
}

/** All nodes are loaded at the same time, with the connections divided among them. */
function costs(
  { load, options }: Bench,
  name: string,
  nodes: readonly StartedBackend[],
  calls: readonly Call[],
  connections: number,
): Cost[] {
  let last: { each: number | undefined; time: number | undefined } | undefined;
  return [
    {
      name,
      unit: 'µs',
      async measure() {
        const had = async () => (await Promise.all(nodes.map(({ pid }) => processorTime(pid)))).reduce(sum, 0);
        const before = await had();
        const share = Math.floor(connections / nodes.length);
        const jobs = nodes.map(({ port }) => load.run({ port, calls, connections: share, seconds: options.seconds }));
        const results: LoadResult[] = await Promise.all(jobs);
        const after = await had();
        const requests = results.reduce((all, one) => all + one.requests, 0);
        const perSecond = results.reduce((all, one) => all + one.perSecond, 0);
        const isKnown = before !== undefined && after !== undefined && requests > 0;
        last = { each: isKnown ? ((after - before) * 1000) / requests : undefined, time: perSecond > 0 ? 1000 / perSecond : undefined };
        return last.each;
      },
    },
    { name: `${name}, the time of each`, unit: 'ms', measure: async () => last?.time },
  ];
}

function sum(all: number | undefined, one: number | undefined): number | undefined {
  return all === undefined || one === undefined ? undefined : all + one;
}

const WRITES = 60;
const LIMIT_MS = 5000;

/**
 * How long after an acknowledged write on one node the others still answer the previous config.json. Returns milliseconds from the
 * acknowledgement to the first read that shows the change, for each write and other node. Rejects if the first read on the writing
 * node does not show it.
 */
async function freshness(nodes: readonly StartedBackend[], token: string): Promise<number[]> {
  const ask = createFetchHosted();
  const waits: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    const writer = nodes[write % nodes.length];
    if (writer === undefined) continue;
    const site = siteName(write);
    const revision = `fresh ${write}`;
    const shows = async (node: StartedBackend) => (await askOrFail(ask, node.port, getConfig(site))).body.includes(`"${revision}"`);
    await Promise.all(nodes.map(shows));
    await askOrFail(ask, writer.port, putSite(site, token, revision));
    const acknowledged = performance.now();
    if (!(await shows(writer))) throw new Error(`The node that acknowledged a write of ${site} still answers the old config.json.`);
    const others = nodes.filter((node) => node !== writer);
    waits.push(...(await Promise.all(others.map((node) => until(() => shows(node), acknowledged)))));
  }
  return waits;
}

async function until(shown: () => Promise<boolean>, from: number): Promise<number> {
  while (performance.now() - from < LIMIT_MS) {
    if (await shown()) return performance.now() - from;
  }
  throw new Error(`A write was not visible on another node ${LIMIT_MS / 1000} s after its acknowledgement.`);
}
