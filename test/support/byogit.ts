import type { Running } from '@repoless/sandbox/web.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { createLog } from '@repoless/service/log.ts';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAnswers } from './check-answers.ts';
import { startReceiver } from './receiver.ts';

/** A stand-in of build management's raw and API addresses, for one repository `100/200`. */
export interface Byogit extends Running {
  readonly url: string;
  readonly rawUrl: string;
  /** The files by branch and path. */
  readonly branches: Map<string, Map<string, string>>;
  /** The secret that requests must present. */
  secret: string;
  /** Statuses to answer first, to requests whose path contains the text. */
  readonly faults: { path: string; status: number; headers?: Record<string, string> }[];
  truncated: boolean;
  /** Requested paths, in order. */
  readonly requests: string[];
}

export async function startByogit(secret: string): Promise<Byogit> {
  const { address, stop } = await startReceiver((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    stand.requests.push(path);
    const fault = stand.faults.findIndex((one) => path.includes(one.path));
    if (fault >= 0) {
      const [{ status, headers } = { status: 500, headers: {} }] = stand.faults.splice(fault, 1);
      return void response.writeHead(status, headers).end();
    }
    if (request.headers.authorization !== `token ${stand.secret}`) return void response.writeHead(401).end();
    const answer = answerTo(stand, path);
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200).end(answer);
  });
  const stand: Byogit = {
    address,
    url: `${address}/api`,
    rawUrl: `${address}/raw`,
    secret,
    branches: new Map([['main', new Map([['styles/styles.css', 'body {}\n']])]]),
    faults: [],
    truncated: false,
    requests: [],
    stop,
  };
  return stand;
}

function answerTo({ branches, truncated }: Byogit, path: string): string | undefined {
  const [, branch] = /^\/api\/repos\/100\/200\/branches\/(.+)$/.exec(path) ?? [];
  if (branch !== undefined) {
    const files = branches.get(branch);
    return files === undefined ? undefined : JSON.stringify({ name: branch, commit: { sha: commitOf(files) } });
  }
  const [, sha] = /^\/api\/repos\/100\/200\/git\/trees\/(\w+)$/.exec(path) ?? [];
  if (sha !== undefined) {
    const files = [...branches.values()].find((one) => commitOf(one) === sha);
    const tree = [...(files ?? [])].map(([name, text]) => ({
      path: name,
      mode: '100644',
      type: 'blob',
      sha: blobName(text),
      size: text.length,
    }));
    return files === undefined ? undefined : JSON.stringify({ sha, truncated, tree });
  }
  const [, ref = '', file = ''] = /^\/raw\/100\/200\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return branches.get(ref)?.get(file);
}

function commitOf(files: ReadonlyMap<string, string>): string {
  return createHash('sha1')
    .update(JSON.stringify([...files]))
    .digest('hex');
}

function blobName(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

export interface TestBuildManagement {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** The settings without which build management does not start. */
export const BUILD_MANAGEMENT_NEEDS = { BUILD_MANAGEMENT_KEY: 'the-key-of-build-management' };

/** Starts build management without a service to query. Every answer is checked against its OpenAPI document. */
export async function startTestBuildManagement({
  settings = {},
  logged,
}: {
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with each line of the log. */
  logged?(line: string): void;
} = {}): Promise<TestBuildManagement> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-build-'));
  const read = readBuildManagementSettings({
    PORT: '0',
    DATA_DIR: folder,
    SHUTDOWN_GRACE: '1',
    OVERLOAD_DELAY: '0',
    ...BUILD_MANAGEMENT_NEEDS,
    ...settings,
  });
  const { address, stop } = await startBuildManagement(read, { log: createLog('info', { write: (line) => logged?.(line) }) });
  const port = Number(new URL(address).port || settings['PORT']);
  const answers = checkAnswers('build-management', port, () => true);
  return {
    address,
    port,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
      answers.stop();
    },
  };
}
