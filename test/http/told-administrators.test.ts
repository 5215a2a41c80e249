import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  const admin = { role: { admin: [OPERATOR], author: ['ada@example.com', '*@partner.example'] }, defaultRole: ['author'] };
  const answer = await backend.call('PUT', '/config/wknd/sites/site-one.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'site-one', { access: { admin } }),
  });
  expect(answer.status, answer.text).toBe(201);
});

const refused = async (who: string) => {
  const answer = await backend.call('POST', '/config/wknd/sites/site-one/robots.txt', {
    as: who,
    body: 'User-agent: *',
    headers: { 'content-type': 'text/plain' },
  });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
  return answer.text;
};

describe('who administers an organization', () => {
  it.each(['ada@example.com', 'somebody@partner.example'])(
    'is told to somebody whom it gave a role that is not enough: %s',
    async (who) => {
      expect(await refused(who)).toContain(`An administrator can grant it: ${OPERATOR}.`);
    },
  );

  it('is not told to somebody who has but the roles of everybody, by the site', async () => {
    const text = await refused('stranger@elsewhere.example');
    expect(text).toContain('Ask an administrator of the organization for access.');
    expect(text).not.toContain(OPERATOR);
  });

  it('is not told to somebody who has but the roles of everybody, by the organization', async () => {
    const path = '/config/wknd.json';
    const { users } = (await backend.call('GET', path, { as: OPERATOR })).json() as { users: object[] };
    const everybody = { email: '*', roles: ['basic_author'] };
    const put = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: [...users, everybody] });
    expect(put.status, put.text).toBe(200);
    const read = await backend.call('GET', path, { as: 'stranger@elsewhere.example' });
    expect([read.status, read.text]).toEqual([403, expect.not.stringContaining(OPERATOR)]);
    const claim = { as: 'stranger@elsewhere.example', body: { repository: 'site' } };
    const challenge = await backend.call('POST', '/config/wknd/challenge.json', claim);
    expect([challenge.status, challenge.text]).toEqual([200, expect.not.stringContaining(OPERATOR)]);
  });
});
