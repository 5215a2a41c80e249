import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';

const run = promisify(execFile);
const STARTER = new URL('../../../node_modules/.cache/sling/org.apache.sling.starter-11.jar', import.meta.url).pathname;
const REMOVED = new URL('removed-from-java/Group.java', import.meta.url).pathname;
const PAGE_TYPES = new URL('page-types.cnd', import.meta.url).pathname;
/** Milliseconds within which Sling must be there; one start takes 15 to 45 seconds on two cores, and may have to be made several times. */
const LONGEST = 360_000;
/**
 * Milliseconds without a line in the log after which a start has come to nothing: Sling 11 sometimes makes its repository twice at
 * once while it installs itself, gives both up, and does no more.
 */
const STUCK = 15_000;

/** Packages of the platform that Sling 11 reaches into, as it could when it was made. */
const OPENED = ['java.lang', 'java.net', 'java.util', 'java.io'].flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]);

export interface Sling {
  readonly address: string;
  stop(): Promise<void>;
}

/** A new Apache Sling on a port of its own, for this machine alone, with the types of pages; all it keeps is gone after `stop`. */
export async function startSling(): Promise<Sling> {
  if (!existsSync(STARTER)) throw new Error('Apache Sling is not there: npm run fetch:sling.');
  const until = Date.now() + LONGEST;
  for (;;) {
    const sling = await startOnce(until);
    if (sling !== undefined) return sling;
    console.warn('Sling did not come up, and is started once more.');
  }
}

/** Out: undefined for a start that came to nothing. */
async function startOnce(until: number): Promise<Sling | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-sling-'));
  const platform = join(folder, 'platform');
  const home = join(folder, 'home');
  await run('javac', ['--patch-module', `java.base=${new URL('removed-from-java', import.meta.url).pathname}`, '-d', platform, REMOVED]);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const options = ['--patch-module', `java.base=${platform}`, '--add-exports', 'java.base/java.security.acl=ALL-UNNAMED', ...OPENED];
  const parameters = [...options, '-jar', STARTER, '-a', '127.0.0.1', '-p', String(port), '-c', home];
  const child = spawn('java', parameters, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const log = join(home, 'logs/error.log');
    const isReady = await Promise.race([ready(address, log, until), ended.then(() => Promise.reject(new Error('Sling ended.')))]);
    if (isReady) await setUp(address, folder, until);
    else await stop();
    return isReady ? { address, stop } : undefined;
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Its content is there when a page is that comes last; while it starts it may never answer what it has accepted. Out: false where it does no more. */
async function ready(address: string, log: string, until: number): Promise<boolean> {
  let [size, grown] = [0, Date.now()];
  while (Date.now() < until) {
    const status = await fetch(`${address}/starter.html`, { signal: AbortSignal.timeout(5000) }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return true;
    const written = await stat(log).then(
      (file) => file.size,
      () => 0,
    );
    if (written !== size) [size, grown] = [written, Date.now()];
    if (Date.now() - grown > STUCK) return false;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Sling did not start within ${LONGEST / 1000} seconds.`);
}

/** Addresses as the authoring system has them, without Sling's own root in `/content`, and the types of pages. */
async function setUp(address: string, folder: string, until: number): Promise<void> {
  const { post, upload } = slingCaller(address, ADMIN);
  const factory = 'org.apache.sling.jcr.resource.internal.JcrResourceResolverFactoryImpl';
  await post(`/system/console/configMgr/${factory}`, [
    ['apply', 'true'],
    ['action', 'ajaxConfigManager'],
    ['propertylist', 'resource.resolver.mapping'],
    ['resource.resolver.mapping', '/:/'],
  ]);
  await upload('/system/console/bundles', await typesBundle(folder), [
    ['action', 'install'],
    ['bundlestart', 'start'],
    ['bundlestartlevel', '20'],
  ]);
  for (;;) {
    const made = await post('/content/types-are-there', [['./jcr:primaryType', 'cq:Page']]);
    if (made.status < 300 && made.headers.get('location') === '/content/types-are-there') break;
    if (made.status < 300) await post('/content/types-are-there', [[':operation', 'delete']]);
    if (Date.now() > until) throw new Error(`The types of pages are not there: ${made.text}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await post('/content/types-are-there', [[':operation', 'delete']]);
}

/** A bundle without code: Sling registers the types that its manifest names. */
async function typesBundle(folder: string): Promise<Buffer> {
  const manifest = [
    'Manifest-Version: 1.0',
    'Bundle-ManifestVersion: 2',
    'Bundle-SymbolicName: page-types',
    'Bundle-Version: 1.0.0',
    'Sling-Nodetypes: page-types.cnd',
    'Sling-Namespaces: cq=http://www.day.com/jcr/cq/1.0',
  ];
  const parts = join(folder, 'types');
  await mkdir(parts);
  await writeFile(join(parts, 'MANIFEST'), `${manifest.join('\n')}\n`);
  await writeFile(join(parts, 'page-types.cnd'), await readFile(PAGE_TYPES));
  const bundle = join(folder, 'types.jar');
  await run('jar', ['cfm', bundle, 'MANIFEST', 'page-types.cnd'], { cwd: parts });
  return readFile(bundle);
}
