import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, open, stateOf, undo, writes } from './apply.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

async function part(site: string, name: string): Promise<unknown> {
  return (await around.backend.call('GET', `/config/wknd/sites/${site}/${name}.json`, { as: ADA })).json();
}

function serviceWrites(sent: Parameters<typeof writes>[0]): string[] {
  return writes(sent).filter((write) => write.includes('/config/'));
}

describe('Enabling a site that the service knows already', () => {
  test('sends one part alone where one part differs, and keeps what else it holds', async () => {
    const ada = await around.person(ADA);
    const more = {
      paths: { mappings: ['/content/wknd/gb/en/:/', '/content/dam/:/assets/'], includes: ['/content/wknd/gb/en/', '/content/dam/'] },
    };
    await around.backend.call('POST', '/config/wknd/sites/wknd-gb-en/public.json', { as: ADA, body: more });

    expect((await enable(ada, '/content/wknd/gb/en')).result).toEqual({ outcome: 'complete' });

    expect(serviceWrites(ada.sent)).toEqual(['POST /config/wknd/sites/wknd-gb-en/public.json']);
    expect(await part('wknd-gb-en', 'public')).toEqual({
      paths: {
        mappings: ['/content/wknd/gb/en/:/', '/content/dam/:/assets/', '/content/wknd/gb/en/configuration:/.helix/config.json'],
        includes: ['/content/wknd/gb/en/', '/content/dam/'],
      },
    });
  });

  test('adds the technical account and keeps everybody else, and undo brings the version before back', async () => {
    const ada = await around.person(ADA);
    const before = await part('ferry', 'access');
    const edge = await around.edgeConfiguration('/conf/ferry');
    expect((await enable(ada, '/content/ferry')).result).toEqual({ outcome: 'complete' });
    expect(serviceWrites(ada.sent)).toEqual(['POST /config/wknd/sites/ferry/access.json']);
    expect(await part('ferry', 'access')).toMatchObject({
      admin: { role: { admin: ['ada.admin@example.com'], config_admin: ['carl.config@example.com', 'p100-e200@techacct.example.com'] } },
    });
    expect((await undo(ada, '/content/ferry')).result).toEqual({ outcome: 'complete' });
    expect(await part('ferry', 'access')).toEqual(before);
    expect(await around.edgeConfiguration('/conf/ferry')).toEqual(edge);
  });

  test('sends the whole site once, with its etag, where several parts differ', async () => {
    const ada = await around.person(ADA);
    const path = '/config/wknd/sites/plaza';
    await around.backend.call('POST', `${path}/public.json`, { as: ADA, body: { paths: { mappings: ['/content/plaza/:/'] } } });
    await around.backend.call('POST', `${path}/sidekick.json`, { as: ADA, body: { project: 'Plaza' } });
    const opened = await open(ada, '/content/plaza', { administrators: [ADA] });
    expect(stateOf(opened.plan, 'set-access')).toMatchObject({ kind: 'change' });
    expect((await enable(ada, '/content/plaza', { administrators: [ADA] })).result).toEqual({ outcome: 'complete' });
    expect(serviceWrites(ada.sent)).toEqual([`PUT ${path}.json`]);
    expect(await part('plaza', 'access/admin')).toMatchObject({ role: { admin: [ADA] } });
    expect(await part('plaza', 'sidekick')).toEqual({ project: 'Plaza' });
  });

  test('plans again where somebody else changed the site in the meantime, and preserves their change', async () => {
    let interfered = false;
    const path = '/config/wknd/sites/wknd-it-it';
    const ada = await around.person(ADA, {
      before: async ({ method, address }) => {
        if (interfered || method !== 'PUT' || address.includes('dryRun')) return;
        interfered = true;
        await around.backend.call('POST', `${path}/sidekick.json`, { as: ADA, body: { project: 'Theirs' } });
      },
    });
    expect((await enable(ada, '/content/wknd/it/it', { administrators: [ADA, 'new@example.com'] })).result).toEqual({
      outcome: 'complete',
    });
    expect(serviceWrites(ada.sent)).toEqual([`PUT ${path}.json`, `PUT ${path}.json`]);
    expect(await part('wknd-it-it', 'sidekick')).toEqual({ project: 'Theirs' });
  });

  test('does not replace a part that somebody else changed in the last moment', async () => {
    let interfered = false;
    const path = '/config/wknd/sites/wknd-fr-fr';
    const role = { admin: [ADA], config_admin: ['carl.config@example.com'], author: ['new@example.com'] };
    const theirs = { admin: { role, requireAuth: 'auto' } };
    const ada = await around.person(ADA, {
      before: async ({ method, address }) => {
        if (interfered || method !== 'POST' || !address.includes(`${path}/access.json`) || address.includes('dryRun')) return;
        interfered = true;
        await around.backend.call('POST', `${path}/access.json`, { as: ADA, body: theirs });
      },
    });
    expect((await enable(ada, '/content/wknd/fr/fr')).result).toEqual({ outcome: 'complete' });
    expect(await part('wknd-fr-fr', 'access')).toMatchObject({
      admin: { role: { config_admin: ['carl.config@example.com', 'p100-e200@techacct.example.com'], author: ['new@example.com'] } },
    });
  });

  test('only switches the project type where everything else is ready', async () => {
    const ada = await around.person(ADA);
    expect((await enable(ada, '/content/harbour')).result).toEqual({ outcome: 'complete' });
    const edge = '/conf/harbour/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content';
    expect(writes(ada.sent)).toEqual([`POST ${edge}`, `POST ${edge}`]);
  });
});
