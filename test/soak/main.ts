import { JobStatus } from '@repoless/contract/job.ts';
import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFetchHosted } from '../bench/ask.ts';
import { ORG, PREVIEW_DOMAIN, PUBLIC_ADDRESS, siteName } from '../bench/backend/start-backend.ts';
import { environment } from '../bench/environment.ts';
import type { Call } from '../bench/load/load.ts';
import { waitUntil } from '../bench/measure.ts';
import { createProgressLine } from '../bench/progress-line.ts';
import { withWorkspace, type Workspace } from '../bench/workspace.ts';
import { type Course, drawSamples, judgeSamples } from './judge-samples.ts';
import { readOptions, type SoakOptions, USAGE } from './options.ts';
import { type External, linkExternal, type SoakWorld, startSoakWorld, WEBHOOK_SECRET } from './soak-world.ts';
import { MEASURES, type Sample, takeSample } from './take-sample.ts';
import { createMix, createTraffic } from './traffic.ts';

interface CycleFigures {
  /** Pushes to the code host that were synced and served. */
  readonly pushes: number;
  /** Pushes to the git vendor that reached the service through build management. */
  readonly external: number;
  /** Syncs that failed and then succeeded: two events each. */
  readonly recovered: number;
  /** Messages of events that the subscribed webhook received. */
  readonly messages: number;
}

interface Cycles {
  /** The first push, after which every host serves the code. */
  first(): Promise<void>;
  /** Runs until the signal comes, and waits for the messages of what it caused. */
  run(signal: AbortSignal): Promise<void>;
  figures(): CycleFigures;
  stop(): Promise<void>;
}

const PUSH_EVERY = 5000;
const VENDOR_EVERY = 10_000;

