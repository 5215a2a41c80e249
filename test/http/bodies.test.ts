import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { mediaType } from '@repoless/service/delivery/site-answers.ts';
import { exchangeBytes } from '../support/exchange-bytes.ts';

const SITE = '/config/wknd/sites/bodies.json';
const PUBLIC = '/config/wknd/sites/bodies/public.json';
const LIMIT = 4096;
const JSON_TYPE = { 'content-type': 'application/json' };

const backend = startBeforeAll(() => startTestBackend({ settings: { BODY_LIMIT: String(LIMIT) }, sites: { bodies: {} } }));
const { call } = callsAs(backend, OPERATOR);

describe('the body parser', () => {
  it.each(['{', '', '"\\ud800', '{"a":1}}'])('refuses %o as unparsable', async (body) => {
    const answer = await call('PUT', SITE, body, JSON_TYPE);
    expect(answer).toMatchObject({ status: 400, error: 'error parsing request body', code: 'BODY_UNPARSABLE' });
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect((await call('PUT', SITE, new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE)).code).toBe('BODY_UNPARSABLE');
  });

  it.each(['text/plain', 'multipart/form-data', '', 'application/json; charset=utf-16'])('refuses the content type "%s"', async (type) => {
    const answer = await call('PUT', SITE, '{}', type === '' ? {} : { 'content-type': type });
    expect(answer).toMatchObject({ status: 415, code: 'CONTENT_TYPE_UNSUPPORTED' });
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-made-up', 'gzip, identity'])(
    'refuses the content encoding "%s" and names the supported one',
    async (coding) => {
      const headers = { ...JSON_TYPE, 'content-encoding': coding };
      const answer = await call('PUT', SITE, gzipSync('{}'), headers);
      expect(answer).toMatchObject({ status: 415, code: 'CONTENT_ENCODING_UNSUPPORTED', headers: { 'accept-encoding': 'identity' } });
      expect(answer.error).toBe(`Send the body as it is, without content-encoding "${coding}".`);
      expect((await backend.call('POST', '/webhook/github', { body: gzipSync('{}'), headers })).status).toBe(415);
    },
  );

  it('accepts the content encoding identity', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
    expect((await call('POST', PUBLIC, '{"x":"a"}', headers)).status).toBe(200);
  });

  it('accepts JSON in UTF-8, whatever the case of its content type', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await call('POST', PUBLIC, '{"x":"ä"}', headers)).status).toBe(200);
  });
});

describe('the body check', () => {
  it('accepts a body of the limit and refuses one byte more, with or without a content length', async () => {
    const body = (size: number) => JSON.stringify({ note: 'x'.repeat(size - '{"note":""}'.length) });
    expect((await call('POST', PUBLIC, body(LIMIT), JSON_TYPE)).status).toBe(200);
    for (const chunked of [false, true]) {
      const answer = await backend.call('POST', PUBLIC, { as: OPERATOR, body: body(LIMIT + 1), headers: JSON_TYPE, chunked });
      expect(answer).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
      expect(answer.error).toContain(String(LIMIT));
    }
  });

  it('refuses a body of 5 MiB with an answer', async () => {
    const body = 'x'.repeat(5 * 1024 * 1024);
    expect((await backend.call('POST', PUBLIC, { body, headers: JSON_TYPE })).status).toBe(413);
  });

  it('refuses excessive nesting', async () => {
    const depth = 1500;
    const body = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const answer = await call('POST', PUBLIC, body, JSON_TYPE);
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  });

  it('refuses a property that would change the prototype', async () => {
    const answer = await call('POST', PUBLIC, '{"a":{"__proto__":{"b":1}}}', JSON_TYPE);
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  });
});

