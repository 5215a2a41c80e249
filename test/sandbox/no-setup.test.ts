import { execFile } from 'node:child_process';
import { access, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let clone: string;
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'repoless-no-setup-'));
  for (const part of ['package.json', 'package-lock.json', 'sandbox/preparation', 'test/prepare.mjs']) {
    await cp(join(root, part), join(clone, part), { recursive: true });
  }
});
afterEach(() => rm(clone, { recursive: true, force: true }));

test.each([
  ['programs', { PATH: '/nowhere' }, /The tests need git, a Chromium .*Install what is missing/],
  ['packages', { PATH: process.env['PATH'], CHROMIUM: process.execPath }, /The packages are missing\. Run: npm ci/],
])('npm test -- --no-setup names missing %s, and installs nothing', async (_, environment, sentence) => {
  const running = promisify(execFile)(process.execPath, ['test/prepare.mjs', '--no-setup'], { cwd: clone, env: environment });
  await expect(running).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
  await expect(access(join(clone, 'node_modules'))).rejects.toThrow('ENOENT');
});
