import { beforeAll, describe, expect, test } from 'vitest';
import { ADA } from '../setup/setup-world.ts';
import { copiedPages } from '../setup/second-environment.ts';
import { OPERATOR } from '../support/backend.ts';
import { world, env, folder, inCommandWorld, type CommandOptions, storedSite } from './command.ts';

inCommandWorld({ sites: true, authoring: true, needs: 'git' });
let here: string;
let there: string;
beforeAll(async () => {
  [here, there] = [world.authorAddress(), world.authorAddress('p100-e300')];
});

const OLD = 'p100-e200@techacct.example.com';
const NEW = 'p100-e300@techacct.example.com';
const between = (from: string, to: string) => ['move', '--organization', 'wknd', '--from', from, '--to', to];
/** Moves to the second environment unless the arguments name another. */
const toThere = (args: readonly string[]) => (args.includes('--to') ? between(here, '').slice(0, -2) : between(here, there));
const move = (args: readonly string[], options: CommandOptions = {}) => folder.repoless([...toThere(args), ...args], { env, ...options });
const home = async (site: string) => (await world.backend.visit('preview', `main--${site}--wknd`, '/')).text;
const thereConfiguration = (conf: string) =>
  world.author.json(`${conf}/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content.json`, {
    as: ADA,
    environment: 'p100-e300',
  });

test('A site moves with its content address, its technical account and its own cloud configuration, and moves back', async () => {
  world.author.plant(copiedPages('/content/harbour', { title: 'Harbour of the other environment' }));
  const before = await storedSite('harbour');

  const planned = await move(['harbour']);
  expect(planned.code).toBe(3);
  expect(planned.out).toContain(`change harbour: `);
  expect(planned.out).toContain(`  Content: ${here}/content/harbour → ${there}/content/harbour\n`);
  expect(planned.out).toContain(`${here}/content/harbour keeps its settings in the authoring system.`);
  expect(planned.out).toContain(`owner: wknd`);
  expect(planned.out).toContain(`/content/harbour/configuration is created`);
  expect(planned.out).toContain(`In the access lists, the technical account ${NEW} replaces ${OLD}.`);
  expect(planned.out).toContain('Nothing was written. Add --apply to move them.');
  expect(await storedSite('harbour')).toEqual(before);

  const markdown = await move(['harbour', '--format', 'markdown']);
  expect(markdown).toMatchObject({ code: 3, out: expect.stringContaining('| `harbour` | change |') });
  const json = await move(['harbour', '--format', 'json']);
  expect(json.json()).toMatchObject({
    from: { author: here, technicalAccount: OLD },
    to: { author: there, technicalAccount: NEW },
    summary: { change: 1, blocked: 0 },
    changes: [{ site: 'harbour', action: 'change', tried: true, content: { from: `${here}/content/harbour`, moves: true } }],
  });

  const applied = await move(['harbour', '--apply']);
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('moved harbour\n1 moved, 0 already there, 0 failed.\n') });
  const after = await storedSite('harbour');
  expect(after).toEqual({
    ...before,
    content: {
      contentBusId: expect.any(String),
      source: { url: `${there}/bin/franklin.delivery/wknd/harbour/main`, type: 'markup', suffix: '.html' },
    },
    access: { admin: { role: { admin: [ADA], config_admin: ['carl.config@example.com', NEW] }, requireAuth: 'auto' } },
  });
  expect(await home('harbour')).toContain('Harbour of the other environment');
  expect(await thereConfiguration('/conf/harbour')).toMatchObject({ owner: 'wknd', repo: 'harbour', projectType: '4' });

  expect(await move(['harbour', '--apply'])).toMatchObject({
    code: 0,
    out: `Nothing to do. The site already gets its content from ${there}.\n`,
  });

  const back = /^To move them back: repoless (.*)$/m.exec(applied.out)?.[1]?.split(' ') ?? [];
  expect(await folder.repoless(back, { env })).toMatchObject({ code: 0, out: expect.stringContaining('moved harbour') });
  expect(await storedSite('harbour')).toEqual(before);
  expect(await home('harbour')).not.toContain('Harbour of the other environment');
});

