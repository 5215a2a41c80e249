import { execFile } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAsk } from '../ask.ts';
import { putSite } from '../backend/calls.ts';
import { settingsOf, type Place } from '../backend/place.ts';
import { ORG, siteName } from '../backend/site-input.ts';
import { startBackendProcess, type StartedBackend } from '../backend/start-backend.ts';
import { storeSites } from '../backend/store-sites.ts';
import type { Scenario } from '../bench.ts';
import { measured, type Figure } from '../figures.ts';
import { freePort } from '../free-port.ts';
import { startS3 } from '../peers/s3.ts';
import { readFigure } from '../read-figure.ts';
import { quantile } from '../statistics.ts';
import { untilSo } from '../until-so.ts';
import type { Workspace } from '../workspace.ts';

const SITES = 1000;
const WRITERS = 8;
const ADMINISTRATION = fileURLToPath(new URL('../../../backend/administration/main.js', import.meta.url));

/** Where a copy is published to; an object is a file there. */
interface Destination {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  away(): Promise<void>;
  back(): Promise<void>;
}

/**
 * How long the published copy is behind what was acknowledged: while people write, after the service was killed, and after the object storage
 * was away. Each time, when nothing waits any more, the whole copy is compared with what is stored.
 */
export const publishing: Scenario = async (bench) => {
  const { workspace, tell, options } = bench;
  const destination = (await bucket(workspace)) ?? (await folder(workspace));
  const metrics = await freePort();
  const { place: stored, token } = await storeSites(bench, SITES);
  const place = { ...stored, settings: { ...destination.settings, METRICS_PORT: String(metrics) } };
  let backend = await startBackendProcess(workspace, place);
  const drained = () => untilSo('nothing waits to be published', async () => (await readFigure(metrics, 'repoless_waiting_copies')) === 0);
  await drained();
  const [lags, killed, away]: [number[], number[], number[]] = [[], [], []];
  const differing: number[] = [];
  const verified = async () => void differing.push(await differences(place));

  for (let run = 1; run <= options.runs; run += 1) {
    tell(`run ${run} of ${options.runs}: under load`);
    const stopping = new AbortController();
    const writing = write(backend, token, `load ${run}`, stopping.signal);
    const end = performance.now() + options.seconds * 1000;
    for (let probe = 0; performance.now() < end; probe += 1) lags.push(await lag(backend, token, destination, `probe ${run} ${probe}`));
    tell('killed');
    const begin = performance.now();
    await backend.kill();
    backend = await startBackendProcess(workspace, place);
    stopping.abort();
    await writing;
    await drained();
    killed.push(performance.now() - begin);
    await verified();

    tell('the object storage is away');
    await destination.away();
    const meanwhile = new AbortController();
    const others = write(backend, token, `away ${run}`, meanwhile.signal);
    await pause(options.seconds * 1000);
    meanwhile.abort();
    await others;
    await destination.back();
    const from = performance.now();
    await drained();
    away.push(performance.now() - from);
    await verified();
  }
  await backend.stop();
  const figures: readonly Figure[] = [
    measured({
      name: 'behind an acknowledged write, under load',
      unit: 'ms',
      samples: lags,
      note: `p99 ${quantile(lags, 0.99).toFixed(0)} ms`,
    }),
    longest('the same, longest', lags),
    measured({ name: 'all is there after SIGKILL and a start', unit: 'ms', samples: killed }),
    longest('the same, longest', killed),
    measured({ name: 'all is there after the storage is back', unit: 'ms', samples: away }),
    longest('the same, longest', away, 20_000),
    measured({ name: 'objects missing, old or too many', unit: '', samples: [Math.max(...differing)], target: { atMost: 0 } }),
  ];
  return { scenario: `Published copy of ${SITES} sites in ${destination.name}, ${WRITERS} writers`, figures };
};

function longest(name: string, samples: readonly number[], atMost?: number): Figure {
  return measured({ name, unit: 'ms', samples: [Math.max(...samples)], ...(atMost !== undefined && { target: { atMost } }) });
}

/** Changes sites in turn until the signal comes; a service that is gone takes none. */
async function write({ port }: StartedBackend, token: string, revision: string, signal: AbortSignal): Promise<void> {
  const ask = createAsk();
  let count = 0;
  const writer = async () => {
    while (!signal.aborted) {
      count += 1;
      await ask(port, putSite(siteName(1 + (count % (SITES - 1))), token, `${revision} ${count}`)).catch(() => pause(10));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Milliseconds from the acknowledgement of a write until the copy shows it. */
async function lag({ port }: StartedBackend, token: string, { folder }: Destination, revision: string): Promise<number> {
  const site = siteName(0);
  const { status } = await createAsk()(port, putSite(site, token, revision));
  if (status >= 300) throw new Error(`A write was answered with ${status}.`);
  const begin = performance.now();
  const file = join(folder, 'live', ORG, site, 'config.json');
  await untilSo('the copy shows a write', async () => (await readFile(file, 'utf8').catch(() => '')).includes(`"${revision}"`), 2);
  return performance.now() - begin;
}

/** How many objects `publish verify` finds to be missing, old or too many. */
async function differences(place: Place): Promise<number> {
  const env = { PATH: process.env['PATH'], ...settingsOf(place, 0), PORT: '4000' };
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [ADMINISTRATION, 'publish', 'verify'], { env }, (_error, out, err) => resolve(`${out}${err}`));
  });
  const found = /^Sites (\d+): compared\. Objects that differ: (\d+)/m.exec(said);
  if (found === null || Number(found[1]) < SITES) throw new Error(`The copy could not be verified: ${said}`);
  return Number(found[2]);
}

async function bucket(workspace: Workspace): Promise<Destination | undefined> {
  const s3 = await startS3(workspace);
  return s3 && { name: 'a bucket', ...s3 };
}

/** Away: a file where the folder was, so that nothing can be written below it. */
async function folder(workspace: Workspace): Promise<Destination> {
  const path = join(await workspace.directory('copy'), 'copy');
  return {
    name: 'a folder',
    settings: { PUBLISH_TO: path },
    folder: path,
    async away() {
      await rename(path, `${path}-away`);
      await writeFile(path, '');
    },
    async back() {
      await rm(path);
      await rename(`${path}-away`, path);
    },
  };
}
