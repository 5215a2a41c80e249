import { expect, it } from 'vitest';
import { Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { eachStore } from '../support/each-store.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const at = (kind: 'sites' | 'profiles', name: string) => `/config/wknd/${kind}/${name}.json`;
const NO_HOLDER = 'No site of the organization "wknd" holds the secret of the external repository 100/200.';
const backend = startBeforeAll(() => startTestBackend());

it('a profile moves its sites to an external repository when a site holds the secret of it, and not before', async () => {
  const { code, ...rest } = siteBody('wknd', 'moved');
  expect((await put('profiles', 'brand', { code })).status).toBe(201);
  expect((await put('sites', 'moved', { ...rest, extends: { profile: 'brand' } })).status).toBe(201);

  const tried = await put('profiles', 'brand', external('200'), '?dryRun=true');
  for (const refused of [tried, await put('profiles', 'brand', external('200'))]) {
    expect([refused.status, refused.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    const { detail, errors, data } = Problem.parse(refused.json());
    expect(detail).toContain(`With this profile site "wknd/moved" would break a rule. ${NO_HOLDER}`);
    expect(detail).toContain('Set "code" on one site itself, with "secretId": "cm-byog", and store the secret there. Then try again.');
    expect([errors, data]).toEqual([[expect.objectContaining({ pointer: '/code' })], expect.objectContaining({ extending: 'wknd/moved' })]);
  }
  const part = await backend.call('POST', '/config/wknd/profiles/brand/code.json', { as, body: external('200').code });
  expect([part.status, Problem.parse(part.json()).errors], part.text).toEqual([400, [expect.objectContaining({ pointer: '/code' })]]);
  const rollout = { title: 'Move', profile: 'brand', config: external('200') };
  const started = await backend.call('POST', '/config/wknd/rollouts.json', { as, body: rollout });
  expect([started.status, started.headers['x-error-code']], started.text).toEqual([400, 'BODY_INVALID']);
  expect(await codeOf('moved')).toMatchObject({ source: { type: 'github' } });

  expect((await put('sites', 'holder', siteBody('wknd', 'holder', external('200', true)))).status).toBe(201);
  const moved = await put('profiles', 'brand', external('200'));
  expect(moved.status, moved.text).toBe(200);
  expect(await codeOf('moved')).toMatchObject({ source: { type: 'byogit', repo: '200' } });
});

it('a version of a profile is not restored whose repository has lost its holder', async () => {
  const { code } = siteBody('wknd', 'moved');
  expect((await put('profiles', 'brand', { code })).status).toBe(200);
  expect((await backend.call('DELETE', at('sites', 'holder'), { as })).status).toBe(204);
  const refused = await backend.call('POST', `${at('profiles', 'brand')}?restoreVersion=2`, { as });
  expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'VERSION_REFUSED']);
  expect(Problem.parse(refused.json()).detail).toContain(NO_HOLDER);
});

it('the first site that gets an external repository from a profile is told where the secret can be held', async () => {
  expect((await put('profiles', 'outside', external('200'))).status).toBe(201);
  const { code: _code, ...rest } = siteBody('wknd', 'first');
  const refused = await put('sites', 'first', { ...rest, extends: { profile: 'outside' } });
  expect([refused.status, refused.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
  const { detail, errors } = Problem.parse(refused.json());
  expect(detail).toContain(NO_HOLDER);
  expect(errors).toEqual([expect.objectContaining({ pointer: '/code' })]);
});

it('a profile does not make a site larger than a site may be', async () => {
  const half = (name: string) => ({ public: { [name]: Array.from({ length: LIMITS.documentValues / 2 }, (_, index) => index) } });
  expect((await put('profiles', 'large', half('a'))).status).toBe(201);
  expect((await put('profiles', 'large', {})).status).toBe(200);
  const site = { ...siteBody('wknd', 'large', half('b')), extends: { profile: 'large' } };
  expect((await put('sites', 'large', site)).status).toBe(201);
  const refused = await put('profiles', 'large', half('a'));
  expect([refused.status, refused.headers['x-error-code']]).toEqual([413, 'STORAGE_QUOTA_REACHED']);
  expect(Problem.parse(refused.json()).detail).toContain('With this profile site "wknd/large" would break a rule.');
});

it('a profile does not let groups of a site lead in a ring', async () => {
  const containing = (name: string, other: string) => ({ groups: { [name]: { members: [{ email: `groups/${other}` }] } } });
  expect((await put('profiles', 'people', {})).status).toBe(201);
  const site = { ...siteBody('wknd', 'people', containing('authors', 'editors')), extends: { profile: 'people' } };
  expect((await put('sites', 'people', site)).status).toBe(201);
  const refused = await put('profiles', 'people', containing('editors', 'authors'));
  expect([refused.status, refused.headers['x-error-code']], refused.text).toEqual([400, 'BODY_INVALID']);
  expect(Problem.parse(refused.json()).detail).toMatch(/With this profile site "wknd\/people" .* A group cannot contain itself: "/);
  expect((await put('profiles', 'people', containing('editors', 'readers'))).status).toBe(200);
});

eachStore((engine) => {
  it('a profile that moves its sites while the holder of the secret goes is decided on again', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const own = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    const set = (kind: 'sites' | 'profiles', name: string, body: object) => own.call('PUT', at(kind, name), { as, body });
    const { code, ...rest } = siteBody('wknd', 'moved');
    expect((await set('profiles', 'brand', { code })).status).toBe(201);
    expect((await set('sites', 'moved', { ...rest, extends: { profile: 'brand' } })).status).toBe(201);
    expect((await set('sites', 'holder', siteBody('wknd', 'holder', external('200', true)))).status).toBe(201);
    between.next(async () => expect((await own.call('DELETE', at('sites', 'holder'), { as })).status).toBe(204));
    const refused = await set('profiles', 'brand', external('200'));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('holds the secret of the external repository 100/200')]);

    expect((await set('sites', 'holder', siteBody('wknd', 'holder', external('200', true)))).status).toBe(201);
    between.next(async () => expect((await set('profiles', 'brand', external('200'))).status).toBe(200));
    const kept = await own.call('DELETE', at('sites', 'holder'), { as });
    expect([kept.status, kept.headers['x-error-code']], kept.text).toEqual([409, 'SECRET_IN_USE']);
    await own.stop();
  });
});

function external(repo: string, holds = false): { code: object } {
  const address = `https://build.example.com/100/${repo}`;
  const source = { type: 'byogit', url: address, raw_url: address, owner: '100', repo, ...(holds && { secretId: 'cm-byog' }) };
  return { code: { owner: '100', repo, source } };
}

function put(kind: 'sites' | 'profiles', name: string, body: object, query = ''): Promise<TestAnswer> {
  return backend.call('PUT', `${at(kind, name)}${query}`, { as, body });
}

async function codeOf(site: string): Promise<unknown> {
  const answer = await backend.call('GET', `/config/wknd/aggregated/${site}.json`, { as });
  return Object(answer.json())['code'];
}
