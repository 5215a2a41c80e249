import { execFile } from 'node:child_process';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { buildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const MISSING = 'The git program is missing on the server. Its operator must install git.';
const tooOld = (found: string, needed: string) =>
  `The git program on the server has the version ${found}. Its operator must install version ${needed} or newer.`;
const DONE = 'done';
beforeAll(buildBackend, 120_000);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await symlink('/bin/sh', join(folder.path, 'sh'));
}, 120_000);

/** Runs a git call in a separate program whose git reports this version; undefined: there is no git. Returns the outcome. */
async function ask(version: string | undefined, call: string): Promise<string> {
  const git = join(folder.path, 'git');
  await rm(git, { force: true });
  if (version !== undefined) {
    await writeFile(git, `#!/bin/sh\necho "git version ${version}"\n`);
    await chmod(git, 0o755);
  }
  const from = (module: string) => pathToFileURL(join(import.meta.dirname, '../../backend/dist', module)).href;
  const program = `import { askGit } from '${from('git/run-git.js')}';
    import { branchProbe } from '${from('code/open-snapshot.js')}';
    import { codeRemote } from '${from('composition/code.js')}';
    import { openMirrors } from '${from('build-management/git/mirrors.js')}';
    const signal = new AbortController().signal;
    // Nobody connects there: this git connects to nothing.
    const resolve = (_hostname, _options, callback) => callback(null, [{ address: '9.9.9.9', family: 4 }]);
    await (${call}).then(() => console.log('${DONE}'), (error) => console.log(error.message));`;
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env: { PATH: folder.path } });
  return (await running).stdout.trim();
}

const ANY = "askGit({ command: ['fetch'], signal })";
const service = (internal: string) => `branchProbe({
    settings: { codeHost: 'https://code.example' },
    remote: codeRemote({ send: async () => ({ status: 404, headers: {} }) }, '${internal}', resolve),
  })({ type: 'github', key: 'github:a/b', owner: 'a', repo: 'b' }, { ref: 'main', branch: 'main' })
    .then(({ sentence }) => { throw new Error(sentence); })`;
const buildManagement = (
  internalAddresses: string,
) => `openMirrors({ folder: '.', internalAddresses: '${internalAddresses}', lookup: resolve, timeout: 10000, stopping: signal })
    .branches({ key: 'a', vendor: 'other', cloneUrl: 'https://code.example/a/b.git' }, undefined)`;
/** The service's error for a git that prints no branch. */
const CALLED = 'code.example answers, but not as a git repository. Check the address of the code host.';

it.each([
  ['there is none', undefined, ANY, MISSING],
  ['there is none', undefined, service('refuse'), MISSING],
  ['there is none', undefined, buildManagement('refuse'), MISSING],
  ['it would read settings of whoever started the service', '2.31.8', ANY, tooOld('2.31.8', '2.32')],
  ['it says nothing of its version', '', ANY, tooOld('unknown', '2.32')],
  ['it knows its own settings alone', '2.32.0', ANY, DONE],
  ['it knows its own settings alone', '2.36.6', service('allow'), CALLED],
  ['it knows its own settings alone', '2.36.6', buildManagement('allow'), DONE],
  ['it would connect to another address than was checked', '2.36.6', service('refuse'), tooOld('2.36.6', '2.37')],
  ['it would connect to another address than was checked', '2.36.6', buildManagement('refuse'), tooOld('2.36.6', '2.37')],
  ['it connects to the address that was checked', '2.37.0', service('refuse'), CALLED],
  ['it is one of another maker', '2.39.5 (Apple Git-154)', buildManagement('refuse'), DONE],
  ['it is of the next number', '3.0.1', buildManagement('refuse'), DONE],
])('git is run or not, and its operator is told: %s (%s)', async (_, version, call, answer) => {
  expect(await ask(version, call)).toBe(answer);
});
