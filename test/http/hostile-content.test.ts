import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { threadTime } from '../support/turns.mjs';

let backend: TestBackend;
let author: Server;
let address: string;

const PAGES: Readonly<Record<string, () => string>> = {
  '/index.html': () => '<main>Start</main>',
  'aaa.html': () => '<main>A long path</main>',
  '/unclosed.html': () => '<main'.repeat(1_900_000),
  '/spaces.html': () => '<main '.repeat(1_600_000),
  '/entities.html': () => `<main>${'&'.repeat(9_000_000)}`,
};

beforeAll(async () => {
  author = createServer((request, response) => {
    const page = Object.entries(PAGES).find(([path]) => request.url?.endsWith(path))?.[1];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page());
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  address = `http://author.localhost:${port}`;
  backend = await startTestBackend({ dryRun: false, orgs: ['wknd', 'other'], settings: { AUTHOR_HOSTS: `author.localhost:${port}` } });
  const bystander = siteBody('other', 'bystander', { public: { title: 'fine' } });
  await backend.call('PUT', '/config/other/sites/bystander.json', { as: OPERATOR, body: bystander });
});
afterAll(async () => {
  await backend.stop();
  author.closeAllConnections();
  await new Promise((resolve) => author.close(resolve));
});

async function register(site: string, url: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const body = siteBody('wknd', site, { content: { source: { url, type: 'markup', suffix: '.html' } }, ...more });
  const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
  expect([status, text.slice(0, 200)]).toEqual([201, expect.any(String)]);
}
async function registerOnce(site: string, url: string): Promise<void> {
  if ((await backend.store.reads.site('wknd', site)) === undefined) await register(site, url);
}
const visit = (site: string, path: string) => backend.visit('preview', `main--${site}--wknd`, path);

const ODD = ['/日本', '/caf\u00e9', '/a b', '/\r\nx-injected: yes', '/\ud83d\ude80'];

it.each(ODD)('a content address that ends in %j is refused', async (ending) => {
  const body = siteBody('wknd', 'odd', { content: { source: { url: `${address}${ending}`, type: 'markup', suffix: '.html' } } });
  const answer = await backend.call('PUT', '/config/wknd/sites/odd.json', { as: OPERATOR, body });
  expect([answer.status, answer.headers['x-error']]).toEqual([400, expect.stringContaining('percent-encoded')]);
});

it.each(ODD)('a page behind a content address that was stored with %j is answered, and nobody else is disturbed', async (ending) => {
  const site = `odd-${Buffer.from(ending).toString('hex').slice(0, 20)}`;
  await register(site, address);
  await backend.store.write(async (writes) => {
    const stored = await writes.site('wknd', site);
    if (stored === undefined) throw new Error('The site is there.');
    const { aggregate: _, config, ...kept } = stored;
    const content = { contentBusId: '', source: { url: `${address}${ending}`, type: 'markup' as const, suffix: '.html' } };
    await writes.putSite({ ...kept, config: { ...config, content }, holdsSecret: false, version: stored.version + 1 });
  });
  const answer = await visit(site, '/');
  if (/[\r\n]/.test(ending)) expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'CONTENT_UNREACHABLE']);
  else {
    expect(answer.status).toBe(200);
    expect(answer.headers['x-content-source']).toMatch(/^[\x20-\x7e]+\/index\.html$/);
  }
  expect(answer.headers['x-injected']).toBeUndefined();
  const bystander = await backend.visit('live', 'main--bystander--other', '/config.json');
  expect(bystander.json()).toEqual({ public: { title: 'fine' } });
});

it.each(['/unclosed', '/spaces', '/entities'])('the fragment of the page %s is read in turns', async (path) => {
  await registerOnce('fragments', address);
  const standstill = await longestStandstill(async () => {
    expect((await visit('fragments', `${path}.plain.html`)).status).toBe(200);
  });
  expect(standstill).toBeLessThan(200);
});

const { headerPatterns, headerPatternLength, headerPatternStars, pagePath } = LIMITS;
/** Each begins to fit at every place of the path, and ends with what the path has not. */
const WORST = ['*', '**'].map((stars) => `/${`${stars}a`.repeat(headerPatternStars - 1)}`.padEnd(headerPatternLength - 4, 'a'));

it.each(WORST)(
  'as many header patterns as are allowed, on the longest path, cost no time; one more of each is refused: %s',
  async (worst) => {
    const patterns = Array.from({ length: headerPatterns }, (_, index) => `${worst}${String(index).padStart(3, '0')}`);
    const headers = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, [{ key: 'x-odd', value: '1' }]]));
    await registerOnce('patterns', address);
    const set = await backend.call('POST', '/config/wknd/sites/patterns/headers.json', { as: OPERATOR, body: headers(patterns) });
    expect(set.status).toBe(200);
    const standstill = await longestStandstill(async () => {
      expect((await visit('patterns', `/${'a'.repeat(pagePath - 1)}`)).status).toBe(200);
      expect((await visit('patterns', `/${'a'.repeat(pagePath)}`)).status).toBe(414);
    });
    expect(standstill).toBeLessThan(200);
    for (const over of [[...patterns, '/more'], ['/x'.padEnd(headerPatternLength + 1, 'x')], [`/${'*a'.repeat(headerPatternStars + 1)}`]]) {
      const answer = await backend.call('POST', '/config/wknd/sites/patterns/headers.json', { as: OPERATOR, body: headers(over) });
      expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    }
  },
);

it('eight writers of the largest bodies are worked on in turn: others wait no longer than for one of them', async () => {
  const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  await Promise.all(Array.from({ length: 8 }, (_, index) => register(`wide-${index}`, `${address}/${index}`)));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(values(LIMITS.bodyValues - 1));
  const write = async (index: number) => {
    const answer = await backend.call('POST', `/config/wknd/sites/wide-${index}/public.json`, { as: OPERATOR, body, headers });
    expect(answer.status).toBe(200);
  };
  await write(0);
  // Processor time of one writer alone, in the same run: what a machine that is slower takes longer for.
  const before = threadTime();
  for (let index = 0; index < 4; index += 1) await write(index);
  const alone = (threadTime() - before) / 4;
  const standstill = await longestStandstill(async () => {
    const writing = Array.from({ length: 8 }, (_, index) => write(index));
    const bystander = await backend.visit('live', 'main--bystander--other', '/config.json');
    expect(bystander.status).toBe(200);
    await Promise.all(writing);
  });
  expect(standstill).toBeLessThan(Math.max(200, 2 * alone));
  const over = await backend.call('POST', '/config/wknd/sites/wide-0/public.json', { as: OPERATOR, body: values(LIMITS.bodyValues) });
  expect([over.status, over.headers['x-error']]).toEqual([400, 'The request body has more than 6000 values.']);
});