describe('an invalid body', () => {
  it('is reported field by field, each with its pointer', async () => {
    const body = {
      ...siteBody('wknd', 'bodies'),
      version: 2,
      colour: 'red',
      code: { owner: 'a b', source: { type: 'svn' } },
      public: { paths: { mappings: ['/content'] } },
      metadata: { shortcuts: [] },
      'a/b': 1,
    };
    const answer = await call('PUT', SITE, body);
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    const { errors } = answer.json() as { errors: { pointer: string; detail: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(
      ['/a~1b', '/code/owner', '/code/source/type', '/colour', '/metadata/shortcuts', '/public/paths/mappings/0', '/version'].toSorted(),
    );
    for (const { detail } of errors) expect(detail).toMatch(/^[A-Z"].*[.)/]$/);
  });

  it('is reported with a message for a wrong value and pointers to missing ones', async () => {
    const answer = await call('POST', '/config/wknd/sites/bodies/content.json', { source: { suffix: 5 } });
    const { errors } = answer.json() as { errors: { pointer: string; detail: string }[] };
    expect(errors).toContainEqual({ pointer: '/source/suffix', detail: 'Write a string here.', rule: 'type', data: { types: 'string' } });
    expect(errors.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['/source/url', '/source/type']));
  });

  it('changes nothing', async () => {
    const before = await call('GET', SITE);
    await call('POST', PUBLIC, { paths: { mappings: ['nonsense'] } });
    expect((await call('GET', SITE)).text).toBe(before.text);
  });
});

describe('the order of defence', () => {
  it('reveals no error of the body to strangers', async () => {
    expect((await backend.call('PUT', SITE, { body: '{', headers: JSON_TYPE })).status).toBe(401);
    expect((await backend.call('PUT', SITE, { as: 'sam.stranger@example.com', body: '{', headers: JSON_TYPE })).status).toBe(404);
  });

  it('checks type and size before the caller', async () => {
    expect((await backend.call('PUT', SITE, { body: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await backend.call('PUT', SITE, { body: 'x'.repeat(LIMIT + 1), headers: JSON_TYPE })).status).toBe(413);
  });
});

it('call 3 is accepted with exactly its body', async () => {
  const answer = await call('POST', PUBLIC, publicPart('bodies'));
  expect([answer.status, answer.json()]).toEqual([200, publicPart('bodies')]);
});

describe('a call without a usable body', () => {
  const as = OPERATOR;
  const BODIES = [
    ['no body', undefined, {}],
    ['{}', {}, {}],
    ['[]', [], {}],
    ['null', 'null', JSON_TYPE],
    ['a string', '""', JSON_TYPE],
    ['empty JSON', '', JSON_TYPE],
    ['unknown properties', { unknown: 1 }, {}],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
  ] as const;
  /** Writes whose effect is not an entry in the audit trail. */
  const OTHERWISE: Readonly<Record<string, string>> = {
    startOrgCheck: 'checks sites',
    authorizeDevice: 'starts a sign-in',
    putOrg: 'replaces the organization by what it is already',
    postOrg: 'replaces the organization by what it is already',
    postProfile: 'replaces the profile by the values of the previous call',
  };
  const PARAMETERS: Readonly<Record<string, string>> = { org: 'wknd', site: 'first', profile: 'brand', ref: 'main', version: '1' };
  const backend = startBeforeAll(() => startTestBackend({ dryRun: false, profiles: { brand: { title: 'Brand' } }, sites: { first: {} } }));

  const rows = allEndpoints().filter(([, { method }]) => method === 'POST' || method === 'PUT');

  it.each(BODIES)('never succeeds without an effect: %s', async (_, body, headers) => {
    const entries = async () => (await backend.call('GET', '/config/wknd/log.json?limit=1', { as })).text;
    const idle: string[] = [];
    for (const [id, row] of rows.filter(([one]) => !(one in OTHERWISE))) {
      const path = row.path.replaceAll(/\{(\w+)\*?\}/g, (_name, name: string) => PARAMETERS[name] ?? 'one');
      const before = await entries();
      const answer = await backend.call(row.method, path, { as, ...(body !== undefined && { body }), headers });
      if (answer.status < 300 && (await entries()) === before) idle.push(`${id} ${answer.status}`);
    }
    expect(idle).toEqual([]);
  });
});

describe('limits of values', () => {
  const backend = startBeforeAll(() => startTestBackend({ dryRun: false, settings: { BODY_LIMIT: '4000000' } }));
  beforeAll(() => put({}));

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

  /** The limit, a call of a size that is otherwise valid, and why one beyond the limit is refused. */
  it.each<[string, number, (size: number) => ReturnType<typeof put>, RegExp]>([
    ['levels of a body', LIMITS.bodyDepth, (size) => part('public', { a: lists(size - 1) }), /nested deeper than 64/],
    ['values of a body', LIMITS.bodyValues, (size) => part('public', values(size - 1)), /more than 6000 values/],
    ['the name of a property', LIMITS.bodyNameLength, (size) => part('public', { [text(size)]: 1 }), /longer than 1000 characters/],
    ['fields of a form', LIMITS.formFields, (size) => form('roles=author&'.repeat(size).slice(0, -1)), /1001 fields; the limit is 1000/],
    [
      'the address of content',
      LIMITS.addressLength,
      (size) => part('content', { source: markup(address(size)) }),
      /at most 2000 characters/,
    ],
    ['the address of code', LIMITS.addressLength, (size) => part('code', byogit(address(size))), /at most 2000 characters/],
    ['the owner of code', LIMITS.foreignName, (size) => part('code', { owner: text(size), repo: 'r' }), /limit is 100/],
    ['a mapping', LIMITS.pathLength, (size) => part('public', { paths: { mappings: [`/${text(size - 4)}/:/`] } }), /limit is 2000/],
    ['an include', LIMITS.pathLength, (size) => part('public', { paths: { includes: [`/${text(size - 1)}`] } }), /limit is 2000/],
    [
      'globs of a list of paths',
      LIMITS.pathGlobs,
      (size) => part('public', { paths: { excludes: Array.from({ length: size }, (_, index) => `/content/**/${index}`) } }),
      /At most 100 paths of a list have/,
    ],
    [
      'a glob of paths',
      LIMITS.pathGlobLength,
      (size) => part('public', { paths: { excludes: [`/**/${text(size - 4)}`] } }),
      /at most 500 characters/,
    ],
    ['a folder', LIMITS.pathLength, (size) => part('folders', { '/f': `/${text(size - 1)}` }), /limit is 2000/],
    [
      'a description of content',
      LIMITS.textLength,
      (size) => part('content', { description: text(size), source: markup(address(50)) }),
      /limit is 10000/,
    ],
    [
      'the headers of a path',
      LIMITS.headersLength,
      (size) =>
        part('headers', { '/**': [1, 2].map((one) => ({ key: `x-${one}`, value: text(size / 2 - 3 + (one === 2 ? size % 2 : 0)) })) }),
      /at most 66560 characters in total/,
    ],
  ])('%s: the limit is accepted and one more is refused', async (_, limit, send, message) => {
    const most = await send(limit);
    expect([most.status, most.error]).toEqual([expect.toSatisfy((status: number) => status < 300), undefined]);
    const more = await send(limit + 1);
    expect([more.status, more.error]).toEqual([400, expect.stringMatching(message)]);
  });

  it('a document has at most LIMITS.documentValues values, however many calls add them', async () => {
    // A site has 14 values of its own, and each part one.
    expect((await put({ public: values(4900) })).status).toBe(200);
    const folders = (count: number) =>
      part('folders', Object.fromEntries(Array.from({ length: count }, (_, index) => [`/f${index}`, '/t'])));
    let [most, least] = [0, 6000];
    while (least - most > 1) {
      const middle = Math.floor((most + least) / 2);
      const { status, headers } = await folders(middle);
      if (status === 413) expect(headers['x-error']).toMatch(/^The site "wknd\/limits" would have \d+ values; at most 10000 are stored/);
      if (status === 200) most = middle;
      else least = middle;
    }
    expect((await folders(most)).status).toBe(200);
    expect((await folders(least)).error).toContain(`would have ${LIMITS.documentValues + 1} values`);
  });

  it('a document has at most LIMITS.documentBytes bytes', async () => {
    expect((await put({ public: {} })).status).toBe(200);
    const over = await part('public', { text: text(LIMITS.documentBytes) });
    expect(over).toMatchObject({ status: 413, code: 'STORAGE_QUOTA_REACHED' });
    const [, bytes = '0'] = /would have (\d+) bytes/.exec(over.error ?? '') ?? [];
    const fitting = 2 * LIMITS.documentBytes - Number(bytes);
    expect((await part('public', { text: text(fitting) })).status).toBe(200);
    expect((await part('public', { text: text(fitting + 1) })).status).toBe(413);
  });

  it('the first 100 of many errors are reported, with the number of the others', async () => {
    const answer = await part('folders', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1])));
    const { errors } = answer.json() as { errors: unknown[] };
    expect(errors.length).toBe(LIMITS.reportedErrors);
    expect(answer.error).toMatch(/\(\d{3} more\)$/);
  });
});

it.each(['a.html', 'a.css', 'a.js', 'a.svg', 'a.xml', 'a.txt', 'a.md', 'a.csv', 'A.HTML'])('%s is sent as text in UTF-8', (path) => {
  expect(mediaType(path)).toMatch(/^[a-z]+\/[a-z+]+; charset=utf-8$/);
});

it.each(['a', 'a.exe', 'a.constructor', '.htaccess'])('%s is sent as application/octet-stream', (path) => {
  expect(mediaType(path)).toBe('application/octet-stream');
});

describe('request smuggling and line injection', () => {
  const lines: string[] = [];
  const backend = startBeforeAll(() => startTestBackend({ logged: (line) => void lines.push(line) }));

  /** A request within the body of another: a server that ends the first one elsewhere reads it as the next. */
  const INNER = 'GET /service.json HTTP/1.1\r\nHost: localhost\r\nx-request-id: smuggled\r\n\r\n';

  const exchange = (bytes: string) => exchangeBytes(backend.port, bytes);
  const post = (headers: readonly string[], body: string) =>
    `POST /auth/exchange HTTP/1.1\r\nHost: localhost:${backend.port}\r\nContent-Type: application/json\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

  it.each([
    ['a length in addition to chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
    ['chunks in addition to a length', ['Transfer-Encoding: chunked', `Content-Length: ${INNER.length}`], `0\r\n\r\n${INNER}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${INNER.length}`], INNER],
    ['a length in a list', [`Content-Length: 0, ${INNER.length}`], INNER],
    ['a length with a sign', [`Content-Length: +${INNER.length}`], INNER],
    ['a length in hexadecimal digits', ['Content-Length: 0x10'], INNER],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${INNER}`],
    ['a space after the name of a header', ['Transfer-Encoding : chunked'], `0\r\n\r\n${INNER}`],
    ['a folded header', ['X-Fold: a', ' Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
    ['a chunk with an invalid length', ['Transfer-Encoding: chunked'], `zz\r\n{}\r\n0\r\n\r\n${INNER}`],
    ['a chunk with too large a length', ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${INNER}`],
    ['a chunk longer than its length', ['Transfer-Encoding: chunked'], `2\r\n{}XX0\r\n\r\n${INNER}`],
    ['a line that ends without a carriage return', ['Transfer-Encoding: chunked\nX: y'], `0\r\n\r\n${INNER}`],
  ])('a request with %s is refused, and nothing after it is read as another request', async (_, headers, body) => {
    const answered = await exchange(post(headers, body));
    expect(answered).toMatch(/^HTTP\/1\.1 (400|413) /);
    expect(answered.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answered).toContain('x-content-type-options: nosniff');
    expect(answered).not.toContain('smuggled');
  });

  it('a header of an answer is one line, whatever the request contains', async () => {
    for (const [path, code] of [
      ['/config/a%0d%0aset-cookie:x=1/sites.json', 'NAME_INVALID'],
      ['/nowhere%0d%0aset-cookie:%20x=1?x=%0d%0aset-cookie:%20x=1', 'ROUTE_NOT_FOUND'],
    ] as const) {
      const answer = await backend.call('GET', path, { as: OPERATOR, headers: { 'x-request-id': 'a b' } });
      expect(answer.code).toBe(code);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('a log entry is one line, whatever the request contains', async () => {
    lines.length = 0;
    const forged = '{"level":30,"msg":"forged"}';
    const path = `/nowhere/%0a${encodeURIComponent(forged)}"},${forged}`;
    await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost:${backend.port}\r\nConnection: close\r\nx-request-id: a"b\r\n\r\n`);
    await backend.call('GET', '/health', { as: `ada"\n${forged}@example.com` });
    await expect.poll(() => lines.filter((line) => line.includes('"request"')).length).toBe(2);
    for (const line of lines) {
      expect(line.match(/\n/g)).toHaveLength(1);
      expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' });
    }
  });
});
