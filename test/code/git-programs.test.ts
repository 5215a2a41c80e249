import { LIMITS } from '@repoless/contract/limits.ts';
import { gitOutput, limitedGit } from '@repoless/service/git/run-git.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it, describe } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory, buildBackend } from '../support/child-backend.ts';
import { openObjects } from '@repoless/service/build-management/git/mirrors.ts';
import { listFiles } from '@repoless/service/code/git-snapshot.ts';
import { readObjects } from '@repoless/service/git/read-objects.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const run = promisify(execFile);
let tree: string;
let file: string;
const repository = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  // The first call also queries the version.
  await gitOutput({ command: ['version'], signal: new AbortController().signal });
  await write(['init', '--bare', '--quiet', repository.path]);
  tree = await write(['mktree']);
  file = await write(['hash-object', '-w', '--stdin']);
});

/** What a command of git prints for this input. */
async function write(command: readonly string[], input?: Buffer): Promise<string> {
  const writing = run('git', command, { cwd: repository.path });
  // No empty buffer: writing one fails if git, which reads no input, has already ended.
  writing.child.stdin?.end(input);
  return (await writing).stdout.trim();
}

/** Returns a command with which git prints this many bytes. */
const printing = async (bytes: number) => ['cat-file', 'blob', await write(['hash-object', '-w', '--stdin'], Buffer.alloc(bytes))];

it('LIMITS.gitOutput bytes of output are read, and git is ended if it prints more', async () => {
  const ask = async (command: string[]) =>
    (await gitOutput({ repository: repository.path, command, signal: new AbortController().signal })).length;
  expect(await ask(await printing(LIMITS.gitOutput))).toBe(LIMITS.gitOutput);
  const more = await printing(LIMITS.gitOutput + 1);
  await expect(ask(more)).rejects.toThrow('git cat-file failed');
});

it('a git process has LIMITS.gitMemory, and fails if it needs more', async () => {
  // Reading an empty file only takes the memory of one block.
  const block = (bytes: number) => run(...limitedGit(['-c', `alias.block=!dd if=/dev/null of=/dev/null count=1 bs=${bytes}`, 'block']));
  await block(LIMITS.gitMemory - 64 * 1024 * 1024);
  await expect(block(LIMITS.gitMemory)).rejects.toThrow('memory exhausted');
});

/** The tick of the event loop in which each program was started. */
async function startsOf(work: () => Promise<unknown>): Promise<number[]> {
  const starts: number[] = [];
  let turn = 0;
  const next = () => {
    turn += 1;
    ticking = setImmediate(next);
  };
  let ticking = setImmediate(next);
  const note = () => void starts.push(turn);
  subscribe('child_process', note);
  try {
    await work();
  } finally {
    unsubscribe('child_process', note);
    clearImmediate(ticking);
  }
  return starts;
}

it('the service and build management start at most one git process per tick of the event loop', async () => {
  const { signal } = new AbortController();
  const objects = openObjects(100, 10_000);
  const limits = { limit: 100, time: 10_000, signal };
  const starts = await startsOf(() =>
    Promise.all([
      ...Array.from({ length: 8 }, () => gitOutput({ command: ['version'], signal })),
      readObjects({ repository: repository.path, signal }, [file], async () => undefined),
      listFiles({ repository: repository.path, treeish: tree, ...limits }),
      objects.find(repository.path, tree),
      objects.tree(repository.path, tree, true, () => undefined),
    ]),
  );
  objects.close();
  // Each search runs a pair of programs.
  expect(starts).toHaveLength(13);
  expect(new Set(starts).size).toBe(starts.length);
});

it('git is not started for a caller that aborts while it waits', async () => {
  const aborting = new AbortController();
  const starts = await startsOf(async () => {
    const calls = [1, 2, 3].map(() => gitOutput({ command: ['version'], signal: aborting.signal }));
    aborting.abort(new Error('No longer needed.'));
    for (const one of calls) await expect(one).rejects.toThrow('No longer needed.');
  });
  expect(starts).toEqual([]);
});
describe('The git program', () => {
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
    const program = `import { gitOutput } from '${from('git/run-git.js')}';
    import { branchProbe } from '${from('code/open-snapshot.js')}';
    import { codeRemote } from '${from('composition/code.js')}';
    import { openMirrors } from '${from('build-management/git/mirrors.js')}';
    const signal = new AbortController().signal;
    // Nothing listens there: this git makes no connection.
    const resolve = (_hostname, _options, callback) => callback(null, [{ address: '9.9.9.9', family: 4 }]);
    await (${call}).then(() => console.log('${DONE}'), (error) => console.log(error.message));`;
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env: { PATH: folder.path } });
    return (await running).stdout.trim();
  }

  const ANY = "gitOutput({ command: ['fetch'], signal })";
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
    ['it is missing', undefined, ANY, MISSING],
    ['it is missing', undefined, service('refuse'), MISSING],
    ['it is missing', undefined, buildManagement('refuse'), MISSING],
    ['it would read the settings of the user who started the service', '2.31.8', ANY, tooOld('2.31.8', '2.32')],
    ['it reports no version', '', ANY, tooOld('unknown', '2.32')],
    ['it can be limited to its own settings', '2.32.0', ANY, DONE],
    ['it can be limited to its own settings', '2.36.6', service('allow'), CALLED],
    ['it can be limited to its own settings', '2.36.6', buildManagement('allow'), DONE],
    ['it could connect to another address than the checked one', '2.36.6', service('refuse'), tooOld('2.36.6', '2.37')],
    ['it could connect to another address than the checked one', '2.36.6', buildManagement('refuse'), tooOld('2.36.6', '2.37')],
    ['it connects to the checked address', '2.37.0', service('refuse'), CALLED],
    ['it is a build of another vendor', '2.39.5 (Apple Git-154)', buildManagement('refuse'), DONE],
    ['it is of the next major version', '3.0.1', buildManagement('refuse'), DONE],
  ])('runs, or is reported to the operator: %s (%s)', async (_, version, call, answer) => {
    expect(await ask(version, call)).toBe(answer);
  });
});
