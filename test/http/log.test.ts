import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, AuditLog } from '#contract/audit.ts';
import { allEndpoints } from '#contract/endpoints.ts';
import { PROFILE_PART_NAMES } from '#contract/profile.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import type { SitePart } from '#contract/site.ts';
import type { Answered } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const ADMIN = 'ada.admin@example.com';
const CONFIG_ADMIN = 'carl.config@example.com';
const as = OPERATOR;
const SECRET = 'a-secret-of-build-management';

let backend: TestBackend;

beforeAll(async () => {
  // Nothing listens there: the syncs that are begun try again until they are stopped.
  backend = await startTestBackend({ settings: { CODE_HOST: 'http://127.0.0.1:9', CODE_RETRY_DELAY: '60000' } });
});
afterAll(() => backend.stop());

/** A write that succeeds and changes something. `before` brings about what it needs. */
interface Write {
  readonly path: string;
  readonly body?: unknown;
  readonly before?: () => Promise<unknown>;
}

const org = (rest: string) => `/config/wknd${rest}`;
const site = (name: string, rest = '.json') => org(`/sites/${name}${rest}`);
const profile = (name: string, rest = '.json') => org(`/profiles/${name}${rest}`);
const CODE = { code: { owner: 'wknd', repo: 'wknd' } };
const putSite = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  done('PUT', site(name), siteBody('wknd', name, { ...CODE, ...more }));
const putProfile = (name: string, more: Readonly<Record<string, unknown>> = {}) => done('PUT', profile(name), more);
const content = { source: { url: 'https://content.example.com/wknd', type: 'markup', suffix: '.html' } };

const PARTS: Readonly<Record<SitePart, unknown>> = {
  content,
  code: { owner: 'wknd', repo: 'another' },
  access: { admin: { requireAuth: 'auto' } },
  'access/admin': { requireAuth: true },
  'access/site': { allow: ['*@example.com'] },
  'access/preview': { allow: ['*@example.com'] },
  'access/live': { allow: ['*@example.com'] },
  public: { theme: 'dark' },
  headers: { '/**': [{ key: 'x-made-by', value: 'the trail' }] },
  folders: { '/products/': '/products/default' },
  cdn: { prod: { host: 'www.example.com' } },
  'cdn/prod': { host: 'www.example.org', type: 'fastly' },
  sidekick: { project: 'The trail' },
  metadata: { source: ['metadata.json'] },
  extends: { profile: 'base' },
};

