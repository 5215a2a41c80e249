import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../support/free-port.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of Apache Sling. */
    readonly sling: string;
  }
}

/** One Sling for all files: its start takes longer than they do. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sling = await startSling();
  project.provide('sling', sling.address);
  return sling.stop;
}

const FETCHED = new URL('../../../node_modules/.cache/sling/12/', import.meta.url).pathname;
const STARTER = `${FETCHED}starter.json`;
const REPOSITORY = `${FETCHED}repository`;
const LAUNCHER = `${REPOSITORY}/org/apache/sling/org.apache.sling.feature.launcher/1.1.26/org.apache.sling.feature.launcher-1.1.26.jar`;
const FRAMEWORK = '7.0.5';
const PAGE_TYPES = new URL('page-types.cnd', import.meta.url).pathname;
/** Milliseconds within which Sling must start; it takes half a minute on two free cores. */
const LONGEST = 360_000;

interface Sling {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a new Apache Sling on its own port, only for this machine, with the node types of pages. `stop` deletes its data. */
async function startSling(): Promise<Sling> {
  if (!existsSync(STARTER)) throw new Error('Apache Sling is missing. Run "npm run fetch:sling".');
  const folder = await mkdtemp(join(tmpdir(), 'repoless-sling-'));
  const ours = join(folder, 'ours.json');
  await writeFile(ours, JSON.stringify(featureOf(await readFile(PAGE_TYPES, 'utf8'))));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const features = ['-f', STARTER, '-f', ours, '-u', `file://${REPOSITORY}`, '-fv', FRAMEWORK];
  const places = ['-c', join(folder, 'cache'), '-p', join(folder, 'home')];
  const listening = ['-D', `org.osgi.service.http.port=${port}`, '-D', 'org.apache.felix.http.host=127.0.0.1'];
  // One compiler, the fast one: Sling runs for two minutes, and most of that is its start.
  const child = spawn('java', ['-XX:TieredStopAtLevel=1', '-jar', LAUNCHER, ...features, ...places, ...listening], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await Promise.race([ready(address), ended.then(() => Promise.reject(new Error('Sling ended.')))]);
    return { address, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** A feature added to the starter: addresses like the authoring system's, without Sling's own root in `/content`, and the node types of pages. */
function featureOf(types: string): object {
  const nodeTypes = types.split('\n').filter((line) => !line.startsWith('//'));
  return {
    id: 'repoless:sling-for-tests:1',
    configurations: { 'org.apache.sling.jcr.resource.internal.JcrResourceResolverFactoryImpl': { 'resource.resolver.mapping': ['/:/'] } },
    'repoinit:TEXT|true': ['register nodetypes', '<<===', ...nodeTypes.map((line) => `<< ${line}`), '===>>'],
  };
}

/** Waits until the framework reports that it is up, and the last page exists. While starting, Sling may never answer accepted requests. */
async function ready(address: string): Promise<void> {
  const { get } = slingCaller(address, ADMIN);
  const exists = (path: string) =>
    get(path, { signal: AbortSignal.timeout(5000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (const until = Date.now() + LONGEST; Date.now() < until;) {
    if ((await exists('/system/health.txt?tags=systemalive')) && (await exists('/content/starter.html'))) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Sling did not start within ${LONGEST / 1000} seconds.`);
}
