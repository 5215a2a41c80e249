import { JobStatus } from '@repoless/contract/job.ts';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Hostile, type HostileWorld, list } from './hostile-world.ts';

const SHA = 'a'.repeat(40);
export const entry = (path: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  path,
  mode: '100644',
  type: 'blob',
  sha: SHA,
  size: 1,
  ...more,
});
export const tree = (entries: readonly unknown[]) => JSON.stringify({ sha: SHA, tree: entries, truncated: false });

interface Answers {
  readonly rules?: string | Buffer;
  readonly branch?: string;
  readonly tree?: string | ((response: ServerResponse) => void);
  readonly file?: string | ((response: ServerResponse) => void);
}

/** Syncs an external repository with these answers; its job succeeds, or ends with a message. */
export function source(name: string, answers: Answers): Hostile {
  return {
    name: `repository: ${name}`,
    async run(world) {
      world.serve('/sync/', (request, response) => {
        const url = request.url ?? '';
        if (url.endsWith('.hlxignore'))
          return void (answers.rules === undefined ? response.writeHead(404).end() : response.end(answers.rules));
        if (url.includes('/branches/')) return void response.end(answers.branch ?? JSON.stringify({ commit: { sha: SHA } }));
        const answer = url.includes('/git/trees/') ? (answers.tree ?? tree([entry('a.txt')])) : (answers.file ?? 'x');
        if (typeof answer === 'string') response.end(answer);
        else answer(response);
      });
      await register(world);
      const started = await world.call('POST', '/code/wknd/external/main/*');
      if (started.status !== 202) return [started.status];
      return [started.status, await ended(world)];
    },
  };
}

async function register(world: HostileWorld): Promise<void> {
  const address = `${world.elsewhere}/sync`;
  const code = {
    owner: '100',
    repo: '200',
    source: { type: 'byogit', url: `${address}/api`, raw_url: `${address}/raw`, secretId: 'cm-byog' },
  };
  await world.put('external', { code });
  await world.call('POST', '/config/wknd/sites/external/secrets/cm-byog.json', { body: { value: 'the-secret' } });
}

async function ended(world: HostileWorld): Promise<number> {
  for (;;) {
    const answer = await world.call('GET', '/job/wknd/external/main/code');
    const { state, error } = JobStatus.parse(answer.json());
    if (state === 'stopped') return error?.startsWith('Something unexpected') === true ? 500 : answer.status;
    await pause(20);
  }
}

/** Imports a project with these files. */
export function project(name: string, fstab: string | Buffer, paths = '{}'): Hostile {
  return {
    name: `fstab.yaml: ${name}`,
    alsoCorrect: [502],
    async run(world) {
      world.serve('/raw-files/', (request, response) => response.end(request.url?.endsWith('.yaml') === true ? fstab : paths));
      return [(await world.call('GET', '/config/wknd/sites/project.json?migrate=true')).status];
    },
  };
}

export const MOUNTED = 'mountpoints:\n  /: https://author-p1-e2.example.com/bin/franklin.delivery/wknd/project/main\n';

