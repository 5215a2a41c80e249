import { beforeAll, describe, expect, it } from 'vitest';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { OrgUser, OrgUserList, type OwnOrgs } from '@repoless/contract/org.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { longestBlock } from '../support/loop-delay.ts';

const USERS = '/config/wknd/users.json';
const SITE = '/config/wknd/sites/first.json';
const ADA = 'ada.admin@example.com';
const as = OPERATOR;

const backend = startBeforeAll(() => startTestBackend({ sites: { first: {} }, orgs: ['wknd', 'people'] }));
const { done } = callsAs(backend, OPERATOR);

describe('the consequences of a change of the organization', () => {
  it('name the affected sites: all for a role in the organization, those that name it for a group', async () => {
    const org = '/config/people';
    const document = (members: readonly string[], users: readonly string[]) => ({
      users: [{ email: OPERATOR, roles: ['admin'] }, ...users.map((email) => ({ email, roles: ['admin'] }))],
      groups: { team: { members: members.map((email) => ({ email })) } },
    });
    expect((await backend.call('PUT', `${org}.json`, { as, body: document([ADA, 'ben@example.com'], ['cleo@example.com']) })).status).toBe(
      200,
    );
    for (const [site, list] of [
      ['one', ['groups/team', OPERATOR]],
      ['two', ['groups/team', OPERATOR]],
      ['three', [OPERATOR]],
    ] as const) {
      const body = siteBody('people', site, { access: { admin: { role: { admin: list } } } });
      expect((await backend.call('PUT', `${org}/sites/${site}.json`, { as, body })).status).toBe(201);
    }
    const dryRun = async (body: unknown) =>
      DryRun.parse((await backend.call('PUT', `${org}.json?dryRun=true&replace=true`, { as, body })).json()).consequences;
    expect(await dryRun(document([ADA], ['cleo@example.com']))).toEqual([
      { what: { kind: 'people-lost', role: 'admin', people: ['ben@example.com'] }, grave: true, sites: ['one', 'two'] },
    ]);
    expect(await dryRun(document([ADA, 'ben@example.com'], []))).toEqual([
      { what: { kind: 'people-lost', role: 'admin', people: ['cleo@example.com'] }, grave: true, sites: ['one', 'three', 'two'] },
    ]);
  });
});

