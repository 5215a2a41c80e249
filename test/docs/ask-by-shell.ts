import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readAnswer } from '../support/documented-calls.ts';
import type { Documented } from '../support/documented-calls.ts';

/** Asking again and again, at most this often: a process each time, so that it is no tight loop. */
const ATTEMPTS = 500;
const LARGEST = 16 * 1024 * 1024;

/** Runs a curl command as a reader does. Where `until` is given it is asked again until the body holds that. */
export async function askByShell(command: string, variables: Readonly<Record<string, string>>, until?: string): Promise<Documented> {
  const env = { PATH: process.env['PATH'], ...variables };
  for (let attempt = 1; ; attempt++) {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { env, maxBuffer: LARGEST });
    const answer = readAnswer(stdout);
    if (until === undefined || answer.body.includes(until) || answer.status >= 400 || attempt === ATTEMPTS) return answer;
  }
}
