import { Site, SiteInput } from '@repoless/contract/site.ts';
import { cloneSite, tryClone } from '@repoless/core/clone/clone-site.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import { english } from '@repoless/core/messages/english.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { ADA, startSetupWorld } from './setup-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const historyPanel = english.history;

const TIME = '2026-03-04T05:06:07.000Z';
const AUTHOR = 'https://author-p100-e200.example.com';
const KEY = { id: 'abc', type: 'key' as const, created: TIME, lastModified: TIME };
const SOURCE = Site.parse({
  version: 1,
  name: 'lantern',
  created: TIME,
  lastModified: TIME,
  title: 'Lantern',
  code: {
    owner: 'wknd',
    repo: 'lantern',
    source: { type: 'byogit', url: 'https://git.example.com/a', raw_url: 'https://raw.example.com/a', secretId: 'cm-byog' },
  },
  content: { contentBusId: 'bus', source: { type: 'markup', suffix: '.html', url: `${AUTHOR}/bin/franklin.delivery/wknd/lantern/main` } },
  public: {
    theme: 'dark',
    paths: {
      mappings: ['/content/lantern/:/', '/content/lantern/en:/english', '/content/lanterns/:/others/'],
      includes: ['/content/lantern/', '/content/lanterns/'],
    },
  },
  access: { admin: { role: { admin: [ADA] }, apiKeyId: ['k1'] }, site: { secretId: ['s1'] }, preview: { requireAuth: 'auto' } },
  groups: { editors: { members: [{ email: 'eve@example.com' }] } },
  headers: { '/**': [{ key: 'x-robots-tag', value: 'noindex' }] },
  folders: { '/products': '/product' },
  cdn: { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's', authToken: 'very-secret' } },
  sidekick: { project: 'Lantern', host: 'www.example.com', previewHost: 'preview.example.com' },
  extends: { profile: 'locales' },
  secrets: { s1: KEY },
  apiKeys: { k1: { id: 'k1', created: TIME, expiration: TIME, roles: ['author'], subject: 'x' } },
  tokens: { t1: { id: 't1' } },
});
const TARGET = { organization: 'wknd', siteName: 'harbour', contentRoot: '/content/harbour' };

describe('A clone of a site', () => {
  test('has the configuration of its source, with its own name and content root, and without credentials and hosts', () => {
    const clone = cloneSite(SOURCE, TARGET);
    expect(clone?.leftOut).toEqual(['secrets', 'apiKeys', 'tokens', 'hostKeys', 'repositorySecret', 'cdn', 'sidekickHosts']);
    expect(clone?.input).toEqual({
      version: 1,
      title: 'Lantern',
      code: {
        owner: 'wknd',
        repo: 'lantern',
        source: { type: 'byogit', url: 'https://git.example.com/a', raw_url: 'https://raw.example.com/a' },
      },
      content: { source: { type: 'markup', suffix: '.html', url: `${AUTHOR}/bin/franklin.delivery/wknd/harbour/main` } },
      public: {
        theme: 'dark',
        paths: {
          mappings: ['/content/harbour/:/', '/content/harbour/en:/english', '/content/lanterns/:/others/'],
          includes: ['/content/harbour/', '/content/lanterns/'],
        },
      },
      access: {
        admin: { role: { admin: [ADA] } },
        site: {},
        preview: { requireAuth: true },
        live: { requireAuth: true },
      },
      groups: SOURCE.groups,
      headers: SOURCE.headers,
      folders: SOURCE.folders,
      sidekick: { project: 'Lantern' },
      extends: { profile: 'locales' },
    });
    expect(SiteInput.safeParse(clone?.input).success).toBe(true);
  });

  test.each([
    ['an open host stays open', { site: { secretId: ['s1'], requireAuth: false } }, { site: { requireAuth: false } }],
    ['a host keeps its readers', { live: { allow: [ADA], secretId: ['s1'] } }, { live: { allow: [ADA] } }],
    ['a host guarded by keys stays guarded', { live: { apiKeyId: ['k1'] } }, { live: { requireAuth: true } }],
  ])('%s', (_what, access, expected) => {
    expect(cloneSite({ ...SOURCE, access }, TARGET)?.input.access).toEqual(expected);
  });

  test('cannot be made of a site without a content root on an authoring system', () => {
    expect(cloneSite({ ...SOURCE, public: { paths: { mappings: ['/content/lantern/en:/english'] } } }, TARGET)).toBeUndefined();
    const elsewhere = { source: { type: 'markup' as const, url: 'https://content.example.com/lantern' } };
    expect(cloneSite({ ...SOURCE, content: elsewhere }, TARGET)).toBeUndefined();
  });
});

describe('A clone with the service', () => {
  const world = startBeforeAll(() => startSetupWorld({ sites: true }));
  let ports: SetupPorts;
  beforeAll(async () => {
    ({ ports } = await world.person(ADA));
  });
  const stored = async (site: string) => world.backend.call('GET', `/config/wknd/sites/${site}.json`, { as: OPERATOR });
  const target = { organization: 'wknd', siteName: 'cloned', contentRoot: '/content/wknd/de/en' };

  test('is previewed first, created once, and never replaces a site', async () => {
    await world.backend.call('POST', '/config/wknd/sites/wknd/access/live.json', { as: OPERATOR, body: { secretId: ['front'] } });
    const secret = await world.backend.call('POST', '/config/wknd/sites/wknd/secrets/front.json', {
      as: OPERATOR,
      body: { value: 'let-me-in' },
    });
    expect(secret.status).toBeLessThan(300);
    const dryRun = await tryClone(ports, 'wknd', target);
    expect((await stored('cloned')).status).toBe(404);
    if (dryRun.state !== 'ready') throw new Error(JSON.stringify(dryRun));
    expect(dryRun.clone.leftOut).toContain('hostKeys');
    const sentences = dryRun.clone.differences.map((change) => changeSentence(historyPanel, change)).join('\n');
    expect(sentences).toContain('/content/wknd/de/en');
    expect(sentences).not.toContain('let-me-in');

    expect(await ports.service.send(dryRun.clone.call)).toMatchObject({ state: 'known' });
    expect((await stored('cloned')).json()).toMatchObject({
      name: 'cloned',
      public: { paths: { mappings: expect.arrayContaining(['/content/wknd/de/en/:/']) } },
    });
    expect((await world.backend.visit('live', 'main--cloned--wknd', '/')).status).toBe(401);

    expect(await ports.service.send(dryRun.clone.call)).toMatchObject({ state: 'failed', failure: { status: 412 } });
    expect(await world.versions('cloned')).toBe(1);
  });

  test.each([
    ['an existing name, at the name', { siteName: 'wknd' }, { field: 'siteName', message: { kind: 'name-taken' } }],
    [
      'a missing page, at the content root',
      { contentRoot: '/content/nowhere' },
      { field: 'contentRoot', message: { kind: 'page-missing' } },
    ],
    [
      'a content root that has a site, at the content root',
      { contentRoot: '/content/wknd' },
      { field: 'contentRoot', message: { kind: 'sentence' } },
    ],
  ])('is refused for %s', async (_what, change, problem) => {
    const dryRun = await tryClone(ports, 'wknd', { ...target, siteName: 'another', contentRoot: '/content/wknd/de/de', ...change });
    expect(dryRun).toMatchObject({ state: 'blocked', problems: [problem] });
  });

  test('of a missing site is refused', async () => {
    expect(await tryClone(ports, 'nobody', target)).toMatchObject({
      state: 'blocked',
      problems: [{ message: { kind: 'source-missing' } }],
    });
  });
});
