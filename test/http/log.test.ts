import { AUDIT_ACTIONS, AuditLog } from '@repoless/contract/audit.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestAnswer } from '../support/ask.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startTestBuildManagement } from '../support/byogit.ts';
import { codeHostWith } from '../support/code-sources.ts';
import { exchangeBytes } from '../support/exchange-bytes.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { auditedWrites, CODE, content, org, profile, SECRET, site, SUBSCRIPTION, twice } from './log-writes.ts';

const ADMIN = 'ada.admin@example.com';
const CONFIG_ADMIN = 'carl.config@example.com';

// Nothing listens there: syncs retry until they are stopped.
const backend = startBeforeAll(() =>
  startTestBackend({
    repositories: codeHostWith(),
    settings: { CODE_HOST: 'http://127.0.0.1:9', CODE_RETRY_DELAY: '60000' },
  }),
);
const { call, done } = callsAs(backend, OPERATOR);

const { putSite, putProfile, writeOf } = auditedWrites(done);

/** Writes that don't change an organization, and why; every other row needs a write in log-writes.ts. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  challengeOrg: 'starts a claim; the claim itself adds an entry',
  startOrgCheck: 'checks sites',
  putSiteCheck: 'stores findings about a site with their author',
  readEvents: 'marks what one person has read',
  sendMessageAgain: 'sends a message again',
  addRepositoryLog: 'adds the entries of build management, as test/build-management/trail.test.ts shows',
  testSubscription: 'sends a message without an event',
};
/** Writes whose address is only known after another call; each has its test below. */
const BELOW = [
  'deleteApiKey',
  'deleteOrgApiKey',
  'deleteProfileApiKey',
  'stopJob',
  'serveCommit',
  'putSubscription',
  'deleteSubscription',
  'stopRollout',
  'resumeRollout',
  'undoRollout',
];

const rows = allEndpoints().filter(([, row]) => row.method !== 'GET' && row.path.includes('{org}'));

describe('in the audit trail,', () => {
  beforeAll(() => putProfile('base', { ...CODE, content }));

  it.each(rows.filter(([id]) => !(id in WITHOUT_ENTRY) && !BELOW.includes(id)))('%s adds exactly one entry', async (id, row) => {
    const write = writeOf(id);
    expect(write, `log-writes.ts needs a write that succeeds for ${id}`).toBeDefined();
    await write?.before?.();
    await expectOneEntry(row.method, write?.path ?? '', write?.body);
  });

  it.each([site('revoked', '/apiKeys'), profile('revoked', '/apiKeys'), org('/apiKeys')])(
    'revoking a key adds one entry: %s',
    async (path) => {
      await putSite('revoked', { title: path.length.toString() });
      await putProfile('revoked', { title: path.length.toString() });
      const { id, value } = Object((await done('POST', `${path}.json`, { roles: ['author'] })).json());
      const entry = await expectOneEntry('DELETE', `${path}/${id}.json`, undefined);
      expect(JSON.stringify(entry)).not.toContain(String(value));
    },
  );

  it('each command to a rollout adds one entry', async () => {
    const started = await done('POST', org('/rollouts.json'), {
      title: 'Sites that are not there',
      edits: [{ op: 'remove', path: '/robots' }],
      sites: Array.from({ length: 3000 }, (_, index) => `gone-${index}`),
    });
    const { id } = Object(started.json());
    for (const order of ['stop', 'resume', 'undo']) {
      const entry = await expectOneEntry('POST', org(`/rollouts/${String(id)}/${order}.json`), undefined);
      expect(entry).toMatchObject({ action: `${order}-rollout/${String(id)}` });
    }
  });

  it('changing a subscription adds one entry, and removing it another', async () => {
    const { id, secret } = Object((await done('POST', org('/subscriptions.json'), SUBSCRIPTION)).json());
    const path = org(`/subscriptions/${String(id)}.json`);
    const changed = await expectOneEntry('PUT', path, { ...SUBSCRIPTION, kinds: ['drift'] });
    expect(changed).toMatchObject({ action: `put-subscription/${String(id)}` });
    const ended = await expectOneEntry('DELETE', path, undefined);
    expect(ended).toMatchObject({ action: `delete-subscription/${String(id)}` });
    expect(JSON.stringify([changed, ended])).not.toContain(String(secret));
  });

  it('stopping a sync adds one entry', async () => {
    await putSite('stopped', { code: { owner: 'wknd', repo: 'stopped' } });
    const { job } = Object((await done('POST', '/code/wknd/stopped/main/*')).json());
    await expectOneEntry('DELETE', `/job/wknd/stopped/main/code/${Object(job).name}`, undefined);
  });

  it('restoring a version adds one entry, with the new version', async () => {
    await twice((title) => putSite('restored', { title }));
    expect(await expectOneEntry('POST', `${site('restored')}?restoreVersion=1`, undefined)).toMatchObject({
      action: 'restore-site/1',
      from: 2,
      to: 3,
    });
    await twice((title) => putProfile('restored', { title }));
    expect(await expectOneEntry('POST', `${profile('restored')}?restoreVersion=1`, undefined)).toMatchObject({ from: 2, to: 3 });
    await twice((title) => done('PUT', org('.json'), { title }));
    const { current } = Object((await done('GET', org('/versions.json'))).json());
    const back = await expectOneEntry('POST', `${org('.json')}?restoreVersion=${Number(current) - 1}`, undefined);
    expect(back).toMatchObject({ action: `restore-org/${Number(current) - 1}`, from: current, to: Number(current) + 1 });
  });

  it('a write that changes nothing adds no entry', async () => {
    await putSite('same');
    const before = await entries('?limit=1');
    await putSite('same');
    await done('PUT', `${site('same')}?dryRun=true`, siteBody('wknd', 'same', { ...CODE, title: 'Only thought of' }));
    await done('POST', site('same', '/versions/1.json?name='));
    expect(await entries('?limit=1')).toEqual(before);
  });

  it('a refused write adds no entry', async () => {
    const before = await entries('?limit=1');
    expect((await call('PUT', site('same'), {})).status).toBe(400);
    expect((await backend.call('DELETE', site('same'), { as: ADMIN })).status).toBe(404);
    expect(await entries('?limit=1')).toEqual(before);
  });
});

