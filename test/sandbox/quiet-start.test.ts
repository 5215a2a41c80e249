import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

test('the programs of the sandbox are loaded without a warning about the runtime', async () => {
  const program = new URL('sandbox/dist/start.js', ROOT).href;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `await import('${program}')`]);
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
