import { createServer, request } from 'node:http';
import type { ClientRequest, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startCodeHost } from '#sandbox/code-host/start-code-host.ts';
import type { Running } from '#sandbox/running.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { untilStopped } from '../support/job-stream.ts';
import { startWorkerBackend } from '../support/worker-backend.ts';
import type { WorkerBackend } from '../support/worker-backend.ts';

const SERVICE = 'service.example.com';
const FILE = '/scripts/scripts.js';
const LIMIT = 4 * 1024 * 1024;

let backend: WorkerBackend;
let codeHost: Running;
let author: Server;
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  folder = await temporaryDirectory();
  codeHost = await startCodeHost({ port: 0, dataDir: folder.path });
  author = createServer((asked, answer) =>
    answer.writeHead(asked.url?.endsWith('/index.html') === true ? 200 : 404, { 'content-type': 'text/html' }).end('<main>Start</main>'),
  );
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  backend = await startWorkerBackend({
    CODE_HOST: codeHost.address,
    CODE_HOST_RAW: `${codeHost.address}/raw`,
    AUTHOR_HOSTS: `author.localhost:${port}`,
    BODY_LIMIT: String(LIMIT),
    TRUST_PROXY: '127.0.0.2',
    METRICS_PORT: '0',
  });
  for (const site of ['open', 'shut']) {
    const source = { url: `http://author.localhost:${port}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' };
    const body = siteBody('wknd', site, { code: { owner: 'wknd', repo: 'wknd' }, content: { source }, public: publicPart(site) });
    const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { body });
    expect([status, text]).toEqual([201, expect.anything()]);
  }
});
afterAll(async () => {
  await backend.stop();
  await codeHost.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
  await folder.remove();
});

interface Line {
  readonly process?: string;
  readonly path?: string;
  readonly address?: string;
  readonly status?: number;
  readonly code?: string;
}

/** The first line of the log of a request to this path, once it is there. */
async function logged(path: string): Promise<Line> {
  const find = () => linesOf(backend.output()).find((line) => line.path === path);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

function linesOf(output: string): Line[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [Object(JSON.parse(line)) as Line] : []));
}

/** A request whose body is not sent to its end. */
function begin(path: string, headers: Record<string, string>): ClientRequest {
  const all = { host: SERVICE, 'x-auth-token': backend.token, ...headers };
  const outgoing = request({ hostname: '127.0.0.1', port: backend.port, path, method: 'POST', agent: false, headers: all });
  outgoing.on('error', () => undefined);
  return outgoing;
}

describe('What is for the service itself', () => {
  it('is passed on to it with the address of who asks, whatever they say of that', async () => {
    const headers = { 'x-repoless-client-address': '192.0.2.1', 'x-forwarded-for': '192.0.2.2' };
    expect((await backend.call('GET', '/addressed', { headers })).status).toBe(404);
    expect(await logged('/addressed')).toMatchObject({ process: 'service', address: '127.0.0.1', status: 404 });
  });

  it('comes from who a trusted proxy says', async () => {
    const outgoing = request({
      hostname: '127.0.0.1',
      localAddress: '127.0.0.2',
      port: backend.port,
      path: '/proxied',
      agent: false,
      headers: { host: SERVICE, 'x-forwarded-for': '192.0.2.2' },
    });
    outgoing.end();
    await new Promise((resolve) => outgoing.once('response', (incoming) => incoming.resume().once('end', resolve)));
    expect(await logged('/proxied')).toMatchObject({ address: '192.0.2.2' });
  });

  it('gets its body whole, of a length that is announced or not, up to the limit', async () => {
    const path = '/config/wknd/sites/open.json?dryRun=true';
    const body = { sidekick: { project: 'x'.repeat(100) } };
    for (const chunked of [false, true]) {
      const answer = await backend.call('PUT', path, {
        body: `${JSON.stringify(body)}${' '.repeat(LIMIT - 200)}`,
        headers: JSON_TYPE,
        chunked,
      });
      expect([answer.status, answer.headers['x-error']]).toEqual([200, undefined]);
    }
  });

  it.each([false, true])('refuses a body that is too large as before (in pieces: %s)', async (chunked) => {
    const body = `"${'x'.repeat(LIMIT)}"`;
    const answer = await backend.call('PUT', '/config/wknd/sites/open.json', { body, headers: JSON_TYPE, chunked });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('is told where its sender leaves in the middle of a body', async () => {
    const isTold = async () => {
      const outgoing = begin('/config/wknd/sites/left.json', { ...JSON_TYPE, 'content-length': '1000' });
      outgoing.write('{"version"');
      // By then it has most likely got the other one too; else it is tried again.
      await ask(backend.address, '/live', { host: SERVICE });
      outgoing.destroy();
      return linesOf(backend.output()).some(({ path }) => path === '/config/wknd/sites/left.json');
    };
    await expect.poll(isTold).toBe(true);
  });

  it('answers events as they happen, and is told where nobody listens any more', async () => {
    const path = '/job/wknd/shut/main/code';
    const outgoing = request({
      hostname: '127.0.0.1',
      port: backend.port,
      path,
      agent: false,
      headers: { host: SERVICE, 'x-auth-token': backend.token, accept: 'text/event-stream' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const incoming = await new Promise<NodeJS.ReadableStream & { statusCode?: number }>((resolve) => outgoing.once('response', resolve));
    expect(incoming.statusCode).toBe(200);
    await new Promise((resolve) => incoming.once('data', resolve));
    expect(linesOf(backend.output()).filter((line) => line.path === path)).toEqual([]);
    outgoing.destroy();
    expect(await logged(path)).toMatchObject({ process: 'service' });
  });

  it('is refused at the port where it can be understood in two ways', async () => {
    const socket = connect(backend.port, '127.0.0.1');
    socket.end(`GET /twice HTTP/1.1\r\nhost: ${SERVICE}\r\nhost: other.example.com\r\n\r\n`);
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 400 [^]*x-error-code: REQUEST_MALFORMED/);
    const line = await logged('/twice');
    expect(line).toMatchObject({ address: '127.0.0.1', code: 'REQUEST_MALFORMED' });
    expect(line.process).toMatch(/^delivery-\d$/);
  });
});

describe('Preview and live hosts', () => {
  it('answer code and pages as they are now', async () => {
    const before = await backend.visit('open', FILE);
    expect([before.status, before.headers['x-error']]).toEqual([404, expect.stringMatching(/sync/i)]);
    expect((await backend.call('POST', '/code/wknd/open/main/*')).status).toBe(202);
    const address = `http://${SERVICE}:${backend.port}`;
    await untilStopped(address, '/job/wknd/open/main/code', { host: SERVICE, 'x-auth-token': backend.token });
    expect((await backend.visit('open', FILE)).headers['content-type']).toMatch(/javascript/);
    expect((await backend.visit('open', '/')).text).toContain('Start');
  });

  it('let nobody in with a key from the moment that it was revoked, nor with a sign-in from the moment that it ended', async () => {
    const made = await backend.call('POST', '/config/wknd/sites/shut/apiKeys.json', { body: { roles: ['author'] } });
    const { id, value } = Made.parse(made.json());
    const access = { site: { allow: [OPERATOR], apiKeyId: [id] } };
    expect((await backend.call('POST', '/config/wknd/sites/shut/access.json', { body: access })).status).toBe(200);
    const statuses = (token: string) =>
      Promise.all(
        Array.from({ length: 8 }, async () => (await backend.visit('shut', '/', { headers: { authorization: `token ${token}` } })).status),
      );
    const all = (status: number) => Array.from({ length: 8 }, () => status);
    expect([await statuses(value), await statuses(backend.token)]).toEqual([all(200), all(200)]);
    expect((await backend.call('DELETE', `/config/wknd/sites/shut/apiKeys/${id}.json`)).status).toBe(204);
    expect(await statuses(value)).toEqual(all(401));
    expect((await backend.call('DELETE', `/auth/sessions/${OPERATOR}`)).status).toBe(204);
    expect(await statuses(backend.token)).toEqual(all(401));
  });
});

it('shows the figures of all processes at one address, each with the name of its process', async () => {
  const text = await figures();
  for (const process of ['service', 'delivery-1', 'delivery-2']) {
    expect(text).toMatch(new RegExp(`^process_resident_memory_bytes\\{process="${process}"\\} \\d+`, 'm'));
    expect(text).toMatch(new RegExp(`^repoless_changes_heard\\{process="${process}"\\} 1$`, 'm'));
  }
  expect(text).toMatch(/^repoless_delivery_processes\{process="service"\} 2$/m);
  expect(text.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1);
});

async function figures(): Promise<string> {
  const [, address = ''] = /Metrics are at (http[^"]+)/.exec(backend.output()) ?? [];
  const { text } = await ask(address, '/metrics', { host: 'metrics.example.com' });
  return text;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const Made = z.object({ id: z.string(), value: z.string() });