test('A base site and its locale move to another path, and their mappings with them', async () => {
  world.author.plant(copiedPages('/content/tarnfell', { title: 'Tarnfell there' }));
  world.author.plant(copiedPages('/content/tarnfell/ch/de', { title: 'Locale there' }));
  const args = ['--path', '/content/wknd=/content/tarnfell', 'wknd', 'wknd-ch-de'];
  const before = [await storedSite('wknd'), await storedSite('wknd-ch-de')];

  // There the page inherits nothing: this path's configuration belongs to the other site.
  const blocked = await move([...args, '--apply']);
  expect(blocked.code).toBe(1);
  expect(blocked.out).toMatch(/failed wknd: In the new environment, the cloud configuration \/conf\/wknd names the site “wknd-prod”\./);
  expect(await storedSite('wknd')).toEqual(before[0]);
  expect(blocked.out).toMatch(
    /failed wknd-ch-de: In the new environment, the cloud configuration \/conf\/wknd\/ch-de names the site “wknd-ch-de-prod”\./,
  );

  const own = (conf: string, repo: string) => ({ configuration: { conf, owner: 'wknd', repo, projectType: 'plain' as const } });
  world.author.plant(copiedPages('/content/tarnfell', { title: 'Tarnfell there', ...own('/conf/tarnfell', 'tarnfell') }));
  world.author.plant(copiedPages('/content/tarnfell/ch/de', { title: 'Locale there', ...own('/conf/tarnfell/ch-de', 'elsewhere') }));
  const applied = await move([...args, '--apply']);
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('2 moved') });
  expect(await storedSite('wknd-ch-de')).toMatchObject({
    public: {
      paths: {
        mappings: ['/content/tarnfell/ch/de/:/', '/content/tarnfell/ch/de/configuration:/.helix/config.json'],
        includes: ['/content/tarnfell/ch/de/'],
      },
    },
  });
  expect([await home('wknd'), await home('wknd-ch-de')]).toEqual([
    expect.stringContaining('Tarnfell there'),
    expect.stringContaining('Locale there'),
  ]);
  expect(await thereConfiguration('/conf/tarnfell/ch-de')).toMatchObject({ repo: 'wknd-ch-de', projectType: '4' });

  const back = /^To move them back: repoless (.*)$/m.exec(applied.out)?.[1]?.split(' ') ?? [];
  expect((await folder.repoless(back, { env })).code).toBe(0);
  expect([await storedSite('wknd'), await storedSite('wknd-ch-de')]).toEqual(before);
});

test('Publishers of a profile keep their role when the account of a site that extends it is replaced', async () => {
  const put = (path: string, body: unknown) => world.backend.call('PUT', `/config/wknd/${path}.json`, { as: OPERATOR, body });
  const access = { admin: { role: { config_admin: [OLD, 'paula.publisher@example.com'] } } };
  expect((await put('profiles/publishers', { version: 1, access })).status).toBe(201);
  const { code } = await storedSite('plaza');
  const profiled = {
    version: 1,
    code,
    content: { source: { url: `${here}/bin/franklin.delivery/wknd/profiled/main`, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: ['/content/willow/:/'], includes: ['/content/willow/'] } },
    extends: { profile: 'publishers' },
  };
  expect((await put('sites/profiled', profiled)).status).toBe(201);
  const configuration = { conf: '/conf/willow', owner: 'wknd', repo: 'profiled', projectType: 'plain' as const };
  world.author.plant(copiedPages('/content/willow', { configuration }));
  expect(await move(['profiled', '--apply'])).toMatchObject({ code: 0, out: expect.stringContaining('moved profiled') });
  expect((await storedSite('profiled'))['access']).toEqual({ admin: { role: { config_admin: [NEW, 'paula.publisher@example.com'] } } });
});

