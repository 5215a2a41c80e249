import { readFile, stat, access, readdir, chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ROOT, run, say, ScriptError, runTool } from './run.mjs';

/** Installs the packages if they are missing or older than the lock file; if `installs` is false, only reports it. */
export async function installPackages({ installs = true } = {}) {
  const [lock, installed] = await Promise.all([changed('package-lock.json'), changed('node_modules/.package-lock.json')]);
  if (installed >= lock) return;
  if (!installs) throw new ScriptError(`The packages ${installed === 0 ? 'are missing' : 'are older than the lock file'}. Run: npm ci`);
  say(
    `Installing packages (${installed === 0 ? 'they are missing' : 'the lock file is newer'}); this takes a minute or two the first time …`,
  );
  await run('npm', ['ci', '--no-audit', '--no-fund'], 'The packages could not be installed (npm ci). Is the network there?');
}

async function changed(file) {
  const found = await stat(`${ROOT}${file}`).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

/** Node as required by package.json, and the program `git`. */
export async function checkRequirements() {
  const { engines } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'));
  const required = engines.node.replace('>=', '');
  if (isOlder(process.versions.node, required)) {
    throw new ScriptError(`This is Node ${process.versions.node}. Use Node ${required} or newer: https://nodejs.org`);
  }
  await run('git', ['--version'], 'The program "git" is missing. Install it: https://git-scm.com (Debian, Ubuntu: apt-get install git)');
}

function isOlder(version, required) {
  const [is, must] = [version, required].map((text) => text.split('.').map(Number));
  const differing = must.findIndex((part, index) => part !== is[index]);
  return differing !== -1 && is[differing] < must[differing];
}

const PROGRAMS = [
  { title: 'git', packages: ['git'], isInstalled: () => onPath(['git']) },
  {
    title: 'a Chromium (or its address in CHROMIUM)',
    packages: ['chromium'],
    isInstalled: async () =>
      process.env.CHROMIUM !== undefined || (await onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])),
  },
  {
    title: 'the Chromium shell, with which they take less time',
    packages: ['chromium-headless-shell'],
    isNeeded: false,
    isInstalled: async () => process.env.CHROMIUM !== undefined || (await onPath(['chromium-headless-shell'])),
  },
  { title: 'PostgreSQL', packages: ['postgresql'], isInstalled: async () => (await onPath(['postgres'])) || (await debianPostgres()) },
];

/**
 * Installs the programs that the tests need. Reports the missing ones if it lacks permission or `installs` is false; tests still run
 * without an optional one.
 */
export async function installMachinePrograms({ installs = true } = {}) {
  const missing = [];
  for (const program of PROGRAMS) if (!(await program.isInstalled())) missing.push(program);
  const canInstall = installs && process.getuid?.() === 0 && (await onPath(['apt-get']));
  const isNeeded = (program) => program.isNeeded !== false;
  await install(missing.filter(isNeeded), canInstall);
  if (!canInstall) return;
  for (const program of missing) {
    if (!isNeeded(program))
      await install([program], canInstall).catch(() => say(`${program.packages.join(', ')}: not installed. The tests run without it.`));
  }
}

async function install(programs, canInstall) {
  if (programs.length === 0) return;
  const packages = programs.flatMap((program) => program.packages);
  const titles = programs.map(({ title }) => title).join(', ');
  if (!canInstall) {
    throw new ScriptError(
      `The tests need ${titles}. Install what is missing (Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}).`,
    );
  }
  say(`Installing what the tests need, as Debian packages (${packages.join(', ')}): ${titles} …`);
  const trouble = `Couldn’t install these packages: ${packages.join(' ')}. Install them, then run npm test again.`;
  await run('apt-get', ['update', '-qq'], trouble);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], trouble);
}

async function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = await Promise.all(folders.flatMap((folder) => names.map((name) => exists(join(folder, name)))));
  return found.includes(true);
}

/** Debian does not put the server's programs into the path. */
async function debianPostgres() {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const found = await Promise.all(versions.map((version) => exists(`/usr/lib/postgresql/${version}/bin/postgres`)));
  return found.includes(true);
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'contract', 'core'];
const PARTS = {
  programs: {
    sources: [...CONFIGURATION, 'upstream', 'command-line', 'backend', 'sandbox'],
    build: async () => {
      await runTool('typescript/bin/tsc', ['-b', 'backend', 'sandbox'], 'The programs do not compile; the messages above say where.');
      await chmod(join(ROOT, 'command-line/dist/main.js'), 0o755);
    },
  },
  extension: {
    sources: [...CONFIGURATION, 'extension'],
    build: () => runTool('vite/bin/vite.js', ['build', 'extension', '--logLevel', 'warn'], 'The extension could not be built.'),
  },
  authoring: {
    sources: [...CONFIGURATION, 'packaging/authoring'],
    build: () =>
      runTool(
        'vite/bin/vite.js',
        ['build', 'packaging/authoring', '--logLevel', 'warn'],
        'The script of the content package could not be built.',
      ),
  },
  console: {
    sources: [...CONFIGURATION, 'sandbox/console'],
    build: () => runTool('vite/bin/vite.js', ['build', 'sandbox/console', '--logLevel', 'warn'], 'The console could not be built.'),
  },
};

/** Builds the parts (all, or the named ones) whose sources are newer than their last build. */
export async function buildParts(names = Object.keys(PARTS)) {
  const stale = [];
  for (const name of names) if (await isStale(name)) stale.push(name);
  if (stale.length === 0) return;
  say(`Building what changed (${stale.join(', ')}) …`);
  await Promise.all(stale.map(build));
}

async function build(name) {
  const started = new Date();
  await PARTS[name].build();
  await mkdir(join(ROOT, 'dist/.build'), { recursive: true });
  await writeFile(stampOf(name), '');
  // Changes made during the build are newer than this stamp.
  await utimes(stampOf(name), started, started);
}

async function isStale(name) {
  const stamp = await stat(stampOf(name)).catch(() => undefined);
  if (stamp === undefined) return true;
  const times = await Promise.all(PARTS[name].sources.map((source) => newest(join(ROOT, source))));
  return Math.max(...times) > stamp.mtimeMs;
}

/** When a file, or anything in a folder, last changed; removing a file changes its folder's own time. */
async function newest(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const below = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(found.mtimeMs, ...below);
}

function stampOf(name) {
  return join(ROOT, 'dist/.build', `${name}.built`);
}