const WRITES: Readonly<Record<string, Write>> = {
  putSite: { path: site('put'), body: siteBody('wknd', 'put', CODE) },
  postSite: { path: site('post'), body: siteBody('wknd', 'post', CODE) },
  deleteSite: { path: site('gone'), before: () => putSite('gone') },
  setRobots: { path: site('robots', '/robots.txt'), body: 'User-agent: *', before: () => putSite('robots') },
  deleteRobots: { path: site('no-robots', '/robots.txt'), before: () => putSite('no-robots', { robots: { txt: 'User-agent: *' } }) },
  setSiteGroup: { path: site('group', '/groups/team.json'), body: group(), before: () => putSite('group') },
  deleteSiteGroup: { path: site('no-group', '/groups/team.json'), before: () => putSite('no-group', { groups: { team: group() } }) },
  setSecret: { path: site('secret', '/secrets/cm-byog.json'), body: { value: SECRET }, before: () => putSite('secret') },
  generateSecret: { path: site('generated', '/secrets.json'), before: () => putSite('generated') },
  deleteSecret: {
    path: site('no-secret', '/secrets/cm-byog.json'),
    before: async () => {
      await putSite('no-secret');
      await done('POST', site('no-secret', '/secrets/cm-byog.json'), { value: SECRET });
    },
  },
  nameVersion: { path: site('version', '/versions/1.json'), body: { name: 'first' }, before: () => putSite('version') },
  deleteVersion: { path: site('no-version', '/versions/1.json'), before: () => twice((title) => putSite('no-version', { title })) },
  putProfile: { path: profile('put'), body: { title: 'Put' } },
  postProfile: { path: profile('post'), body: { title: 'Post' } },
  deleteProfile: { path: profile('gone'), before: () => putProfile('gone') },
  setProfileRobots: { path: profile('robots', '/robots.txt'), body: 'User-agent: *', before: () => putProfile('robots') },
  deleteProfileRobots: {
    path: profile('no-robots', '/robots.txt'),
    before: () => putProfile('no-robots', { robots: { txt: 'User-agent: *' } }),
  },
  setProfileGroup: { path: profile('group', '/groups/team.json'), body: group(), before: () => putProfile('group') },
  deleteProfileGroup: {
    path: profile('no-group', '/groups/team.json'),
    before: () => putProfile('no-group', { groups: { team: group() } }),
  },
  nameProfileVersion: { path: profile('version', '/versions/1.json'), body: { name: 'first' }, before: () => putProfile('version') },
  deleteProfileVersion: {
    path: profile('no-version', '/versions/1.json'),
    before: () => twice((title) => putProfile('no-version', { title })),
  },
  putOrg: { path: org('.json'), body: { title: 'Put' } },
  postOrg: { path: org('.json'), body: { title: 'Post' } },
  nameOrgVersion: { path: org('/versions/1.json'), body: { name: 'claimed' } },
  deleteOrgVersion: { path: org('/versions/1.json'), before: () => twice((title) => done('PUT', org('.json'), { title })) },
  addOrgUser: { path: org('/users.json'), body: { email: 'new@example.com', roles: ['author'] } },
  setOrgUser: { path: org('/users/set.json'), body: { email: 'set@example.com', roles: ['publish'] }, before: () => addUser('set') },
  deleteOrgUser: { path: org('/users/del.json'), before: () => addUser('del') },
  setOrgGroup: { path: org('/groups/team.json'), body: group() },
  deleteOrgGroup: { path: org('/groups/old.json'), before: () => done('POST', org('/groups/old.json'), group()) },
  createApiKey: { path: site('key', '/apiKeys.json'), body: { roles: ['author'] }, before: () => putSite('key') },
  createOrgApiKey: { path: org('/apiKeys.json'), body: { roles: ['author'] } },
  startSync: { path: '/code/wknd/sync/main/*', before: () => putSite('sync') },
  startBranchSync: { path: '/code/wknd/branch-sync/main', before: () => putSite('branch-sync') },
};

/** Writes that change nothing of an organization, and why; every other row needs a write above. */
const NO_TRAIL: Readonly<Record<string, string>> = {
  challengeOrg: 'begins a claim; the claim itself leaves its entry',
};
/** Those whose address is known only after another call; each has its test below. */
const BELOW = ['deleteApiKey', 'deleteOrgApiKey', 'stopJob'];

const rows = allEndpoints().filter(([, row]) => row.method !== 'GET' && row.path.includes('{org}'));

