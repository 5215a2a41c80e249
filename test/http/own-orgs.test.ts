import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { OwnOrgs } from '@repoless/contract/org.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

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
async function claim(org: string, body: object): Promise<void> {
  const { status, text } = await service.call('PUT', `/config/${org}.json?confirm=true`, { as: OPERATOR, body });
  if (status >= 300) throw new Error(text);
}
async function orgsOf(as: string): Promise<OwnOrgs> {
  const answer = await service.call('GET', '/orgs.json', { as });
  expect(answer.status).toBe(200);
  return answer.json() as OwnOrgs;
}

it('lists the organizations in which somebody has a role, by name, and with these roles', async () => {
  expect(await orgsOf('ada@example.com')).toEqual({
    orgs: [
      { name: 'acme', title: 'Acme', roles: ['admin', 'config'] },
      { name: 'bolt', roles: ['config_admin'] },
    ],
  });
  expect(await orgsOf('cleo@crew.example.com')).toEqual({ orgs: [{ name: 'crew', roles: ['publish'] }] });
});

it('tells nobody of an organization in which they have no role, or that everybody has one in', async () => {
  expect(await orgsOf('bob@example.com')).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['author'] }] });
  expect(await orgsOf('stranger@elsewhere.example.com')).toEqual({ orgs: [] });
  expect((await service.call('GET', '/orgs.json')).status).toBe(401);
});

it('follows who is let in and who is taken out', async () => {
  const added = await service.call('POST', '/config/acme/users.json', { as: OPERATOR, body: user('new@example.com', 'publish') });
  expect(await orgsOf('new@example.com')).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['publish'] }] });
  const { id } = added.json() as { id: string };
  await service.call('DELETE', `/config/acme/users/${id}.json`, { as: OPERATOR });
  expect(await orgsOf('new@example.com')).toEqual({ orgs: [] });
});

it('tells an API key of its own organization alone', async () => {
  const made = await service.call('POST', '/config/acme/apiKeys.json', { as: 'ada@example.com', body: { roles: ['publish'] } });
  const { value } = made.json() as { value: string };
  const answer = await service.call('GET', '/orgs.json', { headers: { authorization: `token ${value}` } });
  expect(answer.json()).toEqual({ orgs: [{ name: 'acme', title: 'Acme', roles: ['publish'] }] });
});

it('lists so many and no more, and says so', async () => {
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