/** Background work alongside the calls: pushes, code syncs, events and their deliveries to a webhook, all verified as a visitor sees them. */
async function startCycles(world: SoakWorld, external: External): Promise<Cycles> {
  const ask = createFetchHosted();
  const figures = { pushes: 0, external: 0, recovered: 0, messages: 0 };
  let pushed = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      figures.messages += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

  /** Sends a call, and retries it if the service is overloaded, as clients do. */
  async function send(method: Call['method'], path: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const json = body !== undefined && { 'content-type': 'application/json' };
    const call: Call = {
      method,
      host: new URL(PUBLIC_ADDRESS).host,
      path,
      headers: { 'x-auth-token': world.token, ...json, ...headers },
      ...(body !== undefined && { body }),
    };
    await waitUntil(`${method} ${path} is answered`, async () => {
      const { status, body: text } = await ask(world.service, call);
      if (status >= 400 && status !== 503)
        throw new Error(`${method} ${path} was answered with ${status}: ${text.toString().slice(0, 500)}`);
      return status < 400;
    });
  }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await send('POST', `/config/${ORG}/subscriptions.json`, JSON.stringify({ channel: { type: 'webhook', url } }));

  /** Reports a push as the code host does. */
  function reportPush(branch: string) {
    pushed += 1;
    const push = { ref: `refs/heads/${branch}`, repository: { name: 'boilerplate', owner: { login: ORG } }, pushed };
    const body = JSON.stringify(push);
    const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;
    return send('POST', '/webhook/github', body, { 'x-github-event': 'push', 'x-hub-signature-256': signature });
  }
  const served = (site: string, path: string, text: string) =>
    waitUntil(`${site} serves what was pushed`, async () => {
      const host = `main--${site}--${ORG}.${PREVIEW_DOMAIN}`;
      return (await ask(world.service, { method: 'GET', host, path })).body.toString() === text;
    });
  const ended = (branch: string, failed: boolean) =>
    waitUntil(`the sync of ${branch} ${failed ? 'fails' : 'is done'}`, async () => {
      const answer = await ask(world.service, {
        method: 'GET',
        host: new URL(PUBLIC_ADDRESS).host,
        path: `/job/${ORG}/${siteName(0)}/${branch}/code`,
        headers: { 'x-auth-token': world.token },
      });
      if (answer.status !== 200) return false;
      const { state, error } = JobStatus.parse(JSON.parse(answer.body.toString()));
      return state === 'stopped' && (error !== undefined) === failed;
    });

  async function push(): Promise<void> {
    const { path, text } = await world.repository.push();
    if (figures.pushes % 2 === 0) await reportPush('main');
    else await send('POST', `/code/${ORG}/${siteName(0)}/main/*`);
    for (const site of [siteName(0), siteName(1)]) await served(site, path, text);
    figures.pushes += 1;
  }
  async function pushToVendor(): Promise<void> {
    const text = `.changed { order: ${figures.external} }\n`;
    await external.clone.push({ 'styles/changed.css': text });
    await served(external.site, '/styles/changed.css', text);
    figures.external += 1;
  }
  /** A branch whose sync fails because it is missing, then succeeds; then it is removed. */
  async function recover(): Promise<void> {
    const branch = `branch-${figures.recovered}`;
    await reportPush(branch);
    await ended(branch, true);
    await world.repository.push(branch);
    await reportPush(branch);
    await ended(branch, false);
    await world.repository.remove(branch);
    await reportPush(branch);
    figures.recovered += 1;
  }
  async function again(work: () => Promise<void>, every: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const start = performance.now();
      await work();
      await pause(Math.max(0, every - (performance.now() - start)), undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    figures: () => figures,
    first: push,
    async run(signal) {
      // Only one task at a time pushes from the clone.
      const work = [push, recover];
      const inTurn = () => (work[turn++ % work.length] ?? push)();
      let turn = 0;
      await Promise.all([again(inTurn, PUSH_EVERY, signal), again(pushToVendor, VENDOR_EVERY, signal)]);
      await waitUntil('every message came', async () => figures.messages >= figures.recovered * 2);
    },
    stop() {
      receiver.closeAllConnections();
      return new Promise((resolve) => receiver.close(() => resolve()));
    },
  };
}

const WARMING = 5;
const CALIBRATION = 10;
/** Seconds between two collections of garbage; more often in a short run. */
const LONGEST_BETWEEN = 60;
const LEAST_COLLECTIONS = 15;

/** `npm run soak`: runs the programs at half of their capacity for a while; exits with 1 if memory or handles grow, or anything failed. */
const options = optionsOrUsage();
const started = new Date();
const { showProgress, clear } = createProgressLine('soak');
const outcome = await withWorkspace((workspace) => soak(workspace, options)).finally(clear);
process.exitCode = outcome ? 0 : 1;

async function soak(workspace: Workspace, { minutes, every, sites, postgres, out }: SoakOptions): Promise<boolean> {
  const world = await startSoakWorld(workspace, options, showProgress);
  showProgress('onboarding a repository');
  const external = await linkExternal(world, join(await workspace.directory('vendor'), 'clone'));
  const cycles = await startCycles(world, external);
  const traffic = createTraffic(world, createMix(world, sites));
  await cycles.first();
  showProgress('warming and measuring what it can take');
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
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  while (seconds() < minutes * 60 && !stopping.signal.aborted) {
    const collect = seconds() >= collections * between;
    if (collect) collections += 1;
    for (const one of world.watched) {
      const at = seconds();
      const { sample, processor } = await takeSample(one, { at, collect, before: last.get(one.name) });
      samples.push(sample);
      if (processor !== undefined) last.set(one.name, { processor, at });
    }
    showProgress(`${Math.round(seconds() / 60)} of ${minutes} min, ${JSON.stringify(cycles.figures())}`);
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
  const about = { began: started, options, environment: await environment(), requestsPerSecond: rate, counts };
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

/** The table of a run, in Markdown. */
function printCourses(courses: readonly Course[]): string {
  const lines = courses.map(({ program, measure, first, last, rise, bound, grows }) => {
    const { title, unit } = MEASURES[measure];
    const cells = [program, title, unit, number(first), number(last), number(rise), bound === undefined ? '–' : number(bound)];
    return `| ${cells.join(' | ')} | ${grows ? '**grows**' : ''} |`;
  });
  return `| Program | Measure | Unit | First third | Last third | Rise | Bound | |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}

function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}
