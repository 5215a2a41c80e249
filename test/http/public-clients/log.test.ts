import { beforeAll, describe, expect, it } from 'vitest';
import { PublicLog } from '@repoless/contract/audit.ts';
import { EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

const LOG = '/log/wknd/logged/main';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
  const site = '/config/wknd/sites/logged.json';
  for (const title of ['One', 'Two']) await backend.call('PUT', site, { as: OPERATOR, body: siteBody('wknd', 'logged', { title }) });
  await backend.call('POST', '/config/wknd/sites/logged/public.json', { as: OPERATOR, body: publicPart('logged') });
  await backend.call('POST', '/config/wknd/sites/logged/robots.txt', {
    as: OPERATOR,
    body: 'User-agent: *\n',
    headers: { 'content-type': 'text/plain' },
  });
  await backend.call('PUT', '/config/wknd/sites/other.json', { as: OPERATOR, body: siteBody('wknd', 'other') });
});

async function read(path: string): Promise<PublicLog> {
  const answer = await page.call('GET', path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.error}`);
  return PublicLog.parse(answer.json());
}

const actions = ({ entries }: PublicLog) => entries.map(({ action }) => action);
const ALL = ['set-robots', 'set-public', 'put-site', 'put-site'];

describe('a client that reads the log', () => {
  it('gets the last quarter of an hour, each entry with when, who, and the address of what was changed', async () => {
    const log = await read(LOG);
    expect(actions(log)).toEqual(ALL);
    expect(Date.parse(log.to) - Date.parse(log.from)).toBe(900_000);
    expect(log.entries[1]).toMatchObject({
      timestamp: expect.any(Number),
      user: OPERATOR,
      route: 'config',
      path: '/config/wknd/sites/logged/public.json',
      method: 'POST',
      status: 200,
      org: 'wknd',
      site: 'logged',
      from: 2,
      to: 3,
    });
    expect(log.entries.map(({ path }) => path.replace('/config/wknd/sites/logged', ''))).toEqual([
      '/robots.txt',
      '/public.json',
      '.json',
      '.json',
    ]);
    expect(log.entries.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 200', 'POST 200', 'PUT 200', 'PUT 201']);
    expect([log.nextToken, log.links]).toEqual([undefined, undefined]);
    expect(actions(await read('/wknd/sites/logged/log'))).toEqual(ALL);
  });

  it.each(['?since=1d', '?since=90s', `?from=${new Date(Date.now() - 60_000).toISOString()}`, '?from=2026-01-01&to=2099-01-01'])(
    'gets the span that it asks for: %s',
    async (query) => {
      expect(actions(await read(`${LOG}${query}`))).toEqual(ALL);
    },
  );

  it('gets nothing of another time, or of another site', async () => {
    expect(actions(await read(`${LOG}?from=2020-01-01&to=2020-01-02`))).toEqual([]);
    expect(actions(await read('/log/wknd/other/main'))).toEqual(['put-site']);
  });

  it('follows the pages by their link, or by the token alone', async () => {
    const first = await read(`${LOG}?since=1h&limit=3`);
    expect(actions(first)).toEqual(ALL.slice(0, 3));
    const byLink = await read(first.links?.next ?? '');
    const byToken = await read(`${LOG}?since=1h&nextToken=${first.nextToken}`);
    for (const last of [byLink, byToken]) {
      expect([actions(last), last.nextToken]).toEqual([ALL.slice(3), undefined]);
      expect([last.from, last.to]).toEqual([first.from, first.to]);
    }
  });

  it.each([
    ['?since=1h&from=2026-01-01', 'Write "since", or "from" and "to", not both.'],
    ['?since=yesterday', 'Write a number with s, m, h or d'],
    ['?from=never', 'Write a time like'],
    ['?from=2026-01-02&to=2026-01-01', '"from" has to be earlier than "to".'],
    ['?nextToken=abc', 'This nextToken was not issued by this service.'],
    ['?limit=0', ''],
    ['?limit=1001', ''],
  ])('is told what is wrong with %s', async (query, sentence) => {
    const answer = await page.call('GET', `${LOG}${query}`);
    expect([answer.status, answer.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});