describe('the users of an organization', () => {
  it('are listed, and a new one gets an identifier and the permissions of its roles on every site', async () => {
    expect((await backend.call('GET', SITE, { as: 'Carl@Example.com' })).status).toBe(404);
    const added = await add({ email: 'Carl@Example.com', roles: ['config_admin'], name: 'Carl' });
    expect(added).toMatchObject({ email: 'Carl@Example.com', roles: ['config_admin'], name: 'Carl', id: expect.any(String) });
    expect(await list()).toContainEqual(added);
    expect((await backend.call('GET', `/config/wknd/users/${added.id}.json`, { as })).json()).toEqual(added);
    expect((await backend.call('GET', SITE, { as: 'carl@example.COM' })).status).toBe(200);
  });

  it('can be technical accounts, named by their identifiers', async () => {
    await add({ email: 'ABC123@techacct.example.com', roles: ['config_admin'] });
    expect((await backend.call('GET', SITE, { as: 'abc123@techacct.example.com' })).status).toBe(200);
  });

  it('can be replaced and removed one by one', async () => {
    const { id } = await add({ email: 'ella@example.com', roles: ['author'] });
    const address = `/config/wknd/users/${id}.json`;
    const set = await backend.call('POST', address, { as, body: { id: 'mine', email: 'ella@example.com', roles: ['admin', 'admin'] } });
    expect([set.status, set.json()]).toEqual([200, { id, email: 'ella@example.com', roles: ['admin'] }]);
    expect((await backend.call('GET', '/config/wknd.json', { as: 'ella@example.com' })).status).toBe(200);
    expect((await backend.call('DELETE', address, { as })).status).toBe(204);
    expect((await backend.call('GET', '/config/wknd.json', { as: 'ella@example.com' })).status).toBe(404);
    for (const method of ['GET', 'DELETE']) expect((await backend.call(method, address, { as })).code).toBe('USER_NOT_FOUND');
  });

  it('are unique by e-mail, whatever its case', async () => {
    const { id } = await add({ email: 'twice@example.com', roles: ['admin'] });
    const again = await backend.call('POST', USERS, { as, body: { email: 'TWICE@example.com', roles: ['author'] } });
    expect([again.status, again.code, Problem.parse(again.json()).data]).toEqual([409, 'USER_EXISTS', { email: 'twice@example.com', id }]);
    const other = await add({ email: 'other@example.com', roles: ['author'] });
    const renamed = await backend.call('POST', `/config/wknd/users/${other.id}.json`, {
      as,
      body: { email: 'twice@example.com', roles: ['author'] },
    });
    expect(renamed.code).toBe('USER_EXISTS');
    const users = [...(await list()), { email: 'Twice@example.com', roles: ['author'] }];
    const put = await backend.call('PUT', '/config/wknd.json', { as, body: { users } });
    expect(Problem.parse(put.json()).errors).toEqual([
      {
        pointer: `/users/${users.length - 1}/email`,
        detail: expect.stringMatching(/twice/i),
        rule: 'listedTwice',
        data: { name: expect.stringMatching(/twice/i) },
      },
    ]);
  });

  it.each([
    [{ email: 'x@example.com', roles: ['Super User'] }, '/roles/0'],
    [{ email: 'x@example.com' }, '/roles'],
    [{ email: 'two words', roles: ['author'] }, '/email'],
  ])('are refused with a pointer: %j', async (body, pointer) => {
    const answer = await backend.call('POST', USERS, { as, body });
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    expect(Problem.parse(answer.json()).errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('are refused with the accepted types if the body has another', async () => {
    const answer = await backend.call('POST', USERS, { as, body: 5 });
    expect(Problem.parse(answer.json()).errors).toEqual([
      { pointer: '', detail: 'Write an object or an array here.', rule: 'type', data: { types: 'object, array' } },
    ]);
  });

  it('honour preconditions and dry runs', async () => {
    const { headers } = await backend.call('GET', USERS, { as });
    const etag = headers['etag'] ?? '';
    const body = { email: 'later@example.com', roles: ['author'] };
    const dryRun = await backend.call('POST', `${USERS}?dryRun=true`, { as, body });
    expect(dryRun.json()).toMatchObject({ dryRun: true, status: 200, result: body, diff: [{ op: 'add' }] });
    expect((await backend.call('POST', USERS, { as, body, headers: { 'if-match': etag } })).status).toBe(200);
    const stale = await backend.call('POST', USERS, { as, body: { ...body, email: 'latest@example.com' }, headers: { 'if-match': etag } });
    expect(stale.status).toBe(412);
  });

  it('are all stored if they are added concurrently', async () => {
    const emails = Array.from({ length: 8 }, (_, index) => `crowd-${index}@example.com`);
    await Promise.all(emails.map((email) => add({ email, roles: ['author'] })));
    const stored = new Set((await list()).map(({ email }) => email));
    expect(emails.filter((email) => !stored.has(email))).toEqual([]);
  });
});

describe('the last admin', () => {
  it('cannot be removed, nor can the caller without confirmation', async () => {
    const [admin] = (await list()).filter(({ email }) => email === OPERATOR);
    const address = `/config/wknd/users/${admin?.id}.json`;
    const demoted = { email: OPERATOR, roles: ['author'] };
    expect((await backend.call('POST', address, { as, body: demoted })).code).toBe('WOULD_LOCK_OUT');
    await removeOtherAdmins();
    for (const path of [address, `${address}?confirm=true`]) {
      expect((await backend.call('DELETE', path, { as })).code).toBe('WOULD_LOCK_OUT');
      expect((await backend.call('POST', path, { as, body: demoted })).code).toBe('WOULD_LOCK_OUT');
    }
    const second = await add({ email: ADA, roles: ['admin'] });
    expect((await backend.call('DELETE', address, { as })).status).toBe(409);
    expect((await backend.call('DELETE', `${address}?confirm=true`, { as })).status).toBe(204);
    expect((await backend.call('GET', USERS, { as })).status).toBe(404);
    await add({ email: OPERATOR, roles: ['admin'] }, ADA);
    expect((await backend.call('DELETE', `/config/wknd/users/${second.id}.json`, { as })).status).toBe(204);
  });

  it('can be a member of a group, which then can be neither emptied nor removed', async () => {
    await group('owners', ['olga@example.com']);
    await add({ email: 'groups/owners', roles: ['admin'] });
    const olga = 'olga@example.com';
    const [operator] = (await list()).filter(({ email }) => email === OPERATOR);
    expect((await backend.call('DELETE', `/config/wknd/users/${operator?.id}.json`, { as: olga })).status).toBe(204);
    const emptied = await backend.call('POST', '/config/wknd/groups/owners.json?confirm=true', { as: olga, body: { members: [] } });
    expect(emptied.code).toBe('WOULD_LOCK_OUT');
    const removed = await backend.call('DELETE', '/config/wknd/groups/owners.json?confirm=true', { as: olga });
    expect(removed).toMatchObject({ status: 409, code: 'WOULD_LOCK_OUT' });
    await add({ email: OPERATOR, roles: ['admin'] }, olga);
  });
});

describe('groups', () => {
  it('of the organization are listed by name, and grant their roles to their members', async () => {
    await group('editors', ['Eve@example.com', '*@agency.example.com']);
    const groups = await backend.call('GET', '/config/wknd/groups.json', { as });
    expect(groups.json()).toMatchObject({ editors: { members: [{ email: 'Eve@example.com' }, { email: '*@agency.example.com' }] } });
    await access({ config_admin: ['groups/editors'], author: ['groups/Editors.json'] });
    for (const email of ['eve@example.com', 'anybody@agency.example.com'])
      expect((await backend.call('GET', SITE, { as: email })).status).toBe(200);
    expect((await backend.call('GET', SITE, { as: 'anybody@elsewhere.example.com' })).status).toBe(404);
  });

  it('can contain groups, of which those of a site take precedence over those of the organization', async () => {
    await group('inner', ['iris@example.com']);
    await group('outer', ['groups/inner']);
    await access({ config_admin: ['groups/outer'] });
    expect((await backend.call('GET', SITE, { as: 'iris@example.com' })).status).toBe(200);
    await siteGroup('inner', ['ivan@example.com']);
    await siteGroup('both', ['groups/inner']);
    await access({ config_admin: ['groups/both'] });
    expect((await backend.call('GET', SITE, { as: 'ivan@example.com' })).status).toBe(200);
    expect((await backend.call('GET', SITE, { as: 'iris@example.com' })).status).toBe(404);
  });

  it('that contain themselves, directly or in a ring, are refused with the path', async () => {
    const itself = await backend.call('POST', '/config/wknd/groups/ring.json', { as, body: members(['groups/ring']) });
    expect(Problem.parse(itself.json()).errors?.[0]).toEqual({
      pointer: '',
      detail: 'A group cannot contain itself: "ring" contains "ring". Remove one of them.',
      rule: 'groupRing',
      data: { path: '"ring", "ring"' },
    });
    await group('third', ['x@example.com']);
    await group('second', ['groups/third']);
    await group('ring', ['groups/second']);
    const round = await backend.call('POST', '/config/wknd/groups/third.json', { as, body: members(['groups/ring']) });
    expect([round.status, round.error]).toEqual([
      400,
      expect.stringContaining('"ring" contains "second" contains "third" contains "ring"'),
    ]);
    const ofSite = await backend.call('POST', '/config/wknd/sites/first/groups/loop.json', { as, body: members(['groups/loop']) });
    expect(ofSite.status).toBe(400);
  });

  it('can be named before they exist, and have no members until then', async () => {
    const path = '/config/wknd/sites/first/access/admin.json';
    const body = { role: { config_admin: ['/groups/Later_1='] } };
    expect((await backend.call('POST', path, { as, body })).status).toBe(200);
    const late = 'late@example.com';
    const read = () => backend.call('GET', '/config/wknd/sites/first.json', { as: late });
    expect((await read()).status).toBe(404);
    await siteGroup('Later_1=', [late]);
    expect((await read()).status).toBe(200);
    expect((await backend.call('DELETE', '/config/wknd/sites/first/groups/Later_1=.json', { as })).status).toBe(204);
    expect((await read()).status).toBe(404);
    await access({});
    await group('gone', ['g@example.com']);
    expect((await backend.call('DELETE', '/config/wknd/groups/gone.json', { as })).status).toBe(204);
    expect((await backend.call('GET', '/config/wknd/groups/gone.json', { as })).code).toBe('GROUP_NOT_FOUND');
  });
});

it('a change of an organization adds a version and an audit entry, and one without effect adds none', async () => {
  const before = await versions();
  await group('traced', ['t@example.com']);
  await group('traced', ['t@example.com']);
  const after = await versions();
  expect(after.length).toBe(before.length + 1);
  expect(after[0]).toMatchObject({ user: OPERATOR });
  const [latest] = await backend.store.reads.audits('wknd', { limit: 1 });
  expect(latest).toMatchObject({ action: 'set-groups/traced', user: OPERATOR, to: after[0]?.version });
});

async function add(body: unknown, who = as): Promise<OrgUser> {
  return OrgUser.parse((await callsAs(backend, who).done('POST', USERS, body)).json());
}

async function list(): Promise<OrgUser[]> {
  return OrgUserList.parse((await backend.call('GET', USERS, { as })).json());
}

async function removeOtherAdmins(): Promise<void> {
  const users = (await list()).filter(({ email, roles }) => email === OPERATOR || !roles.includes('admin'));
  await done('PUT', '/config/wknd.json', { users });
}

const members = (emails: readonly string[]) => ({ members: emails.map((email) => ({ email })) });
const group = (name: string, emails: readonly string[]) => done('POST', `/config/wknd/groups/${name}.json`, members(emails));
const siteGroup = (name: string, emails: readonly string[]) =>
  done('POST', `/config/wknd/sites/first/groups/${name}.json`, members(emails));
const access = (role: Readonly<Record<string, readonly string[]>>) =>
  done('POST', '/config/wknd/sites/first/access.json', { admin: { role } });

function versions() {
  return backend.store.reads.versions({ kind: 'org', org: 'wknd' });
}

const NAMES = ['acme', 'bolt', 'crew', 'dune', ...Array.from({ length: LIMITS.ownOrgs + 1 }, (_, index) => `many-${index + 100}`)];
const service = startBeforeAll(() => startTestBackend({ claim: false, orgs: NAMES }));
beforeAll(async () => {
  await claim('acme', { title: 'Acme', users: [user('ada@example.com', 'admin', 'config'), user('bob@example.com', 'author')] });
  await claim('bolt', {
    users: [user('groups/all', 'config_admin')],
    groups: { all: { members: [{ email: 'Ada@example.com' }] }, idle: { members: [{ email: 'bob@example.com' }] } },
  });
  await claim('crew', { users: [user('*@crew.example.com', 'publish')] });
  await claim('dune', { users: [user('*', 'author')] });
});

const user = (email: string, ...roles: string[]) => ({ email, roles });
const claim = (org: string, body: object) => callsAs(service, OPERATOR).done('PUT', `/config/${org}.json?confirm=true`, body);
const orgsOf = async (as: string) => (await callsAs(service, as).read('/orgs.json')) as OwnOrgs;

it('lists the organizations in which a person has a role, by name, with the roles', async () => {
  expect(await orgsOf('ada@example.com')).toEqual({
    orgs: [
      { name: 'acme', title: 'Acme', roles: ['admin', 'config'] },
      { name: 'bolt', roles: ['config_admin'] },
    ],
  });
  expect(await orgsOf('cleo@crew.example.com')).toEqual({ orgs: [{ name: 'crew', roles: ['publish'] }] });
});

it('lists no organization in which the person has no role, or everyone has one', async () => {
  expect(await orgsOf('bob@example.com')).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['author'] }] });
  expect(await orgsOf('stranger@elsewhere.example.com')).toEqual({ orgs: [] });
  expect((await service.call('GET', '/orgs.json')).status).toBe(401);
});

