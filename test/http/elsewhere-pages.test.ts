import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '@repoless/contract/site.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startReceiver, TRICKS } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const PREFIX = '/bin/franklin.delivery/wknd/market/main/';
let backend: TestBackend;
let address: string;

const author = startBeforeAll(() =>
  startReceiver((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<main>page</main>')),
);
beforeAll(async () => {
  address = `http://author.localhost:${author.port}`;
  const settings = { AUTHOR_HOSTS: `author.localhost:${author.port}`, CONTENT_TOKEN: 'token-of-the-technical-account' };
  backend = await startTestBackend({ dryRun: false, settings });
  const content = { source: { url: `${address}${PREFIX.slice(0, -1)}`, type: 'markup', suffix: '.html' } };
  const body = siteBody('wknd', 'market', { content, public: { paths: { mappings: ['/content/market/:/'] } } });
  const { status, text } = await backend.call('PUT', '/config/wknd/sites/market.json', { as: OPERATOR, body });
  expect(status, text).toBe(201);
});
afterAll(async () => {
  await backend.stop();
});
beforeEach(() => author.forget());

const visit = (path: string) => backend.visit('live', 'main--market--wknd', path);

/** As it could have been stored before it was checked. */
async function storeUnchecked(change: (config: Site) => Partial<Site>): Promise<void> {
  await backend.store.write(async (writes) => {
    const stored = await writes.site('wknd', 'market');
    if (stored === undefined) throw new Error('The site is there.');
    const { aggregate: _, ...kept } = stored;
    await writes.putSite({
      ...kept,
      config: { ...stored.config, ...change(stored.config) },
      holdsSecret: false,
      version: stored.version + 1,
    });
  });
}
const markup = (url: string, suffix = '.html') => ({ content: { contentBusId: '', source: { url, type: 'markup' as const, suffix } } });
const mapped = (mapping: string) => ({ public: { paths: { mappings: [mapping] } } });
const asItWas = { ...mapped('/content/market/:/'), folders: {} };

it('the account of the service reads a page of the site', async () => {
  expect((await visit('/about')).status).toBe(200);
  expect(author.asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [`${PREFIX}content/market/about.html`, 'Bearer token-of-the-technical-account'],
  ]);
});

describe.each(TRICKS)('with %s, the account of the service reads nothing else', (trick) => {
  it('for a visitor', async () => {
    for (const path of [
      `/${trick}/${trick}/${trick}/${trick}/home/users`,
      `/a/${trick}`,
      `/a${trick}`,
      `/${trick}a.plain.html`,
      `/a/${trick}/b.json`,
    ])
      await visit(path);
    expect(author.elsewhere(PREFIX)).toEqual([]);
  });

  it('where a content address is written', async () => {
    for (const path of [`/bin/franklin.delivery/wknd/market/main/${trick}/${trick}`, `/${trick}/bin/franklin.delivery/wknd/market/main`]) {
      const body = { source: { url: `${address}${path}`, type: 'markup', suffix: '.html' } };
      const answer = await backend.call('POST', '/config/wknd/sites/market/content.json', { as: OPERATOR, body });
      expect([answer.status, answer.headers['x-error-code']], `${path}: ${answer.text}`).toEqual([400, 'BODY_INVALID']);
    }
  });

  it('where a content address, a suffix, a mapping or a folder was stored before', async () => {
    const stored: (() => Partial<Site>)[] = [
      () => markup(`${address}${PREFIX}${trick}/${trick}/${trick}`),
      () => markup(`${address}/bin/franklin.delivery/wknd/${trick}/wknd/market/main`),
      () => markup(`${address}${PREFIX.slice(0, -1)}`, `/${trick}/${trick}`),
      () => ({ ...markup(`${address}${PREFIX.slice(0, -1)}`), ...mapped(`/${trick}/${trick}/${trick}/:/`) }),
      () => ({ ...mapped(`/content/market${trick}:/about`) }),
      () => ({ ...asItWas, folders: { '/about': `/${trick}/${trick}/${trick}/${trick}` } }),
    ];
    for (const change of stored) {
      await storeUnchecked(change);
      for (const path of ['/', '/about', '/about/more']) await visit(path);
    }
    await storeUnchecked(() => ({ ...asItWas, ...markup(`${address}${PREFIX.slice(0, -1)}`) }));
    expect(author.elsewhere(PREFIX)).toEqual([]);
  });
});

it.each([
  ['another site', '/bin/franklin.delivery/wknd/other/main'],
  ['another organization', '/bin/franklin.delivery/other/market/main'],
  ['what is no delivery', '/home/users'],
  ['everything', ''],
])('the account of the service does not read %s, wherever it was stored', async (_, path) => {
  await storeUnchecked(() => markup(`${address}${path}`));
  const answer = await visit('/about');
  expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'CONTENT_UNREACHABLE']);
  expect(answer.headers['x-error']).toContain('is not the delivery address of this site');
  await storeUnchecked(() => markup(`${address}${PREFIX.slice(0, -1)}`));
  expect(author.asked).toEqual([]);
});

it.each(['franklin%2edelivery', 'franklin%252edelivery', 'franklin%EF%BC%8Edelivery'])(
  '%s is no way around the check of the site',
  async (name) => {
    const url = `${address}/bin/${name}/wknd/other/main`;
    const body = siteBody('wknd', 'market', { content: { source: { url, type: 'markup', suffix: '.html' } } });
    const answer = await backend.call('PUT', '/config/wknd/sites/market.json', { as: OPERATOR, body });
    expect([answer.status, answer.headers['x-error']]).toEqual([
      400,
      'The request body is not valid at /content/source/url: Write the path of the address plainly: without "..", ";" and escapes such as "%2e", "%2f" or "%25".',
    ]);
  },
);

it.each(['%3F', '%23', '%3B', '%25', '%5C'])('a visitor learns that no page has the character %s', async (escaped) => {
  const answer = await visit(`/a${escaped}b`);
  expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'NAME_INVALID']);
  expect(answer.headers['x-error']).toMatch(escaped === '%5C' ? /backslash/ : new RegExp(`"${escaped}"`));
});
