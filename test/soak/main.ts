import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environment } from '../bench/environment.ts';
import { createTeller } from '../bench/teller.ts';
import { withWorkspace } from '../bench/with-workspace.ts';
import type { Workspace } from '../bench/workspace.ts';
import { startCycles } from './cycles.ts';
import { drawSamples } from './draw-samples.ts';
import { linkExternal } from './external-repository.ts';
import { judgeSamples } from './judge-samples.ts';
import { createMix } from './mix.ts';
import { readOptions, USAGE, type SoakOptions } from './options.ts';
import { printCourses } from './print-courses.ts';
import { startSoakWorld } from './soak-world.ts';
import { takeSample, type Sample } from './take-sample.ts';
import { createTraffic } from './traffic.ts';

const WARMING = 5;
const CALIBRATION = 10;
/** Seconds between two collections of garbage; more often in a short run. */
const LONGEST_BETWEEN = 60;
const LEAST_COLLECTIONS = 15;

/** `npm run soak`: the programs at half of what they can take, for a while; ends with 1 where memory or handles grow, or anything failed. */
const options = optionsOrUsage();
const began = new Date();
const { tell, clear } = createTeller('soak');
const outcome = await withWorkspace((workspace) => soak(workspace, options)).finally(clear);
process.exitCode = outcome ? 0 : 1;

async function soak(workspace: Workspace, { minutes, every, sites, postgres, out }: SoakOptions): Promise<boolean> {
  const world = await startSoakWorld(workspace, options, tell);
  tell('onboarding a repository');
  const external = await linkExternal(world, join(await workspace.directory('vendor'), 'clone'));
  const cycles = await startCycles(world, external);
  const traffic = createTraffic(world, createMix(world, sites));
  await cycles.first();
  tell('warming and measuring what it can take');
  await traffic.calibrate(WARMING);
  const rate = (await traffic.calibrate(CALIBRATION)) / 2;
  const before = traffic.figures();
  print(
    `${postgres ? 'PostgreSQL' : 'SQLite'}, ${sites} sites, ${Math.round(rate)} requests a second (half of what was measured), ${minutes} min`,
  );

  const stopping = new AbortController();
  const working = Promise.all([traffic.keep(rate, stopping.signal), cycles.run(stopping.signal)]);
  working.catch(() => stopping.abort());
  const samples: Sample[] = [];
  const last = new Map<string, { processor: number; at: number }>();
  const between = Math.min(LONGEST_BETWEEN, (minutes * 60) / LEAST_COLLECTIONS);
  let collections = 0;
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  while (seconds() < minutes * 60 && !stopping.signal.aborted) {
    const collect = seconds() >= collections * between;
    if (collect) collections += 1;
    for (const one of world.watched) {
      const at = seconds();
      const { sample, processor } = await takeSample(one, { at, collect, before: last.get(one.name) });
      samples.push(sample);
      if (processor !== undefined) last.set(one.name, { processor, at });
    }
    tell(`${Math.round(seconds() / 60)} of ${minutes} min, ${JSON.stringify(cycles.figures())}`);
    await pause(every * 1000);
  }
  stopping.abort();
  await working;
  await cycles.stop();
  clear();

  const { answered, refused, left, failures } = traffic.figures();
  const counts = { answered: answered - before.answered, refused: refused - before.refused, left, failures, ...cycles.figures() };
  const courses = judgeSamples(samples, ['service', 'build management']);
  const growing = courses.filter(({ grows }) => grows);
  const about = { began, options, environment: await environment(), requestsPerSecond: rate, counts };
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'soak.json'), `${JSON.stringify({ ...about, courses, samples }, null, 1)}\n`);
  await writeFile(join(out, 'soak.svg'), drawSamples(samples, `${minutes} minutes at ${Math.round(rate)} requests a second`));
  const table = printCourses(courses);
  await writeFile(join(out, 'soak.md'), table);
  print(`\n${table}\n${JSON.stringify(counts)}\nWritten to ${out}`);
  for (const { program, measure } of growing) print(`GROWS: ${measure} of ${program}`);
  const failed = Object.keys(failures).length > 0;
  if (failed) print('Some requests failed.');
  return growing.length === 0 && !failed;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function optionsOrUsage(): SoakOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}
