import { contentAt, startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';

// Results for an unchanged site are computed once, however large its configuration.

const LARGE = 100_000;
const READS = {
  'the configuration': '/config/wknd/sites/open.json',
  'a part of it': '/config/wknd/sites/open/public.json',
  'the aggregate': '/config/wknd/aggregated/open.json',
  'a part of the aggregate': '/config/wknd/aggregated/open/public.json',
  'a part that is absent': '/config/wknd/aggregated/open/folders.json',
  'its code syncs': '/job/wknd/open/main/code',
} as const;

const author = startBeforeAll(() => startReceiver((_, response) => void response.end('<main>Page</main>')));
const backend = startBeforeAll(() => startTestBackend({ settings: { AUTHOR_HOSTS: author.host } }));
beforeAll(async () => {
  const mappings = Array.from({ length: 2000 }, (_, index) => `/content/open/page-${index}/${'z'.repeat(50)}:/page-${index}`);
  const { paths } = publicPart('open') as { paths: { mappings: string[] } };
  const body = siteBody('wknd', 'open', {
    content: contentAt(author, 'open'),
    public: { paths: { ...paths, mappings: [...paths.mappings, ...mappings] } },
    access: { admin: { requireAuth: false, role: { admin: ['ada@example.com'] } } },
    folders: { '/products/': '/products/default' },
  });
  const { status, text } = await backend.call('PUT', '/config/wknd/sites/open.json', { as: OPERATOR, body });
  expect(status, text).toBe(201);
});
afterEach(() => vi.restoreAllMocks());
/** Counts how often a large document is parsed or serialized, until the end of the test; not answers (with line breaks), which the test parses. */
function workOnDocuments(): () => { readonly read: number; readonly written: number } {
  const [parse, stringify] = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')];
  const isStored = (text: unknown) => typeof text === 'string' && text.length > LARGE && !text.includes('\n');
  const isLarge = (result: { readonly value: unknown }) => typeof result.value === 'string' && result.value.length > LARGE;
  return () => ({
    read: parse.mock.calls.filter(([text]) => isStored(text)).length,
    written: stringify.mock.results.filter(isLarge).length,
  });
}

it.each(['/openapi.json', '/openapi-aliases.json', '/openapi-dry-run.json'])('%s is serialized once for all requests', async (path) => {
  const before = await backend.call('GET', path);
  const work = workOnDocuments();
  const after = await backend.call('GET', path);
  expect([after.status, after.text === before.text, after.text.length > LARGE]).toEqual([200, true, true]);
  expect(work().written).toBe(0);
});

describe('for an unchanged site', () => {
  it('hosts do not parse the configuration again for a page', async () => {
    const visit = async (path: string) => (await backend.visit('live', 'main--open--wknd', path)).status;
    expect(await visit('/page-1')).toBe(200);
    const work = workOnDocuments();
    expect([await visit('/page-1'), await visit('/page-2'), await visit('/products/none')]).toEqual([200, 200, 200]);
    expect(work()).toEqual({ read: 0, written: 0 });
  });

  it.each(Object.entries(READS))('%s is prepared once for all anonymous callers', async (_, path) => {
    const before = await backend.call('GET', path);
    const work = workOnDocuments();
    const after = await backend.call('GET', path);
    expect([after.status, after.text, after.headers['etag']]).toEqual([before.status, before.text, before.headers['etag']]);
    expect(work()).toEqual({ read: 0, written: 0 });
  });

  it.each(['/config/wknd/sites/open.json', '/config/wknd/aggregated/open.json'])(
    '%s is read from the storage once per call',
    async (path) => {
      const { reads } = backend.store;
      const [site, both] = [vi.spyOn(reads, 'site'), vi.spyOn(reads, 'orgAndSite')];
      for (const as of [undefined, 'ada@example.com']) {
        expect((await backend.call('GET', path, as === undefined ? {} : { as })).status).toBe(200);
        expect([as, site.mock.calls.length + both.mock.calls.length]).toEqual([as, 1]);
        vi.clearAllMocks();
      }
    },
  );
});

describe('a reader of an open site', () => {
  it.each(Object.values(READS).slice(0, 5))('only sees what they may see of %s, whoever read it before', async (path) => {
    const seen = new Map<string, object>();
    for (const who of ['anonymous', OPERATOR, 'anonymous', OPERATOR, 'anonymous']) {
      const { status, text, headers } = await backend.call('GET', path, who === 'anonymous' ? {} : { as: who });
      const now = { status, text: status === 404 ? '' : text, etag: headers['etag'] };
      expect(now).toEqual(seen.get(who) ?? now);
      expect(text.includes('ada@example.com')).toBe(who === OPERATOR && path.endsWith('open.json'));
      seen.set(who, now);
    }
  });

  it('sees a change at the next read', async () => {
    const titleSeen = async (as?: string) => {
      const answer = await backend.call('GET', '/config/wknd/aggregated/open.json', as === undefined ? {} : { as });
      return (answer.json() as { title?: string }).title;
    };
    for (const title of ['First', 'Second']) {
      expect((await backend.call('PUT', '/config/wknd/sites/open.json', { as: OPERATOR, body: { title } })).status).toBe(200);
      expect([await titleSeen(), await titleSeen(OPERATOR)]).toEqual([title, title]);
    }
  });
});
