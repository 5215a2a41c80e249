import { beforeAll, describe, expect, it } from 'vitest';
import { aliasesOf, notOfferedAt } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const PLACE: Readonly<Record<string, string>> = {
  org: 'wknd',
  site: 'rows',
  ref: 'main',
  profile: 'base',
  version: '1',
  from: '1',
  to: '1',
  part: 'headers.json',
  name: 'job-2026-01-01-00-00-00-00000000',
};
/** Differ from one answer to the next, or say how the body is sent, of which HEAD has none; so do the identifiers in a policy. */
const CHANGING = new Set(['date', 'x-request-id', 'set-cookie', 'transfer-encoding', 'connection', 'keep-alive']);

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  const body = siteBody('wknd', 'rows', { headers: { '/**': [{ key: 'x-brand', value: 'one' }] }, robots: { txt: 'User-agent: *\n' } });
  expect((await backend.call('PUT', '/config/wknd/sites/rows.json', { as: OPERATOR, body })).status).toBe(201);
  expect((await backend.call('PUT', '/config/wknd/profiles/base.json', { as: OPERATOR, body: { title: 'Base' } })).status).toBe(201);
});

const filled = (path: string) => path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => PLACE[name] ?? 'x');
/** Each address of the service, aliases too, with the methods of the rows on it. */
const addresses = new Map<string, Set<string>>();
for (const [, row] of allEndpoints())
  for (const { path } of [row, ...aliasesOf(row.path)]) addresses.set(path, (addresses.get(path) ?? new Set()).add(row.method));
const readable = [...addresses].filter(([, methods]) => methods.has('GET')).map(([path]) => path);

describe('HEAD', () => {
  it.each(readable)('on %s answers what GET does, without the body', async (path) => {
    for (const as of [OPERATOR, undefined]) {
      const asked = as === undefined ? {} : { as };
      const get = await backend.call('GET', filled(path), asked);
      const head = await backend.call('HEAD', filled(path), asked);
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(lasting(head.headers)).toEqual(lasting(get.headers));
    }
  });
});

function lasting(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const kept = Object.entries(headers).filter(([name]) => !CHANGING.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value?.replaceAll(/nonce-[\w-]+/g, 'nonce')]));
}

describe('a method that an address does not have', () => {
  it.each([...addresses])('is refused on %s, which names those that it has', async (path, methods) => {
    const has = new Set([...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']);
    const others = METHODS.filter((one) => !has.has(one) && notOfferedAt(one, filled(path)) === undefined);
    for (const method of ['PATCH', ...others]) {
      const answer = await backend.call(method, filled(path), { as: OPERATOR });
      expect([method, answer.status, answer.headers['x-error'], answer.headers['x-error-code']]).toEqual([
        method,
        405,
        'method not allowed',
        'METHOD_NOT_ALLOWED',
      ]);
      expect(new Set(answer.headers['allow']?.split(', '))).toEqual(has);
    }
  });
});

it('OPTIONS is answered on every address, aliases too, without a token', async () => {
  for (const path of addresses.keys()) {
    const answer = await backend.call('OPTIONS', filled(path), {
      headers: { origin: EXTENSION_ORIGIN, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-auth-token' },
    });
    expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([path, 204, EXTENSION_ORIGIN]);
    // The same on every address, so that it cannot say which methods this one has.
    expect([path, answer.headers['allow']]).toEqual([path, undefined]);
  }
});
