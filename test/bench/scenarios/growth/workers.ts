import { getConfig, putCalls } from '../../backend/calls.ts';
import { siteName } from '../../backend/site-input.ts';
import { startBackendProcess } from '../../backend/start-backend.ts';
import { storeSites } from '../../backend/store-sites.ts';
import type { Bench } from '../../bench.ts';
import type { Figure } from '../../figures.ts';
import type { Call } from '../../load/call.ts';
import { memoryOfAll } from '../../memory-of-all.ts';
import { processesOf } from '../../processes-of.ts';
import { processorCost } from '../../processor-cost.ts';
import { grow, type Cost, type Step } from './grow.ts';

const STEPS = [1, 2, 3];
const SITES = 1000;
const CONNECTIONS = 48;
const MB = 2 ** 20;

/** Delivery processes of one backend: what a read and a write cost all its processes together, and what these hold in memory. */
export async function growthWithWorkers(bench: Bench): Promise<Figure[]> {
  const steps: Step[] = [];
  for (const count of STEPS) steps.push(await stepOf(bench, count));
  return await grow(bench, 'delivery processes', steps);
}

async function stepOf(bench: Bench, count: number): Promise<Step> {
  const { place, token } = await storeSites(bench, SITES);
  const settings = { ...place.settings, DELIVERY_WORKERS: String(count) };
  const { pid, port } = await startBackendProcess(bench.workspace, { ...place, settings });
  const pids = await processesOf(pid);
  if (pids.length <= count) throw new Error(`Of ${count} delivery processes, ${pids.length - 1} run.`);
  const reads = Array.from({ length: SITES }, (_, index) => getConfig(siteName(index)));
  return {
    count,
    costs: [
      ...costs(bench, 'GET config.json', pids, { port, calls: reads }),
      ...costs(bench, 'PUT', pids, { port, calls: putCalls(SITES, token) }),
      {
        name: 'memory of all processes, what they share counted once',
        unit: 'MB',
        async measure() {
          const bytes = await memoryOfAll(pid);
          return bytes === undefined ? undefined : bytes / MB;
        },
      },
    ],
  };
}

function costs({ load, options }: Bench, name: string, pids: readonly number[], what: { port: number; calls: readonly Call[] }): Cost[] {
  let last: Awaited<ReturnType<typeof processorCost>> | undefined;
  return [
    {
      name,
      unit: 'µs',
      async measure() {
        last = await processorCost(load, pids, { ...what, connections: CONNECTIONS, seconds: options.seconds });
        return last.each;
      },
    },
    { name: `${name}, the time of each`, unit: 'ms', measure: async () => last && 1000 / last.perSecond },
  ];
}
