import { startFolder } from '@repoless/sandbox/web.ts';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SCRIPT = 'export const days = ["Monday", "Tuesday"];\n'.repeat(200);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await writeFile(join(folder.path, 'app.js'), SCRIPT);
  await writeFile(join(folder.path, 'picture.png'), SCRIPT);
});
const running = startBeforeAll(() => startFolder({ port: 0, folder: folder.path }));

describe('the web apps of the sandbox', () => {
  test.each(['gzip', 'deflate, gzip;q=0.5, br', 'br, *', 'GZIP'])('are compressed for clients that accept it (%s)', async (accepted) => {
    const answer = await ask('/app.js', { 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'content-type': expect.stringContaining('javascript'),
    });
    expect(answer.body.length).toBeLessThan(SCRIPT.length / 10);
    expect(gunzipSync(answer.body).toString()).toBe(SCRIPT);
  });

  test.each(['', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'identity'])('are not compressed for others (%s)', async (accepted) => {
    const answer = await ask('/app.js', accepted === '' ? {} : { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['vary']).toBe('accept-encoding');
    expect(answer.body.toString()).toBe(SCRIPT);
  });

  test('send compressed pictures unchanged', async () => {
    const answer = await ask('/picture.png', { 'accept-encoding': 'gzip' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).not.toHaveProperty('vary');
    expect(answer.body.toString()).toBe(SCRIPT);
  });

  test('answer HEAD as GET, without a body', async () => {
    const answer = await ask('/app.js', { 'accept-encoding': 'gzip' }, 'HEAD');
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(answer.body.length).toBe(0);
  });
});

interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** node:http, because fetch decompresses automatically. */
function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`http://127.0.0.1:${new URL(running.address).port}${path}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
const ROOT = new URL('../../', import.meta.url);

test('the programs of the sandbox load without a warning of the runtime', async () => {
  const program = new URL('sandbox/dist/start.js', ROOT).href;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `await import('${program}')`]);
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