/** Hostile answers and contents of repositories. */
export const HOSTILE_SOURCES: readonly Hostile[] = [
  source('a list that is not JSON', { tree: '<html>' }),
  source('a list of 500,000 levels', { tree: '['.repeat(500_000) }),
  source('a list whose entries have 50,000 levels', { tree: `{"tree":[{"path":${'['.repeat(50_000)}` }),
  source('an endless list', { tree: (response) => endlessly(response, `${JSON.stringify(entry('a'))},`, '{"tree":[') }),
  source('a list of 100,000 files', { tree: tree(list(100_000, (index) => entry(`f/${index}`))) }),
  source('a list of 49,000 files that are all the same', { tree: tree(list(49_000, () => entry('a.txt'))), file: 'x' }),
  source('a list of 30,000 folders', { tree: tree(list(30_000, (index) => entry(`f${index}`, { type: 'tree' }))) }),
  source('a path of 1 MB', { tree: tree([entry('p'.repeat(1_000_000))]) }),
  source('9,000 paths of 999 characters', { tree: tree(list(9000, (index) => entry(`${index}`.padEnd(999, 'p')))) }),
  source('paths that leave the repository, and unusual ones', {
    tree: tree(['../../etc/passwd', '/etc/passwd', '', '.', 'a//b', '__proto__', 'a\0b', 'é', '\ud800'].map((path) => entry(path))),
  }),
  source('paths that are not strings', { tree: tree([entry(1), entry(null), entry(['a']), entry({})]) }),
  source('invalid sizes', { tree: tree([entry('a', { size: -1 }), entry('b', { size: 1e308 }), entry('c', { size: 0.5 })]) }),
  source('a name of 10 kB', { tree: tree([entry('a', { sha: 's'.repeat(10_000) })]) }),
  source('an invalid commit', { branch: JSON.stringify({ commit: { sha: '../../x' } }) }),
  source('a branch of 2 MB', { branch: JSON.stringify({ commit: { sha: SHA }, note: 'x'.repeat(2_000_000) }) }),
  source('rules of 25 MB of line breaks', { rules: Buffer.alloc(25 * 1024 * 1024, '\n') }),
  source('rules of 4 MB of line breaks', { rules: Buffer.alloc(4_000_000, '\n') }),
  source('1,000 rules of stars on 300 files', {
    rules: list(1000, (index) => `${'*a'.repeat(30)}${index}`).join('\n'),
    tree: tree(list(300, (index) => entry(`${'a'.repeat(200)}/${index}`))),
  }),
  source('rules of brackets that are never closed', { rules: list(500, () => `[${'a-z'.repeat(300)}`).join('\n') }),
  source('rules with U+0000 and backslashes', { rules: list(900, (index) => `${'\\'.repeat(500)}\0${index}`).join('\n') }),
  source('files that differ from the list', { file: 'something else' }),
  source('an endless file', { file: (response) => endlessly(response, 'x'.repeat(65_536)) }),
  source('a file that redirects elsewhere', { file: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }),
  source('a file that asks to wait for a year', { file: (response) => response.writeHead(404, { 'retry-after': '31536000' }).end() }),
  project('10 MB', 'a: b\n'.repeat(2_000_000)),
  project('20,000 brackets', '['.repeat(20_000)),
  project('a flat map of 20,000 keys', list(20_000, (index) => `k${index}: v`).join('\n')),
  project('4,900 indents', list(4900, (index) => `${' '.repeat(index % 200)}a:`).join('\n')),
  project(
    'aliases of aliases',
    [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...list(9, (index) => `${'bcdefghij'[index]}: &${'bcdefghij'[index]} [${`*${'abcdefghi'[index]},`.repeat(9)}]`),
    ].join('\n'),
  ),
  project('an alias of itself', 'a: &a [*a]\nmountpoints: *a'),
  project('2,000 anchors', list(2000, (index) => `k${index}: &a${index} v`).join('\n')),
  project('bytes that are not text', Buffer.alloc(60_000, 0xff)),
  project('U+0000', '\0'.repeat(10_000)),
  project('60,000 quotation marks', '"'.repeat(60_000)),
  project('30,000 question marks', '? '.repeat(30_000)),
  project('executable tags', 'a: !!js/function "function(){}"\nb: !<tag:x> y'),
  project('3,000 documents', '---\n'.repeat(3000)),
  project('merge keys', `a: &a {b: c}\nd: {${'<<: *a, '.repeat(1500)}}`),
  project('a number of 60,000 digits', `a: ${'9'.repeat(60_000)}`),
  project('paths of 4,000 levels', MOUNTED, '['.repeat(4000)),
  project('1,500 mappings', MOUNTED, JSON.stringify({ mappings: list(1500, (index) => `/content/a${index}/:/p${index}/`) })),
];

/** Sends as long as the connection is read. */
function endlessly(response: ServerResponse, piece: string, first = ''): void {
  const write = () => {
    while (!response.destroyed && response.write(piece.repeat(100)));
  };
  response.on('drain', write);
  response.write(first);
  write();
}
