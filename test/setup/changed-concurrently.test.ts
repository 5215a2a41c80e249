import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, stateOf, writes, enable, undo } from './apply.ts';
import { ADA, OTTO, startSetupWorld } from './setup-world.ts';

const EVE = 'eve.new@example.com';
const ZOE = 'zoe.new@example.com';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

interface Stored {
  readonly code: { readonly owner: string; readonly repo: string };
  readonly access: { readonly admin: { readonly role: { readonly admin: readonly string[]; readonly config_admin: readonly string[] } } };
}

async function stored(site: string): Promise<Stored> {
  return (await world.backend.call('GET', `/config/wknd/sites/${site}.json`, { as: ADA })).json() as Stored;
}

/** Another person stores a part of a site. */
async function otto(site: string, part: string, body: object): Promise<void> {
  const answer = await world.backend.call('POST', `/config/wknd/sites/${site}/${part}.json`, { as: OTTO, body });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

async function ottoSetsRoles(site: string, roles: (current: Stored['access']['admin']['role']) => object): Promise<void> {
  const { access } = await stored(site);
  await otto(site, 'access', { ...access, admin: { ...access.admin, role: { ...access.admin.role, ...roles(access.admin.role) } } });
}

describe('What another person changed after the plan was shown', () => {
  test('is preserved: administrators that were not edited here', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, '/content/harbour');
    expect(stateOf(opened.plan, 'set-access')).toEqual({ kind: 'done' });
    await ottoSetsRoles('harbour', ({ admin }) => ({ admin: [...admin, EVE] }));

    expect((await apply(ada, '/content/harbour', opened)).result).toEqual({ outcome: 'complete' });

    expect((await stored('harbour')).access.admin.role.admin).toContain(EVE);
    expect(writes(ada.sent).filter((write) => write.includes('/config/'))).toEqual([]);
  });

  test('is preserved if someone else was added here', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, '/content/plaza', { administrators: [...(await stored('plaza')).access.admin.role.admin, ZOE] });
    await ottoSetsRoles('plaza', ({ admin }) => ({ admin: [...admin, EVE] }));
    expect((await apply(ada, '/content/plaza', opened)).result).toEqual({ outcome: 'complete' });
    expect((await stored('plaza')).access.admin.role.admin).toEqual(expect.arrayContaining([EVE, ZOE]));
  });

  test('is preserved: code that was not edited here', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, '/content/ferry');
    await otto('ferry', 'code', {
      owner: 'wknd',
      repo: 'summit',
      source: { type: 'github', url: `${world.codeHost.address}/wknd/summit` },
    });
    await apply(ada, '/content/ferry', opened);
    expect((await stored('ferry')).code).toMatchObject({ owner: 'wknd', repo: 'summit' });
  });

  test('is shown before it is written: an account that they removed from a list, and code that they chose', async () => {
    const page = '/content/wknd/it/it';
    const code = (repo: string) => ({ owner: 'wknd', repo, source: { type: 'github', url: `${world.codeHost.address}/wknd/${repo}` } });
    const edited = { administrators: [...(await stored('wknd-it-it')).access.admin.role.admin, ZOE] };
    const ada = await world.person(ADA);
    await apply(ada, page, await open(ada, page));
    const opened = await open(ada, page, edited);
    await ottoSetsRoles('wknd-it-it', () => ({ config_admin: ['other@example.com'] }));
    const before = await stored('wknd-it-it');
    const sent = ada.sent.length;

    expect((await apply(ada, page, opened)).result).toMatchObject({
      outcome: 'failed',
      step: 'set-access',
      failure: { finding: { kind: 'plan-changed' } },
    });
    expect(writes(ada.sent.slice(sent))).toEqual([]);
    expect(await stored('wknd-it-it')).toEqual(before);

    const shown = await open(ada, page, edited);
    expect((await apply(ada, page, shown)).result).toEqual({ outcome: 'complete' });
    const { role } = (await stored('wknd-it-it')).access.admin;
    expect(role.admin).toContain(ZOE);
    expect(role.config_admin).toEqual(['other@example.com', 'p100-e200@techacct.example.com']);

    await world.codeHost.copy('third');
    const chosen = await open(ada, page, { code: { type: 'github', owner: 'wknd', repo: 'summit' } });
    await otto('wknd-it-it', 'code', code('third'));
    expect((await apply(ada, page, chosen)).result).toMatchObject({
      step: 'register-site',
      failure: { finding: { kind: 'plan-changed' } },
    });
    expect((await stored('wknd-it-it')).code.repo).toBe('third');
  });

  test('is shown before it is written during a run, too', async () => {
    let interfered = false;
    const ada = await world.person(ADA, {
      before: async ({ method, address }) => {
        if (interfered || method !== 'POST' || !address.includes('/wknd-fr-fr/access.json') || address.includes('dryRun')) return;
        interfered = true;
        await otto('wknd-fr-fr', 'public', { paths: { mappings: ['/content/wknd/fr/fr/:/'], includes: ['/content/wknd/fr/fr/'] } });
        await ottoSetsRoles('wknd-fr-fr', () => ({ author: [EVE] }));
      },
    });
    const opened = await open(ada, '/content/wknd/fr/fr');
    expect((await apply(ada, '/content/wknd/fr/fr', opened)).result).toMatchObject({
      outcome: 'failed',
      step: 'map-paths',
      failure: { finding: { kind: 'plan-changed' } },
    });
    expect((await stored('wknd-fr-fr')).access.admin.role.config_admin).not.toContain('p100-e200@techacct.example.com');
  });
});
describe('Enabling a registered site', () => {
  const world = startBeforeAll(() => startSetupWorld({ sites: true }));

  async function part(site: string, name: string): Promise<unknown> {
    return (await world.backend.call('GET', `/config/wknd/sites/${site}/${name}.json`, { as: ADA })).json();
  }

  function serviceWrites(sent: Parameters<typeof writes>[0]): string[] {
    return writes(sent).filter((write) => write.includes('/config/'));
  }

  test('sends only the part that differs, and preserves its other content', async () => {
    const ada = await world.person(ADA);
    const more = {
      paths: { mappings: ['/content/wknd/gb/en/:/', '/content/dam/:/assets/'], includes: ['/content/wknd/gb/en/', '/content/dam/'] },
    };
    await world.backend.call('POST', '/config/wknd/sites/wknd-gb-en/public.json', { as: ADA, body: more });

    expect((await enable(ada, '/content/wknd/gb/en')).result).toEqual({ outcome: 'complete' });

    expect(serviceWrites(ada.sent)).toEqual(['POST /config/wknd/sites/wknd-gb-en/public.json']);
    expect(await part('wknd-gb-en', 'public')).toEqual({
      paths: {
        mappings: ['/content/wknd/gb/en/:/', '/content/dam/:/assets/', '/content/wknd/gb/en/configuration:/.helix/config.json'],
        includes: ['/content/wknd/gb/en/', '/content/dam/'],
      },
    });
  });

  test('adds the technical account and preserves everyone else, and an undo restores the previous version', async () => {
    const ada = await world.person(ADA);
    const before = await part('ferry', 'access');
    const edge = await world.edgeConfiguration('/conf/ferry');
    expect((await enable(ada, '/content/ferry')).result).toEqual({ outcome: 'complete' });
    expect(serviceWrites(ada.sent)).toEqual(['POST /config/wknd/sites/ferry/access.json']);
    expect(await part('ferry', 'access')).toMatchObject({
      admin: { role: { admin: ['ada.admin@example.com'], config_admin: ['carl.config@example.com', 'p100-e200@techacct.example.com'] } },
    });
    expect((await undo(ada, '/content/ferry')).result).toEqual({ outcome: 'complete' });
    expect(await part('ferry', 'access')).toEqual(before);
    expect(await world.edgeConfiguration('/conf/ferry')).toEqual(edge);
  });

  test('sends the complete site once, with its etag, if several parts differ', async () => {
    const ada = await world.person(ADA);
    const path = '/config/wknd/sites/plaza';
    await world.backend.call('POST', `${path}/public.json`, { as: ADA, body: { paths: { mappings: ['/content/plaza/:/'] } } });
    await world.backend.call('POST', `${path}/sidekick.json`, { as: ADA, body: { project: 'Plaza' } });
    const opened = await open(ada, '/content/plaza', { administrators: [ADA] });
    expect(stateOf(opened.plan, 'set-access')).toMatchObject({ kind: 'change' });
    expect((await enable(ada, '/content/plaza', { administrators: [ADA] })).result).toEqual({ outcome: 'complete' });
    expect(serviceWrites(ada.sent)).toEqual([`PUT ${path}.json`]);
    expect(await part('plaza', 'access/admin')).toMatchObject({ role: { admin: [ADA] } });
    expect(await part('plaza', 'sidekick')).toEqual({ project: 'Plaza' });
  });

  test('plans again if another person changed the site concurrently, and preserves their change', async () => {
    let interfered = false;
    const path = '/config/wknd/sites/wknd-it-it';
    const ada = await world.person(ADA, {
      before: async ({ method, address }) => {
        if (interfered || method !== 'PUT' || address.includes('dryRun')) return;
        interfered = true;
        await world.backend.call('POST', `${path}/sidekick.json`, { as: ADA, body: { project: 'Theirs' } });
      },
    });
    expect((await enable(ada, '/content/wknd/it/it', { administrators: [ADA, 'new@example.com'] })).result).toEqual({
      outcome: 'complete',
    });
    expect(serviceWrites(ada.sent)).toEqual([`PUT ${path}.json`, `PUT ${path}.json`]);
    expect(await part('wknd-it-it', 'sidekick')).toEqual({ project: 'Theirs' });
  });

  test('does not replace a part that another person changed at the last moment', async () => {
    let interfered = false;
    const path = '/config/wknd/sites/wknd-fr-fr';
    const role = { admin: [ADA], config_admin: ['carl.config@example.com'], author: ['new@example.com'] };
    const theirs = { admin: { role, requireAuth: 'auto' } };
    const ada = await world.person(ADA, {
      before: async ({ method, address }) => {
        if (interfered || method !== 'POST' || !address.includes(`${path}/access.json`) || address.includes('dryRun')) return;
        interfered = true;
        await world.backend.call('POST', `${path}/access.json`, { as: ADA, body: theirs });
      },
    });
    expect((await enable(ada, '/content/wknd/fr/fr')).result).toEqual({ outcome: 'complete' });
    expect(await part('wknd-fr-fr', 'access')).toMatchObject({
      admin: { role: { config_admin: ['carl.config@example.com', 'p100-e200@techacct.example.com'], author: ['new@example.com'] } },
    });
  });

  test('only switches the project type if everything else is ready', async () => {
    const ada = await world.person(ADA);
    expect((await enable(ada, '/content/harbour')).result).toEqual({ outcome: 'complete' });
    const edge = '/conf/harbour/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content';
    expect(writes(ada.sent)).toEqual([`POST ${edge}`, `POST ${edge}`]);
  });
});
