import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedSite } from './command.ts';
import { copiedPages } from '../setup/second-environment.ts';
import { ADA, startSetupWorld } from '../setup/setup-world.ts';
import { buildCommandLine, sendSignal, temporaryDirectory } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { listen } from '../support/listen.ts';

const PROGRAM = new URL('../../command-line/dist/main.js', import.meta.url).pathname;

let service: Awaited<ReturnType<typeof startReportingProxy>>;
const world = startBeforeAll(() => startSetupWorld({ sites: true }), 120_000);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(buildCommandLine, 120_000);
beforeEach(async () => {
  service = await startReportingProxy(world.backend.address);
});
afterEach(() => service.stop());

/** A proxy that reports each stored write of a site before it passes the answer on. */
async function startReportingProxy(real: string) {
  let stored: (path: string) => void = () => undefined;
  const forward = (incoming: IncomingMessage, answered: ServerResponse) => {
    const { host: _host, ...headers } = incoming.headers;
    const { method = '', url = '/' } = incoming;
    const passed = request(new URL(url, real), { method, headers }, (answer) => {
      if (method === 'PUT' && !url.includes('dryRun')) stored(url);
      answered.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(answered);
    });
    incoming.pipe(passed);
  };
  const server = createServer(forward);
  const listening = await listen(server);
  return {
    ...listening,
    onStored: (listener: (path: string) => void) => void (stored = listener),
  };
}

async function environment() {
  return {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: folder.path,
    REPOLESS_SERVICE: service.address,
    REPOLESS_TOKEN: await world.backend.token(ADA),
    REPOLESS_AUTHORING_TOKEN: await world.author.issuer.token(ADA, { expires: '1h' }),
  };
}

async function start(args: readonly string[]) {
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: folder.path, env: await environment(), stdio: ['ignore', 'pipe', 'pipe'] });
}

const stored = (site: string) => storedSite(site, world.backend);

/** Starts to move a site; `onStored` is called after each stored write with the number so far. */
async function startMove(onStored: (writes: number, child: ChildProcessByStdio<null, Readable, Readable>) => void) {
  const configuration = { conf: '/conf/harbour', owner: 'wknd', repo: 'harbour', projectType: 'plain' as const };
  world.author.plant(copiedPages('/content/harbour', { title: 'Copied harbour', configuration }));
  const [from, to] = [world.authorAddress(), world.authorAddress('p100-e300')];
  const child = await start(['move', '--organization', 'wknd', '--from', from, '--to', to, 'harbour', '--apply']);
  let writes = 0;
  service.onStored(() => onStored(++writes, child));
  return { child, writes: () => writes };
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test('during a move moves the site back, and is reported', async () => {
    const before = await stored('harbour');
    const { child, writes } = await startMove((count, { pid = 0 }) => {
      if (count === 1) sendSignal(pid, signal);
    });
    const [status, out] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    expect({ status, out }).toEqual({ status: [1, null], out: expect.stringContaining('0 failed, 1 stopped and moved back.') });
    expect(await stored('harbour')).toEqual(before);
    expect(writes()).toBe(2);
  });
});

test('A terminal closed during a move does not prevent moving the site back', async () => {
  const before = await stored('harbour');
  const { child, writes } = await startMove((_count, { pid = 0, stdout, stderr }) => {
    stdout.destroy();
    stderr.destroy();
    sendSignal(pid, 'SIGHUP');
  });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await stored('harbour')).toEqual(before);
  expect(writes()).toBe(2);
});

test('An export for which the disk has no space leaves the previous file as it was', async () => {
  const file = join(folder.path, 'all.yaml');
  await writeFile(file, 'previous\n');
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, PROGRAM, 'export', '--organization', 'wknd', '-o', file];
  const child = spawn('sh', limited, { env: await environment(), stdio: 'ignore' });
  expect(await once(child, 'exit')).not.toEqual([0, null]);
  expect(await readFile(file, 'utf8')).toBe('previous\n');
});
