import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SealedValue } from '@repoless/contract/secret.ts';
import type { BucketOptions } from '@repoless/service/code/object-storage/bucket.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';

export const ACCESS_KEY = 'test-access-key';
export const SECRET_KEY = 'a-secret-that-no-log-may-hold';
export const BUCKET = 'code';
const CACHE = new URL('../../../node_modules/.cache/s3/', import.meta.url).pathname;

export interface S3Server {
  readonly endpoint: string;
  /** Settings of a service that stores its code in the bucket, below a new prefix each time. */
  settings(): Record<string, string>;
  /** The same for a client of the tests. */
  options(prefix: string): BucketOptions;
  kill(): Promise<void>;
  /** Starts it on the same port and folder. `readonly`: it refuses every write. */
  start(readonly?: 'readonly'): Promise<void>;
  /** Makes it accept connections without answering, or resume. */
  hang(hanging: boolean): void;
  stop(): Promise<void>;
}

/** A Versity S3 Gateway on a folder, with one bucket. */
export async function startS3(): Promise<S3Server> {
  const [version = ''] = readdirSync(CACHE);
  const folder = await mkdtemp(join(tmpdir(), 'repoless-s3-'));
  for (const name of ['data', 'about']) await mkdir(join(folder, name));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let prefixes = 0;

  async function start(readonly?: 'readonly'): Promise<void> {
    const flags = readonly === undefined ? [] : ['--readonly'];
    const parameters = [
      '--port',
      `127.0.0.1:${port}`,
      '--quiet',
      ...flags,
      'posix',
      '--sidecar',
      join(folder, 'about'),
      join(folder, 'data'),
    ];
    const started = spawn(join(CACHE, version, 'versitygw'), parameters, {
      env: { ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(started, 'exit').then(() => Promise.reject(new Error(`versitygw ended: ${output}`)));
    ended.catch(() => undefined);
    await Promise.race([ended, answers(endpoint)]);
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  await start();
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  return {
    endpoint,
    settings: () => ({
      CODE_STORE: `s3://${BUCKET}/test-${(prefixes += 1)}`,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
    }),
    options: (prefix) => ({
      bucket: BUCKET,
      prefix,
      region: 'us-east-1',
      endpoint,
      pathStyle: true,
      credential: { accessKeyId: ACCESS_KEY, secretAccessKey: new SealedValue(SECRET_KEY) },
    }),
    kill,
    start,
    hang: (hanging) => void child?.kill(hanging ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until it answers at all. */
async function answers(endpoint: string): Promise<void> {
  for (;;) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
