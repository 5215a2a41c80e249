import { stat } from 'node:fs/promises';
import { ROOT, Trouble, run, say } from './run.mjs';

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
