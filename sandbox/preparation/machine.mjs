import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Trouble, run, say } from './run.mjs';

const PROGRAMS = [
  { title: 'git', packages: ['git'], isThere: () => onPath(['git']) },
  {
    title: 'a Chromium (or its address in CHROMIUM)',
    packages: ['chromium'],
    isThere: async () =>
      process.env.CHROMIUM !== undefined || (await onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])),
  },
  {
    title: 'the Chromium shell, with which they take less time',
    packages: ['chromium-headless-shell'],
    isNeeded: false,
    isThere: async () => process.env.CHROMIUM !== undefined || (await onPath(['chromium-headless-shell'])),
  },
  { title: 'PostgreSQL', packages: ['postgresql'], isThere: async () => (await onPath(['postgres'])) || (await debianPostgres()) },
];

/**
 * Installs the programs that the tests need. Reports the missing ones if it lacks permission or `installs` is false; tests still run
 * without an optional one.
 */
export async function installMachinePrograms({ installs = true } = {}) {
  const missing = [];
  for (const program of PROGRAMS) if (!(await program.isThere())) missing.push(program);
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
    throw new Trouble(`The tests need ${titles}. Install what is missing (Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}).`);
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
