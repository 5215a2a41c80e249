import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBucket } from '@repoless/service/code/object-storage/bucket.ts';
import { bucketStorage } from '@repoless/service/code/object-storage/bucket.ts';
import { sha256 } from '../../support/blob-places.ts';
import { buildBackend } from '../../support/child-backend.ts';
import { SECRET_KEY, startS3, type S3Server } from './run-s3.ts';
import { openFolderStorage } from '@repoless/service/code/blob-store.ts';

const PROGRAM = new URL('../../../backend/dist/administration/main.js', import.meta.url).pathname;
let server: S3Server;
let dataDir: string;
beforeAll(async () => {
  [server, dataDir] = await Promise.all([startS3(), mkdtemp(join(tmpdir(), 'repoless-move-')), buildBackend()]);
}, 180_000);
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

it(
  'copies the code of a folder to a bucket and back, verifies it, and copies only missing files when repeated',
  { timeout: 120_000 },
  async () => {
    const files = [1, 300_000, 5000].map((length) => randomBytes(length));
    const bytes = files.reduce((sum, { length }) => sum + length, 0);
    const folder = await openFolderStorage(join(dataDir, 'code'));
    for (const file of files) await folder.write(sha256(file), file);
    const { CODE_STORE: to = '', ...settings } = server.settings();
    const done = {
      status: 0,
      err: '',
      out: expect.stringContaining(`Files 3, bytes ${bytes}: copied and verified. Already there and verified: 0. Damaged: 0.\nFrom `),
    };
    expect(await moved(to, settings)).toEqual(done);
    const [first = Buffer.of()] = files;
    const bucket = bucketStorage(await openBucket(server.options(`${new URL(to).pathname.slice(1)}/`)));
    await bucket.remove([sha256(first)]);
    expect((await moved(to, settings)).out).toContain(
      'Files 1, bytes 1: copied and verified. Already there and verified: 2. Damaged: 0.\n',
    );
    await bucket.close();
    await folder.remove(files.map(sha256));
    expect(await moved('folder', { ...settings, CODE_STORE: to })).toEqual(done);
    for (const file of files) expect(sha256(await folder.read(sha256(file)))).toBe(sha256(file));
  },
);

it('reports a problem with the bucket without the secret, and copies nothing', async () => {
  const { CODE_STORE: _, ...settings } = server.settings();
  const missing = await moved('s3://no-such-bucket/x', settings);
  expect(missing).toMatchObject({
    status: 2,
    err: 'The bucket of s3://no-such-bucket/x/ does not exist. Create it, or correct CODE_STORE.\n',
  });
  await server.kill();
  const away = await moved('s3://code/x', settings);
  await server.start();
  expect(away).toMatchObject({ status: 2, err: expect.stringMatching(/^The bucket did not answer a list: .*ECONNREFUSED\.\n$/) });
  expect(`${missing.err}${away.err}`).not.toContain(SECRET_KEY);
});

function moved(to: string, settings: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', DATA_DIR: dataDir, ...settings };
    const child = execFile(process.execPath, [PROGRAM, 'move-code', '--to', to], { env }, (_error, out, err) => {
      resolve({ status: child.exitCode ?? -1, out, err });
    });
  });
}
