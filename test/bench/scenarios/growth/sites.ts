import { setTimeout as pause } from 'node:timers/promises';
import { getConfig, getSite, listSites, putCalls, siteName, startBackendProcess, storeSites } from '../../backend/start-backend.ts';
import type { Bench } from '../../options.ts';
import type { Figure } from '../../figures.ts';
import type { Call } from '../../load/load.ts';
import { processorCost, resident } from '../../measure.ts';
import { type Cost, grow, type Step } from './grow.ts';

const STEPS = [100, 1000, 10_000, 100_000];
const QUICK = [100, 1000, 5000];
const CONNECTIONS = 16;
/** The most sites that are requested, evenly spread. */
const ASKED = 10_000;
const PAGE = 100;
const IDLE_MS = 2000;
const MB = 2 ** 20;

/** Start-up time, memory, and the cost of reads, writes and lists, by the number of stored sites. */
export async function growthWithSites(bench: Bench): Promise<Figure[]> {
  const steps: Step[] = [];
  for (const count of bench.options.quick ? QUICK : STEPS) steps.push(await stepOf(bench, count));
  return await grow(bench, 'sites', steps);
}

async function stepOf({ workspace, load, options, showProgress }: Bench, count: number): Promise<Step> {
  const { storage: stored, token } = await storeSites({ workspace, showProgress }, count);
  // Writers add sites, so the limit per organization is off.
  const storage = { ...stored, settings: { ORG_SITES: '0' } };
  const backend = await startBackendProcess(workspace, storage);
  const requested = Math.min(count, ASKED);
  const each = (call: (site: string) => Call) =>
    Array.from({ length: requested }, (_, index) => call(siteName(Math.floor((index * count) / requested))));
  const perRequest = (name: string, calls: readonly Call[]): Cost => ({
    name,
    unit: 'µs',
    measure: async () =>
      (await processorCost(load, [backend.pid], { port: backend.port, calls, connections: CONNECTIONS, seconds: options.seconds })).each,
  });
  let idle: number | undefined;
  return {
    count,
    costs: [
      {
        name: 'ready',
        unit: 'ms',
        async measure() {
          const another = await startBackendProcess(workspace, storage);
          await pause(IDLE_MS);
          idle = (await resident(another.pid))?.now;
          await another.stop();
          return another.readyAfter;
        },
      },
      { name: 'resident, idle', unit: 'MB', measure: async () => (idle === undefined ? undefined : idle / MB) },
      perRequest(
        'GET config.json',
        each((site) => getConfig(site)),
      ),
      perRequest(
        'GET of a site',
        each((site) => getSite(site, token)),
      ),
      perRequest('PUT', putCalls(requested, token)),
      perRequest(
        `page of ${PAGE}`,
        [0, 0.5].map((share) => listSites(token, `limit=${PAGE}&after=${siteName(Math.floor(count * share))}`)),
      ),
    ],
  };
}
