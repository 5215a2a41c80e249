import { describe, expect, test } from 'vitest';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, situationOf, stateOf, undo, writes } from './apply.ts';
import { OPERATOR } from '../support/backend.ts';
import { ADA, CARL, OTTO, type Person, startSetupWorld } from './setup-world.ts';

const SUMMIT = '/config/wknd/sites/summit';
const OTHER = '/config/wknd/sites/summit-de.json';
const EXTERNAL = { type: 'byogit', url: 'https://b.example/api', raw_url: 'https://b.example/raw' } as const;

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

const code = (repo: string) => ({ owner: 'wknd', repo, source: { type: 'github', url: `${around.codeHost.address}/wknd/${repo}` } });

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await around.backend.call(method, path, { as: ADA, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.text === '' ? undefined : answer.json();
}

/** Returns the undo as shown, and expects that running it writes nothing. */
async function refusedUndo(person: Person, page: string, conf: string) {
  const edge = await around.edgeConfiguration(conf);
  const plan = planUndo(await readWithRemovalFacts(person.ports, await situationOf(person, page)));
  const sent = person.sent.length;
  const { result } = await undo(person, page);
  expect(result).toMatchObject({ outcome: 'failed', step: 'register-site' });
  expect(writes(person.sent.slice(sent))).toEqual([]);
  expect(await around.edgeConfiguration(conf)).toEqual(edge);
  expect(plan.blocked).toBe(true);
  return stateOf(plan, 'register-site');
}

describe('An undo that the service would refuse is blocked before its first write', () => {
  test('who may not restore the version is told so', async () => {
    expect((await enable(await around.person(ADA), '/content/ferry')).result).toEqual({ outcome: 'complete' });
    const carl = await around.person(CARL);
    expect(await refusedUndo(carl, '/content/ferry', '/conf/ferry')).toMatchObject({
      kind: 'blocked',
      reason: 'not-administrator',
      data: { code: 'NOT_AUTHORIZED' },
    });
    expect((await undo(await around.person(OTTO), '/content/ferry')).result).toEqual({ outcome: 'complete' });
  });

  test('a version that was removed is missing, not a site without content', async () => {
    const ada = await around.person(ADA);
    expect((await enable(ada, '/content/wknd/it/it', { administrators: [ADA, 'zoe.new@example.com'] })).result).toEqual({
      outcome: 'complete',
    });
    const version = (await situationOf(ada, '/content/wknd/it/it')).settings.previous?.siteVersion ?? 0;
    await call('DELETE', `/config/wknd/sites/wknd-it-it/versions/${version}.json`);
    expect(await refusedUndo(ada, '/content/wknd/it/it', '/conf/wknd/it-it')).toMatchObject({
      kind: 'blocked',
      reason: 'version-missing',
      data: { site: 'wknd-it-it', version: String(version) },
    });
  });

  test('code whose repository is gone is said as the service says it', async () => {
    // Like a repository that was removed since.
    const unchecked = { as: OPERATOR, body: code('old') };
    expect((await around.backend.call('POST', '/config/wknd/sites/plaza/code.json?unchecked=true', unchecked)).status).toBe(200);
    const ada = await around.person(ADA);
    const choice = { type: 'github', owner: 'wknd', repo: 'wknd' } as const;
    expect((await enable(ada, '/content/plaza', { code: choice })).result).toEqual({ outcome: 'complete' });
    expect(await refusedUndo(ada, '/content/plaza', '/conf/plaza')).toMatchObject({ kind: 'blocked', data: { code: 'VERSION_REFUSED' } });
    await around.codeHost.copy('old');
    expect((await undo(ada, '/content/plaza')).result).toEqual({ outcome: 'complete' });
  });
});

test('Who cannot list the other sites may not remove one: they may need its secret', async () => {
  expect((await enable(await around.person(ADA), '/content/summit')).result).toEqual({ outcome: 'complete' });
  const shared = { owner: '100', repo: '7' };
  await call('POST', `${SUMMIT}/code.json`, { ...shared, source: { ...EXTERNAL, secretId: 'cm-byog' } });
  await call('PUT', '/config/wknd/sites/ext3.json', {
    code: { ...shared, source: EXTERNAL },
    content: { source: { url: `${around.authorAddress()}/bin/franklin.delivery/wknd/ext3/main`, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: ['/content/elsewhere/:/'], includes: ['/content/elsewhere/'] } },
  });
  const { admin } = (await call('GET', `${SUMMIT}/access.json`)) as { admin: { role: object } };
  await call('POST', `${SUMMIT}/access.json`, { admin: { ...admin, role: { ...admin.role, admin: [CARL] } } });

  const carl = await around.person(CARL);
  expect(await carl.ports.service.allSites('wknd')).toMatchObject({ state: 'failed', failure: { problem: { code: 'ORG_NOT_FOUND' } } });
  expect(await refusedUndo(carl, '/content/summit', '/conf/summit')).toMatchObject({
    kind: 'blocked',
    reason: 'sites-unlisted',
    data: { site: 'summit', organization: 'wknd' },
  });
  await call('GET', `${SUMMIT}.json`);
  await call('DELETE', '/config/wknd/sites/ext3.json');
  expect((await undo(await around.person(OTTO), '/content/summit')).result).toEqual({ outcome: 'complete' });
});

/** Registers a further site like that of the panel, with another content root and, if given, another code source. */
async function registerOther(root: string, code?: object): Promise<void> {
  const stored = (await call('GET', `${SUMMIT}.json`)) as { code: object; content: { source: object } };
  const url = `${around.authorAddress()}/bin/franklin.delivery/wknd/summit-de/main`;
  await call('PUT', OTHER, {
    code: code ?? stored.code,
    content: { source: { ...stored.content.source, url } },
    public: { paths: { mappings: [`${root}/:/`], includes: [`${root}/`] } },
  });
}

const statusOf = async (address: string) => (await around.backend.call('GET', address, { as: ADA })).status;

test.each([
  ['its locales', '/content/summit/de', undefined, 'base-of-sites'],
  ['the sites that get their code with its secret', '/content/elsewhere', EXTERNAL, 'secret-of-sites'],
])('An undo that would remove a site that others depend on is blocked, and names %s', async (_which, root, source, reason) => {
  const ada = await around.person(ADA);
  expect((await enable(ada, '/content/summit')).result).toEqual({ outcome: 'complete' });
  const shared = { owner: '100', repo: '7' };
  if (source !== undefined) await call('POST', `${SUMMIT}/code.json`, { ...shared, source: { ...source, secretId: 'cm-byog' } });
  await registerOther(root, source === undefined ? undefined : { ...shared, source });
  const edge = await around.edgeConfiguration('/conf/summit');

  expect((await undo(ada, '/content/summit')).result).toMatchObject({
    outcome: 'failed',
    step: 'register-site',
    failure: { finding: { kind: 'blocked', reason, data: { site: 'summit', sites: 'summit-de' } } },
  });
  expect([await statusOf(`${SUMMIT}.json`), await statusOf(OTHER)]).toEqual([200, 200]);
  expect(await around.edgeConfiguration('/conf/summit')).toEqual(edge);

  await call('DELETE', OTHER);
  expect((await undo(ada, '/content/summit')).result).toEqual({ outcome: 'complete' });
  expect(await statusOf(`${SUMMIT}.json`)).toBe(404);
});
