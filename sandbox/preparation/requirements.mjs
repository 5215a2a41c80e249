import { readFile } from 'node:fs/promises';
import { ROOT, Trouble, run } from './run.mjs';

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
