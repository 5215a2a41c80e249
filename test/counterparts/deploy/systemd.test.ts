import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEPLOY } from './cache.ts';

const run = promisify(execFile);
/** Out of 10; the rest is the network, and writable executable memory for Node.js's compiler. */
const EXPOSURE = 1.5;

it.each(['repoless', 'repoless-build-management'])('%s.service is valid for systemd, with a low exposure', async (name) => {
  const unit = join(DEPLOY, 'systemd', `${name}.service`);
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]).catch((error: unknown) => Object(error));
  // Its program is installed elsewhere here.
  const output = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/Command \S+\/node is not executable/.test(line));
  expect(output).toEqual([]);
  const { stdout: security } = await run('systemd-analyze', ['security', '--offline=yes', `--threshold=${EXPOSURE * 10}`, unit]);
  expect(Number(/Overall exposure level for \S+: ([\d.]+) OK/.exec(security)?.[1])).toBeLessThanOrEqual(EXPOSURE);
});
