// Plain JavaScript, because .ci/run calls the scripts that fetch test programs, to find out whether the tests can run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** The timeout of each command, in milliseconds. */
const LONGEST = 840_000;

/**
 * Compiles a Go program from the module proxy into a folder below node_modules/.cache, once. Takes its package with a version,
 * such as `example.com/tool/cmd/tool@v1.2.0`. Throws an Error with a message.
 */
export async function installGoProgram(module, folder) {
  const [path = '', version = ''] = module.split('@');
  const name = path.split('/').at(-1);
  if (existsSync(`${folder}${name}`)) return;
  console.log(`Fetching and compiling ${name} ${version} with Go, some minutes…`);
  try {
    const parameters = ['install', '-trimpath', '-ldflags=-s -w', module];
    await promisify(execFile)('go', parameters, { timeout: LONGEST, env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } });
  } catch (cause) {
    const detail = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n').at(-1) : '';
    throw new Error(`Go could not install ${module}. ${detail}`);
  }
}