describe('What cannot be moved is reported, and stays:', () => {
  test.each([
    [
      'a missing page',
      ['meadow'],
      /blocked meadow: The page \/content\/meadow doesn’t exist on http\S+p100-e300\S+, or you can’t access it\./,
    ],
    ['a content root of another site', ['wknd'], /blocked wknd: The site “wknd-prod” already has this content root\./],
    [
      'a site from neither environment',
      ['wknd-prod', '--to', 'https://author-p9-e9.example.com'],
      /gets its content from http\S+p100-e300\S+\/content\/wknd\./,
    ],
  ])('%s', async (_what, args, expected) => {
    const planned = await move(args);
    expect(planned).toMatchObject({ code: 1, out: expect.stringMatching(expected) });
    const [site = ''] = args;
    const before = await storedSite(site);
    expect((await move([...args, '--apply'])).code).toBe(1);
    expect(await storedSite(site)).toEqual(before);
  });

  test.each([
    [['--path', 'content=/content'], /--path content=\/content: use <prefix>=<prefix>/],
    [['nowhere'], /wknd has no site "nowhere"\./],
    [['--to', '/content'], /"\/content" is not the address of an author/],
  ])('%s', async (args, expected) => {
    expect(await move(args)).toMatchObject({ code: 2, err: expect.stringMatching(expected) });
  });

  test('without the authoring system', async () => {
    const { REPOLESS_AUTHORING_TOKEN: _token, ...service } = env;
    expect(await move(['harbour'], { env: service })).toMatchObject({ code: 1, err: expect.stringContaining('REPOLESS_AUTHORING_TOKEN') });
  });
});

test('A site whose pages are not delivered in the other environment is moved back completely, and the same command continues with only this site', async () => {
  const closed = { conf: '/conf/ferry', owner: 'wknd', repo: 'ferry', projectType: 'plain' as const, open: false as const };
  world.author.plant(copiedPages('/content/ferry', { configuration: closed }));
  world.author.plant(copiedPages('/content/plaza'));
  const before = await storedSite('ferry');

  const applied = await move(['ferry', 'plaza', '--apply']);
  expect(applied.code).toBe(1);
  expect(applied.out).toContain('moved plaza');
  expect(applied.out).toMatch(/failed ferry: checking its pages on the preview host: /);
  expect(await storedSite('ferry')).toEqual(before);
  expect(await thereConfiguration('/conf/ferry')).toMatchObject({ projectType: '1' });
  expect(await home('ferry')).toContain('Island Ferry');

  const { open: _open, ...opened } = closed;
  world.author.plant(copiedPages('/content/ferry', { title: 'Open ferry', configuration: opened }));
  const again = await move(['ferry', 'plaza', '--apply']);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('moved ferry\n1 moved, 1 already there, 0 failed.') });
  expect(await home('ferry')).toContain('Open ferry');
});

test('A stopped move moves the current site back and leaves the rest, and a second run moves them', async () => {
  world.author.plant(copiedPages('/content/harbour'));
  world.author.plant(copiedPages('/content/meadow'));
  const before = await storedSite('harbour');
  const versions = await world.versions('harbour');
  const stopper = new AbortController();
  const stopped = await move(['harbour', 'meadow', '--concurrency', '1', '--apply'], {
    signal: stopper.signal,
    answered: (method, address) => {
      if (method === 'PUT' && address.includes('/sites/harbour.json') && !address.includes('dryRun')) stopper.abort();
    },
  });
  expect(stopped).toMatchObject({
    code: 1,
    out: expect.stringContaining('0 moved, 0 already there, 0 failed, 1 stopped and moved back, 1 not started.'),
  });
  expect(await storedSite('harbour')).toEqual(before);
  expect(await world.versions('harbour'), 'written, and put back').toBe(versions + 2);
  expect(await move(['harbour', 'meadow', '--apply'])).toMatchObject({ code: 0, out: expect.stringContaining('2 moved') });
});
