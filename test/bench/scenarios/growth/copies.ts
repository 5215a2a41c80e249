import { rm } from 'node:fs/promises';
import { openStore } from '#backend/storage/open-store.ts';
import { ORG, siteName } from '../../backend/site-input.ts';
import { startBackendProcess } from '../../backend/start-backend.ts';
import { storeSites } from '../../backend/store-sites.ts';
import type { Bench } from '../../bench.ts';
import type { Figure } from '../../figures.ts';
import { freePort } from '../../free-port.ts';
import { processorTime } from '../../processor-time.ts';
import { readFigure } from '../../read-figure.ts';
import { untilSo } from '../../until-so.ts';
import { grow, type Step } from './grow.ts';

const STEPS = [1000, 10_000, 100_000];
const QUICK = [1000, 5000];
/** Copies after which a run ends. */
const MEASURED = 1500;
/** Preview and live. */
const HOSTS = 2;

/** What all copies cost together, by the number of sites that wait to be published, from what the first of them cost. */
export async function growthWithCopies(bench: Bench): Promise<Figure[]> {
  const steps: Step[] = [];
  for (const count of bench.options.quick ? QUICK : STEPS) steps.push(await stepOf(bench, count));
  return await grow(bench, 'sites that wait', steps);
}

async function stepOf(bench: Bench, count: number): Promise<Step> {
  const { workspace } = bench;
  const { place: stored } = await storeSites(bench, count);
  const copy = await workspace.directory('copy');
  const metrics = await freePort();
  const place = { ...stored, settings: { PUBLISH_TO: copy, METRICS_PORT: String(metrics) } };
  const sites = Array.from({ length: count }, (_, index) => ({ org: ORG, site: siteName(index) }));
  // The place is named at the first start.
  await (await startBackendProcess(workspace, place)).stop();
  return {
    count,
    costs: [
      {
        name: 'all copies',
        unit: 'ms',
        async measure() {
          // What is there as it should be costs less.
          await rm(copy, { recursive: true, force: true });
          const store = await openStore({ dataDir: stored.dataDirectory });
          await store.publishing.queue(sites, new Date());
          await store.close();
          const backend = await startBackendProcess(workspace, place);
          const ended = async () =>
            (await readFigure(metrics, 'repoless_published_copies_total{outcome="written"}')) +
            (await readFigure(metrics, 'repoless_published_copies_total{outcome="unchanged"}'));
          const [before, had] = [await ended(), await processorTime(backend.pid)];
          await untilSo('the copies are written', async () => (await ended()) >= before + MEASURED);
          const [after, has] = [await ended(), await processorTime(backend.pid)];
          await backend.stop();
          return had === undefined || has === undefined ? undefined : ((has - had) / (after - before)) * count * HOSTS;
        },
      },
    ],
  };
}