describe('the audit trail', () => {
  it('lists actions with author, time and versions, newest first', async () => {
    await putSite('told', { title: 'One' });
    await putSite('told', { title: 'Two' });
    await done('DELETE', site('told'));
    const listed = await entries('?site=told');
    expect(listed).toMatchObject([
      { action: 'delete-site', site: 'told', user: OPERATOR, from: 2, to: 3 },
      { action: 'put-site', from: 1, to: 2 },
      { action: 'put-site', to: 1 },
    ]);
    expect(listed.at(-1)).not.toHaveProperty('from');
    const times = listed.map(({ time }) => time);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('has linked pages, by header and in the answer', async () => {
    const all = await entries('?limit=1000');
    const read = [];
    let next: string | undefined = '/config/wknd/log.json?since=1h&limit=50';
    while (next !== undefined) {
      const answer: TestAnswer = await done('GET', next);
      const page = AuditLog.parse(answer.json());
      read.push(...page.entries);
      next = page.links.next;
      expect(answer.headers['link']).toBe(next === undefined ? undefined : `<${next}>; rel="next"`);
    }
    expect(read).toEqual(all);
  });

  it.each(['90s', '15m', '24h', '7d', '2020-01-31', '2020-01-31T09:00:00Z', '2020-01-31T09:00:00.000+02:00'])(
    'can be read since %s',
    async (since) => {
      expect((await entries(`?since=${encodeURIComponent(since)}&limit=1`)).length).toBe(1);
    },
  );

  it('contains nothing from before the requested time', async () => {
    await putSite('since', { title: 'One' });
    const [{ time } = { time: '' }] = await entries('?limit=1');
    expect((await entries(`?since=${time}`)).every((entry) => entry.time >= time)).toBe(true);
    const later = new Date(Date.parse(time) + 60_000).toISOString();
    expect(await entries(`?since=${later}`)).toEqual([]);
  });

  it.each(['yesterday', '5 days', '-1h', '2020-13-01', '1x', ''])('refuses since=%s with an example', async (since) => {
    const answer = await call('GET', `/config/wknd/log.json?since=${encodeURIComponent(since)}`);
    expect(answer).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
    expect(answer.text).toContain('24h');
  });

  it('contains no secret', async () => {
    const generated = Object((await done('POST', site('generated', '/secrets.json'))).json());
    const { text } = await done('GET', '/config/wknd/log.json?limit=1000');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(String(generated.value));
  });

  it('names every change by a documented action', async () => {
    const parts = SITE_PART_NAMES.flatMap((part) => [`set-${part}`, `delete-${part}`]);
    const known = [...Object.keys(AUDIT_ACTIONS), ...parts];
    const unknown = (await entries('?limit=1000'))
      .map(({ action }) => action)
      .filter((action) => !known.some((one) => action === one || action.startsWith(`${one}/`)));
    expect(unknown).toEqual([]);
  });

  it('is readable by admins of the organization, and for one site by admins of that site', async () => {
    await putSite('own', { access: { admin: { role: { admin: [ADMIN], config_admin: [CONFIG_ADMIN] }, requireAuth: false } } });
    const status = async (path: string, who?: string) => (await backend.call('GET', path, who === undefined ? {} : { as: who })).status;
    expect([await status(org('/log.json'), ADMIN), await status(org('/log.json?site=own'), ADMIN)]).toEqual([404, 404]);
    expect([await status(site('own', '/log.json'), ADMIN), await status(site('put', '/log.json'), ADMIN)]).toEqual([200, 404]);
    expect([await status(site('own', '/log.json'), CONFIG_ADMIN), await status(site('own', '/log.json'))]).toEqual([403, 401]);
    const own = AuditLog.parse((await done('GET', site('own', '/log.json?limit=1'))).json());
    expect(own.entries).toMatchObject([{ site: 'own', action: 'put-site', to: 1 }]);
  });

  it('is retained when the site is removed', async () => {
    await putSite('mortal');
    await done('DELETE', site('mortal'));
    const { entries: all } = AuditLog.parse((await done('GET', site('mortal', '/log.json'))).json());
    expect(all.map(({ action }) => action)).toEqual(['delete-site', 'put-site']);
  });
});

async function expectOneEntry(method: string, path: string, body: unknown) {
  const before = await entries('?limit=1000');
  const requestId = `trail-${before.length}-${method}`;
  const media = typeof body === 'string' ? { 'content-type': 'text/plain' } : {};
  expect((await call(method, path, body, { 'x-request-id': requestId, ...media })).status).toBeLessThan(300);
  const after = await entries('?limit=1000');
  const added = after.slice(0, after.length - before.length);
  expect(added).toMatchObject([{ user: OPERATOR, requestId }]);
  const [, named] = /\/sites\/([^/.]+)/.exec(path) ?? /^\/(?:code|job)\/wknd\/([^/]+)/.exec(path) ?? [];
  expect(added[0]?.site).toBe(named);
  return added[0];
}

async function entries(query = '') {
  return AuditLog.parse((await done('GET', `/config/wknd/log.json${query}`)).json()).entries;
}

const Line = z.looseObject({ requestId: z.string(), status: z.number(), unlogged: z.number().optional() });
describe.each([
  { title: 'the service', start: startTestBackend },
  { title: 'build management', start: startTestBuildManagement },
])('in the log of $title,', ({ start }) => {
  let backend: { readonly port: number; stop(): Promise<void> };
  const lines: string[] = [];
  beforeAll(async () => void (backend = await start({ logged: (line) => void lines.push(line) })));
  afterAll(() => backend.stop());
  beforeEach(() => void lines.splice(0));

  const exchanged = (bytes: string) => exchangeBytes(backend.port, bytes);
  const parsed = () => lines.map((line) => Line.parse(JSON.parse(line)));

  it.each([
    [
      'that is not HTTP',
      'EHLO secret-of-somebody\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', reason: 'HPE_INVALID_METHOD', path: '' },
    ],
    [
      'with a malformed header',
      'GET /service.json HTTP/1.1\r\nhost: a\r\nsecret-of-somebody\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED' },
    ],
    [
      'with two hosts',
      'GET /service.json?token=secret-of-somebody HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', method: 'GET', path: '/service.json' },
    ],
    [
      'for an absolute address',
      'GET http://me:secret-of-somebody@evil.example/ HTTP/1.1\r\nhost: a\r\n\r\n',
      { status: 400, code: 'REQUEST_MALFORMED', method: 'GET', path: '' },
    ],
    ['for a tunnel', 'CONNECT secret-of-somebody:443 HTTP/1.1\r\nhost: a\r\n\r\n', { status: 405, code: 'METHOD_NOT_ALLOWED' }],
    [
      'with too long headers',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'secret-of-somebody'.repeat(2000)}\r\n\r\n`,
      { status: 431, code: 'HEADERS_TOO_LARGE' },
    ],
    ['with a long path', `GET /${'x'.repeat(10_000)} HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`, { status: 400, path: `/${'x'.repeat(199)}` }],
  ])('a request %s has one line, with the request id of the answer and no secret', async (_name, bytes, expected) => {
    const answer = await exchanged(bytes);
    const [, requestId] = /^x-request-id: (\S+)/im.exec(answer) ?? [];
    expect(parsed()).toMatchObject([{ ...expected, requestId, address: '127.0.0.1' }]);
    expect(lines.join('')).not.toContain('secret-of-somebody');
  });

  it('malformed requests are throttled, and a later line counts the omitted ones', async () => {
    const sent = 200;
    await Promise.all(Array.from({ length: sent }, () => exchanged('EHLO evil.example\r\n\r\n')));
    // Wait for the line of the next second.
    await expect
      .poll(
        async () => {
          await exchanged('EHLO evil.example\r\n\r\n');
          return parsed().some(({ unlogged = 0 }) => unlogged > 0);
        },
        { interval: 50, timeout: 20_000 },
      )
      .toBe(true);
    expect(lines.length).toBeLessThan(sent);
  });
});
