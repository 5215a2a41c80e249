import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../free-port.ts';
import { untilReady } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';

const BUCKET = 'copy';
const CREDENTIALS = { accessKeyId: 'bench-access-key', secretAccessKey: 'bench-secret-key' };
/** Where `npm run fetch:s3` puts it. */
const CACHE = join('node_modules', '.cache', 's3');

export interface S3Store {
  /** Settings of a service that publishes into it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder in which an object is a file, its key the path. */
  readonly folder: string;
  /** Ends it, as a machine that is gone. */
  away(): Promise<void>;
  /** On the same port and data. */
  back(): Promise<void>;
}

/** Starts a Versity S3 Gateway with one bucket; undefined where it was not fetched. */
export async function startS3(workspace: Workspace): Promise<S3Store | undefined> {
  const [version] = await readdir(CACHE).catch(() => []);
  if (version === undefined) return undefined;
  const base = await workspace.directory('s3');
  const [data, about] = [join(base, 'data'), join(base, 'about')];
  await Promise.all([data, about].map((folder) => mkdir(folder)));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', about, data];
  const start = async () => {
    const child = workspace.start(join(CACHE, version, 'versitygw'), args, {
      env: { ROOT_ACCESS_KEY: CREDENTIALS.accessKeyId, ROOT_SECRET_KEY: CREDENTIALS.secretAccessKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady('versitygw', child, async () => (await fetch(endpoint)).status > 0);
    return child;
  };
  let child = await start();
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: CREDENTIALS });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  return {
    settings: {
      PUBLISH_TO: `s3://${BUCKET}/bench`,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    folder: join(data, BUCKET, 'bench'),
    away: () => workspace.stop(child, 'SIGKILL'),
    async back() {
      child = await start();
    },
  };
}
