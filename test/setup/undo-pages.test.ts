import { describe, expect, test } from 'vitest';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, open, undo, situationOf, stateOf, writes } from './apply.ts';
import { ADA, type Person, plant, startSetupWorld, CARL, OTTO } from './setup-world.ts';
import { CONFIGURATION, PAGE, SITE, summitOf } from './summit.ts';
import { OPERATOR } from '../support/backend.ts';

const SHEET = 'core/franklin/components/spreadsheet/v1/spreadsheet';

const world = startBeforeAll(() => startSetupWorld());

describe('An undo removes the created configuration page, and no other', () => {
  const CREATED = `${PAGE}/site-configuration`;
  const OTHER = `${PAGE}/configuration`;
  const statusOf = async (path: string) => (await world.author.get(`${path}.json`, { as: ADA })).status;
  const choose = (configurationPage: string) => ({
    configurationPage,
    mappings: [`${PAGE}/:/`, `${configurationPage}:/.helix/config.json`],
  });
  const plantPage = (path: string, type: string) => {
    plant(world, path, { 'jcr:primaryType': 'cq:Page' });
    plant(world, `${path}/jcr:content`, { 'jcr:primaryType': 'cq:PageContent', 'sling:resourceType': type });
  };
  const cutAfter = async (pattern: RegExp, person: Person) =>
    apply(person, PAGE, await planOfUndo(person), ({ step, state }, stop) => {
      if (pattern.test(`${step} ${state}`)) stop();
    });
  const planOfUndo = async (person: Person) => {
    const opened = await open(person, PAGE);
    return { ...opened, plan: planUndo(await readWithRemovalFacts(person.ports, opened.situation)) };
  };

  test.each([
    ['an ordinary page', 'core/franklin/components/page/v1/page'],
    ['a sheet', SHEET],
  ])('if %s has the usual name, also when continued', async (_kind, type) => {
    plantPage(OTHER, type);
    const ada = await world.person(ADA);
    expect((await enable(ada, PAGE, choose(CREATED))).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(CREATED)).toBe(200);
    expect((await cutAfter(/^register-site done/, ada)).result).toMatchObject({ outcome: 'stopped' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(CREATED)]).toEqual([200, 404]);
    await world.remove(OTHER);
  });

  test('if the site maps another page now', async () => {
    const ada = await world.person(ADA);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    plantPage(CREATED, SHEET);
    expect((await enable(ada, PAGE, choose(CREATED))).result).toEqual({ outcome: 'complete' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(CREATED)]).toEqual([404, 200]);
    await world.remove(CREATED);
  });

  test('or both if a second setup created another', async () => {
    const before = await summitOf(world);
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    expect((await enable(ada, PAGE, choose(CREATED))).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(CREATED)]).toEqual([200, 200]);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(CREATED)]).toEqual([404, 404]);
    expect(await summitOf(world)).toEqual(before);
  });

  test('if the site had its own page before', async () => {
    plantPage(OTHER, SHEET);
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    await world.edit(CONFIGURATION, { './repolessPrevious@Delete': 'true' });
    expect((await enable(ada, PAGE, choose(CREATED))).result).toEqual({ outcome: 'complete' });
    expect((await cutAfter(/^register-site done/, ada)).result).toMatchObject({ outcome: 'stopped' });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER), await statusOf(CREATED)]).toEqual([200, 404]);
    await world.backend.call('DELETE', SITE, { as: ADA });
    await world.edit(CONFIGURATION, { './projectType': '1' });
    await world.remove(OTHER);
  });

  test('unless it has become a page of another kind', async () => {
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    plantPage(OTHER, 'core/franklin/components/page/v1/page');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(OTHER)).toBe(200);
    await world.remove(OTHER);
  });

  test.each([
    ['rows', [{ path: `${OTHER}/jcr:content/row0`, properties: { 'jcr:primaryType': 'nt:unstructured', key: 'a', value: 'b' } }]],
    ['pages below it', [{ path: `${OTHER}/more`, properties: { 'jcr:primaryType': 'cq:Page' } }]],
    [
      'properties',
      [
        {
          path: `${OTHER}/jcr:content`,
          properties: {
            'jcr:primaryType': 'cq:PageContent',
            'sling:resourceType': SHEET,
            'jcr:created': 'Fri Nov 27 2026 10:00:00 GMT+0000',
            'cq:lastModified': 'Fri Nov 27 2026 11:00:00 GMT+0000',
          },
        },
      ],
    ],
  ])('unless %s have been added: the plan says that it stays', async (_what, added) => {
    const ada = await world.person(ADA);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    for (const { path, properties } of added) plant(world, path, properties);
    const { plan } = await planOfUndo(ada);
    expect(plan.stays).toEqual([OTHER]);
    expect(plan.steps.map(({ id }) => id)).not.toContain('configuration-page');
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(OTHER)).toBe(200);
    expect((await world.backend.call('GET', SITE, { as: ADA })).status).toBe(404);
    await world.remove(OTHER);
  });

  test.each([
    ['while the site maps it', false, [404]],
    ['and none once the site is restored', true, [200]],
  ])('by a record that does not name it, %s', async (_when, isInterrupted, expected) => {
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    const { repolessPrevious } = (await world.edgeConfiguration('/conf/summit')) as { repolessPrevious: string };
    const { configurationPages: _paths, ...old } = JSON.parse(repolessPrevious) as Record<string, unknown>;
    await world.edit(CONFIGURATION, { './repolessPrevious': JSON.stringify(old) });
    if (isInterrupted) await cutAfter(/^register-site done/, ada);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect([await statusOf(OTHER)]).toEqual(expected);
    if (isInterrupted) await world.remove(OTHER);
  });
});
describe('An undo that is refused', () => {
  const SUMMIT = '/config/wknd/sites/summit';
  const OTHER = '/config/wknd/sites/summit-de.json';
  const EXTERNAL = { type: 'byogit', url: 'https://b.example/api', raw_url: 'https://b.example/raw' } as const;

  const world = startBeforeAll(() => startSetupWorld({ sites: true }));

  const code = (repo: string) => ({ owner: 'wknd', repo, source: { type: 'github', url: `${world.codeHost.address}/wknd/${repo}` } });

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await world.backend.call(method, path, { as: ADA, ...(body === undefined ? {} : { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.text === '' ? undefined : answer.json();
  }

  /** Returns the undo as shown, and expects that running it writes nothing. */
  async function refusedUndo(person: Person, page: string, conf: string) {
    const edge = await world.edgeConfiguration(conf);
    const plan = planUndo(await readWithRemovalFacts(person.ports, await situationOf(person, page)));
    const sent = person.sent.length;
    const { result } = await undo(person, page);
    expect(result).toMatchObject({ outcome: 'failed', step: 'register-site' });
    expect(writes(person.sent.slice(sent))).toEqual([]);
    expect(await world.edgeConfiguration(conf)).toEqual(edge);
    expect(plan.blocked).toBe(true);
    return stateOf(plan, 'register-site');
  }

  describe('An undo that the service would refuse is blocked before its first write', () => {
    test('without permission to restore the version', async () => {
      expect((await enable(await world.person(ADA), '/content/ferry')).result).toEqual({ outcome: 'complete' });
      const carl = await world.person(CARL);
      expect(await refusedUndo(carl, '/content/ferry', '/conf/ferry')).toMatchObject({
        kind: 'blocked',
        reason: 'not-administrator',
        data: { code: 'NOT_AUTHORIZED' },
      });
      expect((await undo(await world.person(OTTO), '/content/ferry')).result).toEqual({ outcome: 'complete' });
    });

    test('if the version was removed', async () => {
      const ada = await world.person(ADA);
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

    test('if the repository of its code is missing', async () => {
      // Like a repository that was removed since.
      const unchecked = { as: OPERATOR, body: code('old') };
      expect((await world.backend.call('POST', '/config/wknd/sites/plaza/code.json?unchecked=true', unchecked)).status).toBe(200);
      const ada = await world.person(ADA);
      const choice = { type: 'github', owner: 'wknd', repo: 'wknd' } as const;
      expect((await enable(ada, '/content/plaza', { code: choice })).result).toEqual({ outcome: 'complete' });
      expect(await refusedUndo(ada, '/content/plaza', '/conf/plaza')).toMatchObject({ kind: 'blocked', data: { code: 'VERSION_REFUSED' } });
      await world.codeHost.copy('old');
      expect((await undo(ada, '/content/plaza')).result).toEqual({ outcome: 'complete' });
    });
  });

  test('A person who cannot list the other sites may not remove one whose secret they may need', async () => {
    expect((await enable(await world.person(ADA), '/content/summit')).result).toEqual({ outcome: 'complete' });
    const shared = { owner: '100', repo: '7' };
    await call('POST', `${SUMMIT}/code.json`, { ...shared, source: { ...EXTERNAL, secretId: 'cm-byog' } });
    await call('PUT', '/config/wknd/sites/ext3.json', {
      code: { ...shared, source: EXTERNAL },
      content: { source: { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/ext3/main`, type: 'markup', suffix: '.html' } },
      public: { paths: { mappings: ['/content/elsewhere/:/'], includes: ['/content/elsewhere/'] } },
    });
    const { admin } = (await call('GET', `${SUMMIT}/access.json`)) as { admin: { role: object } };
    await call('POST', `${SUMMIT}/access.json`, { admin: { ...admin, role: { ...admin.role, admin: [CARL] } } });

    const carl = await world.person(CARL);
    expect(await carl.ports.service.allSites('wknd')).toMatchObject({ state: 'failed', failure: { problem: { code: 'ORG_NOT_FOUND' } } });
    expect(await refusedUndo(carl, '/content/summit', '/conf/summit')).toMatchObject({
      kind: 'blocked',
      reason: 'sites-unlisted',
      data: { site: 'summit', organization: 'wknd' },
    });
    await call('GET', `${SUMMIT}.json`);
    await call('DELETE', '/config/wknd/sites/ext3.json');
    expect((await undo(await world.person(OTTO), '/content/summit')).result).toEqual({ outcome: 'complete' });
  });

  /** Registers a further site like that of the panel, with another content root and, if given, another code source. */
  async function registerOther(root: string, code?: object): Promise<void> {
    const stored = (await call('GET', `${SUMMIT}.json`)) as { code: object; content: { source: object } };
    const url = `${world.authorAddress()}/bin/franklin.delivery/wknd/summit-de/main`;
    await call('PUT', OTHER, {
      code: code ?? stored.code,
      content: { source: { ...stored.content.source, url } },
      public: { paths: { mappings: [`${root}/:/`], includes: [`${root}/`] } },
    });
  }

  const statusOf = async (address: string) => (await world.backend.call('GET', address, { as: ADA })).status;

  test.each([
    ['its locales', '/content/summit/de', undefined, 'base-of-sites'],
    ['the sites that get their code with its secret', '/content/elsewhere', EXTERNAL, 'secret-of-sites'],
  ])('An undo that would remove a site is blocked if others depend on it, and names %s', async (_which, root, source, reason) => {
    const ada = await world.person(ADA);
    expect((await enable(ada, '/content/summit')).result).toEqual({ outcome: 'complete' });
    const shared = { owner: '100', repo: '7' };
    if (source !== undefined) await call('POST', `${SUMMIT}/code.json`, { ...shared, source: { ...source, secretId: 'cm-byog' } });
    await registerOther(root, source === undefined ? undefined : { ...shared, source });
    const edge = await world.edgeConfiguration('/conf/summit');

    expect((await undo(ada, '/content/summit')).result).toMatchObject({
      outcome: 'failed',
      step: 'register-site',
      failure: { finding: { kind: 'blocked', reason, data: { site: 'summit', sites: 'summit-de' } } },
    });
    expect([await statusOf(`${SUMMIT}.json`), await statusOf(OTHER)]).toEqual([200, 200]);
    expect(await world.edgeConfiguration('/conf/summit')).toEqual(edge);

    await call('DELETE', OTHER);
    expect((await undo(ada, '/content/summit')).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(`${SUMMIT}.json`)).toBe(404);
  });
});