it('follows added and removed roles', async () => {
  const added = await service.call('POST', '/config/acme/users.json', { as: OPERATOR, body: user('new@example.com', 'publish') });
  expect(await orgsOf('new@example.com')).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['publish'] }] });
  const { id } = added.json() as { id: string };
  await service.call('DELETE', `/config/acme/users/${id}.json`, { as: OPERATOR });
  expect(await orgsOf('new@example.com')).toEqual({ orgs: [] });
});

it('lists only its own organization for an API key', async () => {
  const created = await service.call('POST', '/config/acme/apiKeys.json', { as: 'ada@example.com', body: { roles: ['publish'] } });
  const { value } = created.json() as { value: string };
  const answer = await service.call('GET', '/orgs.json', { headers: { authorization: `token ${value}` } });
  expect(answer.json()).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['publish'] }] });
});

it('lists LIMITS.ownOrgs organizations, and reports more', async () => {
  const many = NAMES.filter((name) => name.startsWith('many-'));
  for (const name of many.slice(0, -1)) await claim(name, { users: [user('max@example.com', 'admin')] });
  const whole = await orgsOf('max@example.com');
  expect(whole.orgs).toHaveLength(LIMITS.ownOrgs);
  expect(whole.more).toBeUndefined();
  await claim(many.at(-1) ?? '', { users: [user('max@example.com', 'admin')] });
  const cut = await orgsOf('max@example.com');
  expect(cut.orgs).toHaveLength(LIMITS.ownOrgs);
  expect(cut.more).toBe(true);
});