describe('every write', () => {
  beforeAll(() => putProfile('base', { ...CODE, content }));

  it.each(rows.filter(([id]) => !(id in NO_TRAIL) && !BELOW.includes(id)))('%s leaves exactly one entry', async (id, row) => {
    const write = WRITES[id] ?? partWrite(id);
    expect(write, `say how ${id} succeeds, so that its entry is seen`).toBeDefined();
    await write?.before?.();
    await leavesOne(row.method, write?.path ?? '', write?.body);
  });

  it.each([site('revoked', '/apiKeys'), org('/apiKeys')])('the revocation of a key leaves one: %s', async (path) => {
    await putSite('revoked', { title: path.length.toString() });
    const { id, value } = Object((await done('POST', `${path}.json`, { roles: ['author'] })).json());
    const entry = await leavesOne('DELETE', `${path}/${id}.json`, undefined);
    expect(JSON.stringify(entry)).not.toContain(String(value));
  });

  it('the stopping of a sync leaves one', async () => {
    await putSite('stopped', { code: { owner: 'wknd', repo: 'stopped' } });
    const { job } = Object((await done('POST', '/code/wknd/stopped/main/*')).json());
    await leavesOne('DELETE', `/job/wknd/stopped/main/code/${Object(job).name}`, undefined);
  });

  it('that restores a version leaves one, with the version that it went to', async () => {
    await twice((title) => putSite('restored', { title }));
    expect(await leavesOne('POST', `${site('restored')}?restoreVersion=1`, undefined)).toMatchObject({
      action: 'restore-site/1',
      from: 2,
      to: 3,
    });
    await twice((title) => putProfile('restored', { title }));
    expect(await leavesOne('POST', `${profile('restored')}?restoreVersion=1`, undefined)).toMatchObject({ from: 2, to: 3 });
    await twice((title) => done('PUT', org('.json'), { title }));
    const { current } = Object((await done('GET', org('/versions.json'))).json());
    const back = await leavesOne('POST', `${org('.json')}?restoreVersion=${Number(current) - 1}`, undefined);
    expect(back).toMatchObject({ action: `restore-org/${Number(current) - 1}`, from: current, to: Number(current) + 1 });
  });

  it('that changes nothing leaves none', async () => {
    await putSite('same');
    const before = await entries('?limit=1');
    await putSite('same');
    await done('PUT', `${site('same')}?dryRun=true`, siteBody('wknd', 'same', { ...CODE, title: 'Only thought of' }));
    await done('POST', site('same', '/versions/1.json?name='));
    expect(await entries('?limit=1')).toEqual(before);
  });

  it('that is refused leaves none', async () => {
    const before = await entries('?limit=1');
    expect((await backend.call('PUT', site('same'), { as, body: {} })).status).toBe(400);
    expect((await backend.call('DELETE', site('same'), { as: ADMIN })).status).toBe(403);
    expect(await entries('?limit=1')).toEqual(before);
  });
});

