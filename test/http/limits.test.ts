import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const backend = startBeforeAll(() => startTestBackend({ dryRun: false, settings: { BODY_LIMIT: '4000000' } }));
beforeAll(async () => {
  await put({});
});

const put = (more: object) =>
  backend.call('PUT', '/config/wknd/sites/limits.json?replace=true', { as: OPERATOR, body: { ...siteBody('wknd', 'limits'), ...more } });
const part = (name: string, body: unknown) => backend.call('POST', `/config/wknd/sites/limits/${name}.json`, { as: OPERATOR, body });
const form = (body: string) =>
  backend.call('POST', '/config/wknd/sites/limits/apiKeys.json', {
    as: OPERATOR,
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const text = (length: number) => 'x'.repeat(length);
const values = (count: number, name = 'k') => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));
const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)]);
const address = (length: number) => 'https://a.example/'.padEnd(length, 'a');
const markup = (url: string) => ({ type: 'markup', url });
const byogit = (url: string) => ({ owner: '1', repo: '2', source: { type: 'byogit', url, raw_url: url, secretId: 'cm-byog' } });

interface Bound {
  readonly limit: number;
  /** A call that is as large as is asked for, and else right. */
  send(size: number): ReturnType<typeof put>;
  readonly status?: number;
  /** Why a call of this size is refused. */
  readonly says: RegExp;
}

const BOUNDS: Readonly<Record<string, Bound>> = {
  'levels of a body': { limit: LIMITS.bodyDepth, send: (size) => part('public', { a: lists(size - 1) }), says: /nested deeper than 64/ },
  'values of a body': { limit: LIMITS.bodyValues, send: (size) => part('public', values(size - 1)), says: /more than 6000 values/ },
  'the name of a property': {
    limit: LIMITS.bodyNameLength,
    send: (size) => part('public', { [text(size)]: 1 }),
    says: /longer than 1000 characters/,
  },
  'fields of a form': {
    limit: LIMITS.formFields,
    send: (size) => form('roles=author&'.repeat(size).slice(0, -1)),
    says: /1001 fields; the limit is 1000/,
  },
  'the address of content': {
    limit: LIMITS.addressLength,
    send: (size) => part('content', { source: markup(address(size)) }),
    says: /at most 2000 characters/,
  },
  'the address of code': {
    limit: LIMITS.addressLength,
    send: (size) => part('code', byogit(address(size))),
    says: /at most 2000 characters/,
  },
  'the owner of code': { limit: LIMITS.foreignName, send: (size) => part('code', { owner: text(size), repo: 'r' }), says: /limit is 100/ },
  'a mapping': {
    limit: LIMITS.pathLength,
    send: (size) => part('public', { paths: { mappings: [`/${text(size - 4)}/:/`] } }),
    says: /limit is 2000/,
  },
  'an include': {
    limit: LIMITS.pathLength,
    send: (size) => part('public', { paths: { includes: [`/${text(size - 1)}`] } }),
    says: /limit is 2000/,
  },
  'globs of a list of paths': {
    limit: LIMITS.pathGlobs,
    send: (size) => part('public', { paths: { excludes: Array.from({ length: size }, (_, index) => `/content/**/${index}`) } }),
    says: /At most 100 paths of a list have/,
  },
  'a glob of paths': {
    limit: LIMITS.pathGlobLength,
    send: (size) => part('public', { paths: { excludes: [`/**/${text(size - 4)}`] } }),
    says: /at most 500 characters/,
  },
  'a folder': {
    limit: LIMITS.pathLength,
    send: (size) => part('folders', { '/f': `/${text(size - 1)}` }),
    says: /limit is 2000/,
  },
  'a description of content': {
    limit: LIMITS.textLength,
    send: (size) => part('content', { description: text(size), source: markup(address(50)) }),
    says: /limit is 10000/,
  },
  'the headers of a path': {
    limit: LIMITS.headersLength,
    send: (size) =>
      part('headers', { '/**': [1, 2].map((one) => ({ key: `x-${one}`, value: text(size / 2 - 3 + (one === 2 ? size % 2 : 0)) })) }),
    says: /at most 66560 characters in total/,
  },
};

it.each(Object.entries(BOUNDS))('%s: as much as is allowed is taken, and no more', async (_, { limit, send, says }) => {
  const most = await send(limit);
  expect([most.status, most.headers['x-error']]).toEqual([expect.toSatisfy((status: number) => status < 300), undefined]);
  const more = await send(limit + 1);
  expect([more.status, more.headers['x-error']]).toEqual([400, expect.stringMatching(says)]);
});

it('a document takes as many values as are allowed, however many calls it takes, and no more', async () => {
  // A site has 14 values by itself, and each part one.
  expect((await put({ public: values(4900) })).status).toBe(200);
  const folders = (count: number) => part('folders', Object.fromEntries(Array.from({ length: count }, (_, index) => [`/f${index}`, '/t'])));
  let [most, least] = [0, 6000];
  while (least - most > 1) {
    const middle = Math.floor((most + least) / 2);
    const { status, headers } = await folders(middle);
    if (status === 413) expect(headers['x-error']).toMatch(/^The site "wknd\/limits" would have \d+ values; at most 10000 are stored/);
    if (status === 200) most = middle;
    else least = middle;
  }
  expect((await folders(most)).status).toBe(200);
  expect((await folders(least)).headers['x-error']).toContain(`would have ${LIMITS.documentValues + 1} values`);
});

it('a document takes as many bytes as are allowed, and no more', async () => {
  expect((await put({ public: {} })).status).toBe(200);
  const over = await part('public', { text: text(LIMITS.documentBytes) });
  expect([over.status, over.headers['x-error-code']]).toEqual([413, 'STORAGE_QUOTA_REACHED']);
  const [, bytes = '0'] = /would have (\d+) bytes/.exec(over.headers['x-error'] ?? '') ?? [];
  const fitting = 2 * LIMITS.documentBytes - Number(bytes);
  expect((await part('public', { text: text(fitting) })).status).toBe(200);
  expect((await part('public', { text: text(fitting + 1) })).status).toBe(413);
});

it('of many mistakes the first hundred are told, and their number', async () => {
  const answer = await part('folders', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1])));
  const { errors } = answer.json() as { errors: unknown[] };
  expect(errors.length).toBe(LIMITS.toldErrors);
  expect(answer.headers['x-error']).toMatch(/\(\d{3} more\)$/);
});