describe('the administrator of an organization', () => {
  const backend = startBeforeAll(() => {
    const admin = { role: { admin: [OPERATOR], author: ['ada@example.com', '*@partner.example'] }, defaultRole: ['author'] };
    return startTestBackend({ sites: { 'site-one': { access: { admin } } } });
  });

  const refused = async (who: string) => {
    const answer = await backend.call('POST', '/config/wknd/sites/site-one/robots.txt', {
      as: who,
      body: 'User-agent: *',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
    return answer.text;
  };

  it.each(['ada@example.com', 'somebody@partner.example'])('is named to a person whose role is not sufficient: %s', async (who) => {
    expect(await refused(who)).toContain(`An administrator can grant it: ${OPERATOR}.`);
  });

  it('is not named to a person who only has the default role of the site', async () => {
    const text = await refused('stranger@elsewhere.example');
    expect(text).toContain('Ask an administrator of the organization for access.');
    expect(text).not.toContain(OPERATOR);
  });

  it('is not named to a person who only has the role that the organization gives everyone', async () => {
    const path = '/config/wknd.json';
    const { users } = (await backend.call('GET', path, { as: OPERATOR })).json() as { users: object[] };
    const everyone = { email: '*', roles: ['basic_author'] };
    const put = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: [...users, everyone] });
    expect(put.status, put.text).toBe(200);
    const read = await backend.call('GET', path, { as: 'stranger@elsewhere.example' });
    expect([read.status, read.text]).toEqual([403, expect.not.stringContaining(OPERATOR)]);
    const claim = { as: 'stranger@elsewhere.example', body: { repository: 'site' } };
    const challenge = await backend.call('POST', '/config/wknd/challenge.json', claim);
    expect([challenge.status, challenge.text]).toEqual([200, expect.not.stringContaining(OPERATOR)]);
  });
});

