import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { externalCode, startCodeWorld } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** A host's answer about the folders of a branch, with at least so many bytes. */
function treeOf(bytes: number): string {
  const blob = createHash('sha1').update('blob 1\0x').digest('hex');
  const start = `{"truncated":false,"tree":[{"path":"a.css","mode":"100644","type":"blob","sha":"${blob}","size":1}`;
  const folder = (length: number) => `,{"path":"d","mode":"040000","type":"tree","sha":"${blob}","url":"${'x'.repeat(length)}"}`;
  const missing = bytes - start.length - 2;
  if (missing < 0) return `${start}]}`;
  const count = Math.ceil(missing / 10_000);
  const each = Math.floor(missing / count) - folder(0).length;
  const rest = missing - count * folder(each).length;
  return `${start}${folder(each).repeat(count - 1)}${folder(each + rest)}]}`;
}
const COMMIT = 'a'.repeat(40);
const sizes = { branch: 0, tree: 0 };

const external = startBeforeAll(() =>
  startReceiver((request, response) => {
    const url = request.url ?? '';
    if (url.includes('/branches/')) return void response.end(JSON.stringify({ commit: { sha: COMMIT } }).padEnd(sizes.branch));
    if (url.includes('/git/trees/')) return void response.end(treeOf(sizes.tree));
    if (url.endsWith('/a.css')) return void response.end('x');
    response.writeHead(404).end();
  }),
);
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_FILE_COUNT_LIMIT: '100000' } }));
beforeAll(async () => {
  await world.registerExternal('external', externalCode(external.address));
});

it.each([
  ['branch', LIMITS.branchAnswer, 'Unable to fetch branch'],
  ['tree', LIMITS.treeAnswer, 'Unable to fetch tree'],
] as const)('an external repository’s answer about a %s is read up to its limit, and not a byte more', async (what, limit, says) => {
  sizes[what] = limit;
  expect((await world.sync('external')).error).toBeUndefined();
  sizes[what] = limit + 1;
  expect((await world.sync('external')).error).toMatch(new RegExp(`^${says}: .*large`));
  sizes[what] = 0;
});
