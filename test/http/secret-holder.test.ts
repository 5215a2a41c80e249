import { beforeAll, expect, it } from 'vitest';
import { Problem } from '@repoless/contract/errors.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const HOLA = 'hola@example.com';
const at = (site: string) => `/config/wknd/sites/${site}.json`;
const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await put('holder', '200', true);
  await put('further', '200');
  await put('shared', '200', false, { access: { admin: { role: { admin: [HOLA] } } } });
  await put('alone', '300', true);
  const secret = { as: OPERATOR, body: { value: 'a-secret-value' } };
  expect((await backend.call('POST', '/config/wknd/sites/holder/secrets/cm-byog.json', secret)).status).toBe(200);
});

it('a site is not removed while others use the secret of the repository that it holds', async () => {
  for (const query of ['?dryRun=true', '']) {
    const refused = await remove('holder', query);
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'SECRET_IN_USE']);
    const { detail, data } = Problem.parse(refused.json());
    expect(detail).toContain('"wknd/holder" holds the secret of the external repository 100/200, which is used by further, shared.');
    expect(data).toMatchObject({ sites: 'further, shared', count: '2' });
  }
  const kept = await backend.call('GET', '/config/wknd/sites/holder/secrets/cm-byog.json', { as: OPERATOR });
  expect(kept.status).toBe(200);
});

it('sites that the caller may not read are counted, not named', async () => {
  const access = { admin: { role: { admin: [HOLA] } } };
  const given = await backend.call('POST', '/config/wknd/sites/holder/access.json', { as: OPERATOR, body: access });
  expect(given.status, given.text).toBe(200);
  const refused = await remove('holder', '', HOLA);
  expect(refused.headers['x-error-code']).toBe('SECRET_IN_USE');
  expect(refused.headers['x-error']).toContain('which is used by shared and 1 other site.');
  expect(refused.text).not.toContain('further');
});

it('it is removed after the others, or when they have another code source', async () => {
  expect((await remove('alone')).status).toBe(204);
  expect((await remove('further')).status).toBe(204);
  const moved = await backend.call('PUT', at('shared'), { as: OPERATOR, body: siteBody('wknd', 'shared') });
  expect(moved.status, moved.text).toBe(200);
  const tried = await remove('holder', '?dryRun=true');
  expect(tried.status, tried.text).toBe(200);
  expect((await remove('holder')).status).toBe(204);
});

it('one of the others comes to hold it when the holder has another code source', async () => {
  await put('before', '400', true);
  await put('after', '400');
  const moved = await backend.call('PUT', at('before'), { as: OPERATOR, body: siteBody('wknd', 'before') });
  expect(moved.status, moved.text).toBe(200);
  await put('after', '400', true, {}, 200);
  expect((await remove('before')).status).toBe(204);
});

async function put(site: string, repo: string, holds = false, more = {}, status = 201): Promise<void> {
  const address = `https://build.example.com/100/${repo}`;
  const source = { type: 'byogit', url: address, raw_url: address, owner: '100', repo, ...(holds && { secretId: 'cm-byog' }) };
  const body = siteBody('wknd', site, { code: { owner: '100', repo, source }, ...more });
  const answer = await backend.call('PUT', at(site), { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(status);
}

function remove(site: string, query = '', as = OPERATOR): Promise<TestAnswer> {
  return backend.call('DELETE', `${at(site)}${query}`, { as });
}
