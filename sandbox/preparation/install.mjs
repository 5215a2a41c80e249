import { readFile, stat } from 'node:fs/promises';
import { ROOT, run, say, Trouble } from './run.mjs';

/** Installs the packages if they are missing or older than the lock file; if `installs` is false, only reports it. */
export async function installPackages({ installs = true } = {}) {
  const [lock, installed] = await Promise.all([changed('package-lock.json'), changed('node_modules/.package-lock.json')]);
  if (installed >= lock) return;
  if (!installs) throw new Trouble(`The packages ${installed === 0 ? 'are missing' : 'are older than the lock file'}. Run: npm ci`);
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
  const wanted = engines.node.replace('>=', '');
  if (isOlder(process.versions.node, wanted)) {
    throw new Trouble(`This is Node ${process.versions.node}. Use Node ${wanted} or newer: https://nodejs.org`);
  }
  await run('git', ['--version'], 'The program "git" is missing. Install it: https://git-scm.com (Debian, Ubuntu: apt-get install git)');
}

function isOlder(version, wanted) {
  const [is, must] = [version, wanted].map((text) => text.split('.').map(Number));
  const differing = must.findIndex((part, index) => part !== is[index]);
  return differing !== -1 && is[differing] < must[differing];
}