describe('the trail', () => {
  it('tells who did what, when, from which version to which, newest first', async () => {
    await putSite('told', { title: 'One' });
    await putSite('told', { title: 'Two' });
    await done('DELETE', site('told'));
    const told = await entries('?site=told');
    expect(told).toMatchObject([
      { action: 'delete-site', site: 'told', user: OPERATOR, from: 2, to: 3 },
      { action: 'put-site', from: 1, to: 2 },
      { action: 'put-site', to: 1 },
    ]);
    expect(told.at(-1)).not.toHaveProperty('from');
    const times = told.map(({ time }) => time);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('comes in pages that lead to each other, by header and in the answer', async () => {
    const all = await entries('?limit=1000');
    const read = [];
    let next: string | undefined = '/config/wknd/log.json?since=1h&limit=50';
    while (next !== undefined) {
      const answer: Answered = await done('GET', next);
      const page = AuditLog.parse(answer.json());
      read.push(...page.entries);
      next = page.links.next;
      expect(answer.headers['link']).toBe(next === undefined ? undefined : `<${next}>; rel="next"`);
    }
    expect(read).toEqual(all);
  });

  it.each(['90s', '15m', '24h', '7d', '2020-01-31', '2020-01-31T09:00:00Z', '2020-01-31T09:00:00.000+02:00'])(
    'is read since %s',
    async (since) => {
      expect((await entries(`?since=${encodeURIComponent(since)}&limit=1`)).length).toBe(1);
    },
  );

  it('holds nothing of before the time that is asked for', async () => {
    await putSite('since', { title: 'One' });
    const [{ time } = { time: '' }] = await entries('?limit=1');
    expect((await entries(`?since=${time}`)).every((entry) => entry.time >= time)).toBe(true);
    const later = new Date(Date.parse(time) + 60_000).toISOString();
    expect(await entries(`?since=${later}`)).toEqual([]);
  });

  it.each(['yesterday', '5 days', '-1h', '2020-13-01', '1x', ''])('refuses since=%s and says what to write', async (since) => {
    const answer = await backend.call('GET', `/config/wknd/log.json?since=${encodeURIComponent(since)}`, { as });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
    expect(answer.text).toContain('24h');
  });

  it('never holds a secret', async () => {
    const generated = Object((await done('POST', site('generated', '/secrets.json'))).json());
    const { text } = await done('GET', '/config/wknd/log.json?limit=1000');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(String(generated.value));
  });

  it('calls every change by a name that is explained', async () => {
    const parts = SITE_PART_NAMES.flatMap((part) => [`set-${part}`, `delete-${part}`]);
    const known = [...Object.keys(AUDIT_ACTIONS), ...parts];
    const unknown = (await entries('?limit=1000'))
      .map(({ action }) => action)
      .filter((action) => !known.some((one) => action === one || action.startsWith(`${one}/`)));
    expect(unknown).toEqual([]);
  });

  it('is for the admins of the organization, and that of a site for its own', async () => {
    await putSite('own', { access: { admin: { role: { admin: [ADMIN], config_admin: [CONFIG_ADMIN] }, requireAuth: 'false' } } });
    const status = async (path: string, who?: string) => (await backend.call('GET', path, who === undefined ? {} : { as: who })).status;
    expect([await status(org('/log.json'), ADMIN), await status(org('/log.json?site=own'), ADMIN)]).toEqual([403, 403]);
    expect([await status(site('own', '/log.json'), ADMIN), await status(site('put', '/log.json'), ADMIN)]).toEqual([200, 403]);
    expect([await status(site('own', '/log.json'), CONFIG_ADMIN), await status(site('own', '/log.json'))]).toEqual([403, 401]);
    const own = AuditLog.parse((await done('GET', site('own', '/log.json?limit=1'))).json());
    expect(own.entries).toMatchObject([{ site: 'own', action: 'put-site', to: 1 }]);
  });

  it('outlives the site', async () => {
    await putSite('mortal');
    await done('DELETE', site('mortal'));
    const { entries: all } = AuditLog.parse((await done('GET', site('mortal', '/log.json'))).json());
    expect(all.map(({ action }) => action)).toEqual(['delete-site', 'put-site']);
  });
});

/** A part of a site, `public:set`, or of a profile, `profile/public:remove`. */
function partWrite(id: string): Write | undefined {
  const [, ofProfile, part = '', verb] = /^(profile\/)?(.+):(set|remove)$/.exec(id) ?? [];
  const known = (ofProfile === undefined ? SITE_PART_NAMES : PROFILE_PART_NAMES).find((one) => one === part);
  if (known === undefined) return undefined;
  const name = `${verb}-${part.replace('/', '-')}`;
  const path = ofProfile === undefined ? site(name, `/${part}.json`) : profile(name, `/${part}.json`);
  const make = (more: Readonly<Record<string, unknown>>) =>
    ofProfile === undefined ? putSite(name, { extends: { profile: 'base' }, ...more }) : putProfile(name, more);
  if (verb === 'remove') return { path, before: () => make(nested(known)) };
  if (known === 'extends') return { path, body: PARTS[known], before: () => putSite(name) };
  return { path, body: PARTS[known], before: () => make({}) };
}

function nested(part: SitePart): Record<string, unknown> {
  return part.split('/').reduceRight<unknown>((value, key) => ({ [key]: value }), PARTS[part]) as Record<string, unknown>;
}

async function leavesOne(method: string, path: string, body: unknown) {
  const before = await entries('?limit=1000');
  const requestId = `trail-${before.length}-${method}`;
  const media = typeof body === 'string' ? { 'content-type': 'text/plain' } : {};
  const answer = await backend.call(method, path, {
    as,
    headers: { 'x-request-id': requestId, ...media },
    ...(body !== undefined && { body }),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
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

async function done(method: string, path: string, body?: unknown): Promise<Answered> {
  const answer = await backend.call(method, path, { as, ...(body !== undefined && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

async function twice(write: (title: string) => Promise<unknown>): Promise<void> {
  for (const title of ['One', 'Two']) await write(title);
}

async function addUser(id: string): Promise<void> {
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { id, email: `${id}@example.com`, roles: ['author'] },
  ];
  await done('PUT', org('.json'), { users });
}

function group() {
  return { members: [{ email: 'eda@example.com' }] };
}