describe('hostile groups:', () => {
  const backend = startBeforeAll(() => startTestBackend({ sites: { first: {} }, orgs: ['wknd', 'people'] }));
  type Groups = Readonly<Record<string, { members: readonly { email: string }[] }>>;
  const names = (count: number) => Array.from({ length: count }, (_, index) => `g${index}`);
  const chain = (count: number): Groups =>
    Object.fromEntries(
      names(count).map((name, index) => [name, { members: [{ email: index + 1 < count ? `groups/g${index + 1}` : 'ada@example.com' }] }]),
    );
  const put = (groups: Groups, admin: readonly string[] = [OPERATOR]) =>
    backend.call('PUT', '/config/wknd/sites/groups.json', {
      as: OPERATOR,
      body: siteBody('wknd', 'groups', { groups, access: { admin: { role: { admin } } } }),
    });

  it.each([
    ['a chain of 1,400 groups', chain(1400)],
    ['the same chain in reverse', Object.fromEntries(Object.entries(chain(1400)).toReversed())],
    ['a chain of one group too many', chain(LIMITS.groupDepth + 1)],
  ])('%s is refused without blocking', async (_, groups) => {
    const blocked = await longestBlock(async () => {
      expect(await put(groups)).toMatchObject({ status: 400, error: expect.stringMatching(/^Groups are nested more than 10 deep: "g/) });
    });
    expect(blocked).toBeLessThan(200);
  });

  it('nested groups with 12^9 paths do not block writes and reads', async () => {
    // Each of 9 levels has 12 groups, which all contain all 12 of the level below: 12^9 paths.
    const level = (depth: number) => Array.from({ length: 12 }, (_, index) => `l${depth}-${index}`);
    const groups = Object.fromEntries(
      Array.from({ length: 9 }, (_, depth) =>
        level(depth).map((name) => [
          name,
          { members: depth === 8 ? [{ email: 'ada@example.com' }] : level(depth + 1).map((below) => ({ email: `groups/${below}` })) },
        ]),
      ).flat(),
    );
    const blocked = await longestBlock(async () => {
      const answer = await put(groups, [OPERATOR, ...level(0).map((name) => `groups/${name}`)]);
      expect([answer.status, answer.error]).toEqual([201, undefined]);
      expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'ada@example.com' })).status).toBe(200);
      expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'bob@example.com' })).status).toBe(404);
    });
    expect(blocked).toBeLessThan(200);
  });

  it('a group LIMITS.groupDepth levels deep grants its roles', async () => {
    expect((await put(chain(LIMITS.groupDepth), [OPERATOR, 'groups/g0'])).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'ada@example.com' })).status).toBe(200);
  });
});
