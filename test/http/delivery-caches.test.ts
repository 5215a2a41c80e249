import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATOR, publicPart } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import type { CodeWorld } from '../support/code-world.ts';

const CODE = '/scripts/scripts.js';
const PAGE = '/';
const YAML = '/helix-query.yaml';
const SITE = '/config/wknd/sites/cached';
const BRAND = header('x-brand', 'one');
const FRAMES = header('x-frame-options', 'SAMEORIGIN');

let author: Server;
let world: CodeWorld;
let media = 'text/html; charset=utf-8';

beforeAll(async () => {
  author = createServer((request, response) => {
    const isThere = request.url?.endsWith('/index.html') === true;
    response.writeHead(isThere ? 200 : 404, { 'content-type': media }).end('<main>Start</main>');
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  world = await startCodeWorld({ settings: { AUTHOR_HOSTS: `author.localhost:${port()}` } });
  await world.register('cached', { content: contentOf('cached'), public: publicPart('cached') });
  await world.sync('cached');
  await call('POST', `${SITE}/content/query.yaml`, 'indices: {}\n', { 'content-type': 'text/yaml' });
});
beforeEach(async () => {
  await call('POST', `${SITE}/headers.json`, { '/**': [BRAND, FRAMES] });
});
afterAll(async () => {
  await world.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

function port(): number {
  return (author.address() as AddressInfo).port;
}

function contentOf(site: string): object {
  const url = `http://author.localhost:${port()}/bin/franklin.delivery/wknd/${site}/main`;
  return { source: { url, type: 'markup', suffix: '.html' } };
}

function header(key: string, value: string): { key: string; value: string } {
  return { key, value };
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await world.backend.call(method, path, { as: OPERATOR, headers, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.text.startsWith('{') ? answer.json() : undefined;
}

const visit = (path: string, headers: Record<string, string> = {}) => world.backend.visit('live', 'main--cached--wknd', path, { headers });

type Kept = Awaited<ReturnType<typeof visit>>;

/** As a cache does that has an answer and asks whether it still holds (RFC 9111, 3.2 and 4.3.4). */
async function revalidated(path: string, kept: Kept, headers: Record<string, string> = {}): Promise<Kept> {
  const answer = await visit(path, { ...headers, 'if-none-match': kept.headers['etag'] ?? '' });
  if (answer.status !== 304) return answer;
  return { ...kept, headers: { ...kept.headers, ...answer.headers } };
}

/** What a visitor sees of an answer, whichever way it came. */
function seen({ status, text, headers }: Kept): object {
  const { date: _, 'x-request-id': __, ...rest } = headers;
  return { status, text, headers: rest };
}

const AFTER: Readonly<Record<string, object | undefined>> = {
  'a header has another value': { '/**': [header('x-brand', 'two'), FRAMES] },
  'a header more is sent': { '/**': [BRAND, FRAMES, header('x-more', '1')] },
  'a header is sent no longer': { '/**': [BRAND] },
  'a path has headers no longer': { '/elsewhere/**': [BRAND, FRAMES] },
  'no headers are left': undefined,
};

describe.each([
  ['a page', PAGE],
  ['a file of the code', CODE],
  ['a file of the configuration', YAML],
])('What a cache has of %s', (_, path) => {
  it.each(Object.entries(AFTER))('is what a new visitor gets where %s', async (__, headers) => {
    const kept = await visit(path);
    expect([kept.status, kept.headers['x-brand'], kept.headers['x-frame-options']]).toEqual([200, 'one', 'SAMEORIGIN']);
    if (headers === undefined) await call('DELETE', `${SITE}/headers.json`);
    else await call('POST', `${SITE}/headers.json`, headers);
    expect(seen(await revalidated(path, kept))).toEqual(seen(await visit(path)));
  });

  it('holds where other paths have other headers', async () => {
    const kept = await visit(path);
    await call('POST', `${SITE}/headers.json`, { '/**': [BRAND, FRAMES], '/elsewhere/**': [header('x-more', '1')] });
    expect((await visit(path, { 'if-none-match': kept.headers['etag'] ?? '' })).status).toBe(304);
  });

  it('says no longer how long others may keep it where the host is guarded now', async () => {
    await call('POST', `${SITE}/headers.json`, { '/**': [header('surrogate-control', 'max-age=900')] });
    const kept = await visit(path);
    const { id, value } = z.object({ id: z.string(), value: z.string() }).parse(await call('POST', `${SITE}/secrets.json`));
    await call('POST', `${SITE}/access.json`, { live: { secretId: [id] } });
    const after = await revalidated(path, kept, { 'x-auth-token': value });
    expect([after.status, after.headers['surrogate-control']]).toEqual([200, undefined]);
    expect(seen(after)).toEqual(seen(await visit(path, { 'x-auth-token': value })));
    await call('POST', `${SITE}/access.json`, {});
    expect(seen(await revalidated(path, after))).toEqual(seen(await visit(path)));
  });
});

describe('A cache', () => {
  it('gets the rest of a file only where its headers are the same', async () => {
    const kept = await visit(CODE);
    const rest = { range: 'bytes=2-5', 'if-range': kept.headers['etag'] ?? '' };
    expect((await visit(CODE, rest)).status).toBe(206);
    await call('POST', `${SITE}/headers.json`, { '/**': [BRAND] });
    expect((await visit(CODE, rest)).status).toBe(200);
  });

  it('asks for a part by GET alone, and is told first that it has the file (RFC 9110, 13.2.2 and 14.2)', async () => {
    const whole = await visit(CODE);
    const size = String(whole.text.length);
    for (const range of ['bytes=2-5', 'bytes=9999999-']) {
      const head = await world.backend.visit('live', 'main--cached--wknd', CODE, { method: 'HEAD', headers: { range } });
      expect([range, head.status, head.headers['content-length'], head.headers['content-range'], head.text]).toEqual([
        range,
        200,
        size,
        undefined,
        '',
      ]);
      const had = { range, 'if-none-match': whole.headers['etag'] ?? '' };
      expect([range, (await visit(CODE, had)).status, (await visit(CODE, { ...had, 'if-none-match': '*' })).status]).toEqual([
        range,
        304,
        304,
      ]);
    }
    expect((await visit(CODE, { range: 'bytes=9999999-', 'if-none-match': '"other"' })).status).toBe(416);
    expect((await visit(CODE, { range: 'bytes=2-5', 'if-none-match': '"other"' })).status).toBe(206);
  });

  it('learns where a page comes from now, and what it is taken for', async () => {
    const kept = await visit(PAGE);
    await call('POST', `${SITE}/public.json`, { paths: { mappings: ['/content/moved/:/'], includes: ['/content/moved/'] } });
    expect(seen(await revalidated(PAGE, kept))).toEqual(seen(await visit(PAGE)));
    media = 'text/html; charset=iso-8859-1';
    const after = await revalidated(PAGE, kept);
    expect(after.headers['content-type']).toBe(media);
    expect(seen(after)).toEqual(seen(await visit(PAGE)));
  });
});
