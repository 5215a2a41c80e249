import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/bodies.json';
const PUBLIC = '/config/wknd/sites/bodies/public.json';
const LIMIT = 4096;
const JSON_TYPE = { 'content-type': 'application/json' };

const backend = startBeforeAll(() => startTestBackend({ settings: { BODY_LIMIT: String(LIMIT) } }));
beforeAll(async () => {
  await backend.call('PUT', SITE, { as: OPERATOR, body: siteBody('wknd', 'bodies') });
});

describe('what cannot be read', () => {
  it.each(['{', '', '"\\ud800', '{"a":1}}'])('refuses %o as unparsable', async (body) => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body, headers: JSON_TYPE });
    expect([answer.status, answer.headers['x-error'], answer.headers['x-error-code']]).toEqual([
      400,
      'error parsing request body',
      'BODY_UNPARSABLE',
    ]);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: new Uint8Array([0x22, 0xff, 0x22]), headers: JSON_TYPE });
    expect(answer.headers['x-error-code']).toBe('BODY_UNPARSABLE');
  });

  it.each(['text/plain', 'multipart/form-data', '', 'application/json; charset=utf-16'])('refuses the content type "%s"', async (type) => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: '{}', headers: type === '' ? {} : { 'content-type': type } });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([415, 'CONTENT_TYPE_UNSUPPORTED']);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-made-up', 'gzip, identity'])(
    'refuses the content encoding "%s", and says what is understood',
    async (coding) => {
      const headers = { ...JSON_TYPE, 'content-encoding': coding };
      const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: gzipSync('{}'), headers });
      expect([answer.status, answer.headers['x-error-code'], answer.headers['accept-encoding']]).toEqual([
        415,
        'CONTENT_ENCODING_UNSUPPORTED',
        'identity',
      ]);
      expect(answer.headers['x-error']).toBe(`Send the body as it is, without content-encoding "${coding}".`);
      const hook = await backend.call('POST', '/webhook/github', { body: gzipSync('{}'), headers });
      expect(hook.status).toBe(415);
    },
  );

  it('takes a body whose encoding is said to be none', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
    expect((await backend.call('POST', PUBLIC, { as: OPERATOR, body: '{"x":"a"}', headers })).status).toBe(200);
  });

  it('takes JSON in UTF-8 whatever case its type is written in', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await backend.call('POST', PUBLIC, { as: OPERATOR, body: '{"x":"ä"}', headers })).status).toBe(200);
  });
});

describe('what is too large', () => {
  it('takes a body of the limit and refuses one byte more, announced or not', async () => {
    const body = (size: number) => JSON.stringify({ note: 'x'.repeat(size - '{"note":""}'.length) });
    expect((await backend.call('POST', PUBLIC, { as: OPERATOR, body: body(LIMIT), headers: JSON_TYPE })).status).toBe(200);
    for (const chunked of [false, true]) {
      const answer = await backend.call('POST', PUBLIC, { as: OPERATOR, body: body(LIMIT + 1), headers: JSON_TYPE, chunked });
      expect([answer.status, answer.headers['x-error-code']]).toEqual([413, 'BODY_TOO_LARGE']);
      expect(answer.headers['x-error']).toContain(String(LIMIT));
    }
  });

  it('refuses a body of megabytes and still answers', async () => {
    const body = 'x'.repeat(5 * 1024 * 1024);
    expect((await backend.call('POST', PUBLIC, { body, headers: JSON_TYPE })).status).toBe(413);
  });

  it('refuses nesting without end', async () => {
    const depth = 1500;
    const body = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const answer = await backend.call('POST', PUBLIC, { as: OPERATOR, body, headers: JSON_TYPE });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
  });

  it('refuses the name that objects would swallow', async () => {
    const answer = await backend.call('POST', PUBLIC, { as: OPERATOR, body: '{"a":{"__proto__":{"b":1}}}', headers: JSON_TYPE });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
  });
});

describe('what is not valid', () => {
  it('is listed field by field, unknown properties each by their own pointer', async () => {
    const body = {
      ...siteBody('wknd', 'bodies'),
      version: 2,
      colour: 'red',
      code: { owner: 'a b', source: { type: 'svn' } },
      public: { paths: { mappings: ['/content'] } },
      metadata: { shortcuts: [] },
      'a/b': 1,
    };
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    const { errors } = answer.json() as { errors: { pointer: string; detail: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(
      ['/a~1b', '/code/owner', '/code/source/type', '/colour', '/metadata/shortcuts', '/public/paths/mappings/0', '/version'].toSorted(),
    );
    for (const { detail } of errors) expect(detail).toMatch(/^[A-Z"].*[.)/]$/);
  });

  it('names the missing and the mistaken in words', async () => {
    const answer = await backend.call('POST', '/config/wknd/sites/bodies/content.json', { as: OPERATOR, body: { source: { suffix: 5 } } });
    const { errors } = answer.json() as { errors: { pointer: string; detail: string }[] };
    expect(errors).toContainEqual({ pointer: '/source/suffix', detail: 'Write a string here.' });
    expect(errors.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['/source/url', '/source/type']));
  });

  it('changes nothing', async () => {
    const before = await backend.call('GET', SITE, { as: OPERATOR });
    await backend.call('POST', PUBLIC, { as: OPERATOR, body: { paths: { mappings: ['nonsense'] } } });
    expect((await backend.call('GET', SITE, { as: OPERATOR })).text).toBe(before.text);
  });
});

describe('the order of defence', () => {
  it('tells a stranger nothing about the body', async () => {
    expect((await backend.call('PUT', SITE, { body: '{', headers: JSON_TYPE })).status).toBe(401);
    expect((await backend.call('PUT', SITE, { as: 'sam.stranger@example.com', body: '{', headers: JSON_TYPE })).status).toBe(404);
  });

  it('looks at type and size before it looks at the caller', async () => {
    expect((await backend.call('PUT', SITE, { body: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await backend.call('PUT', SITE, { body: 'x'.repeat(LIMIT + 1), headers: JSON_TYPE })).status).toBe(413);
  });
});

it('takes call 3 with exactly its body', async () => {
  const answer = await backend.call('POST', PUBLIC, { as: OPERATOR, body: publicPart('bodies') });
  expect([answer.status, answer.json()]).toEqual([200, publicPart('bodies')]);
});
