import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { configAddress } from '@repoless/contract/addresses.ts';
import { dispatcherOf, fetchThrough } from '@repoless/command-line/network.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { world, folder, repoless, inCommandWorld, sitesFile, asOperator } from './command.ts';

inCommandWorld();

const SITE = '/config/wknd/sites/plaza';
const ROOT = '/content/plaza';

const code = (repo: string) => ({ owner: 'wknd', repo, source: { type: 'github', url: `${world.codeHost.address}/wknd/${repo}` } });
const content = (site: string) => ({
  source: { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' },
});

const put = (path: string, body: unknown) => asOperator.done('PUT', path, body);
const stored = async (path = `${SITE}.json`) => (await asOperator.call('GET', path)).json();

/** The live host's status, and the reason of a refusal. */
async function live(path: string) {
  const { protocol, host } = new URL(configAddress(await domains(), 'live', 'wknd', 'plaza'));
  const answer = await fetchThrough(dispatcherOf({}))(`${protocol}//${host}${path}`);
  await answer.body?.cancel();
  return { status: answer.status, why: answer.headers.get('x-error') };
}

async function domains() {
  const info = (await asOperator.call('GET', '/service.json')).json() as {
    protocol: 'http';
    previewDomain: string;
    liveDomain: string;
  };
  return { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
}

/** Exports all sites, and returns the output of plan and apply for that file. */
async function roundTrip() {
  expect(await repoless('export', '--organization', 'wknd', '-o', 'all.yaml')).toMatchObject({ code: 0 });
  const planned = await repoless('plan', '-f', 'all.yaml', '--json');
  const applied = await repoless('apply', '-f', 'all.yaml', '--json');
  return { planned: planned.json(), applied: applied.json() };
}

const NOTHING_TO_DO = {
  planned: { changes: [{ site: 'plaza', action: 'none', steps: [], problems: [] }] },
  applied: { summary: { unchanged: 1, failed: 0, writes: 0 } },
};

describe('An export that is applied', () => {
  afterEach(() => asOperator.call('DELETE', `${SITE}.json`));

  test('does not change a site that publishes everything', async () => {
    await put(`${SITE}.json`, { code: code('wknd'), content: content('plaza'), public: { paths: { mappings: [`${ROOT}/:/`] } } });
    const before = await stored();
    const answered = await live('/');
    expect(answered.why ?? '').not.toContain('mapping');
    expect(await roundTrip()).toMatchObject(NOTHING_TO_DO);
    expect(await folder.read('all.yaml')).toContain('includes: false');
    expect(await stored()).toEqual(before);
    expect(await live('/')).toEqual(answered);
  });

  test('does not change any site', async () => {
    await fc.assert(
      fc.asyncProperty(sites, async (parts) => {
        await put(`${SITE}.json`, { code: code('wknd'), content: content('plaza'), ...parts });
        const before = await stored();
        expect(await roundTrip()).toMatchObject(NOTHING_TO_DO);
        expect(await stored()).toEqual(before);
      }),
      { numRuns: IS_LONG ? 60 : 8 },
    );
  });
});

describe('The plan of a file', () => {
  afterEach(() => asOperator.call('DELETE', `${SITE}.json`));

  const file = (entry: string) =>
    sitesFile(world.authorAddress(), `  - name: plaza\n    contentRoot: ${ROOT}\n    configurationPage: false\n${entry}`, {
      service: world.backend.address,
      code: `{ owner: wknd, repo: wknd, source: { type: github, url: "${world.codeHost.address}/wknd/wknd" } }`,
      access: '{}',
      technicalAccount: undefined,
    });

  const publishing = (includes: object) =>
    put(`${SITE}.json`, {
      code: code('wknd'),
      content: content('plaza'),
      public: { paths: { mappings: [`${ROOT}/:/`], ...includes } },
    });

  test.each([
    ['nothing at all', {}, '    includes: []\n', 'Included paths set to []; before, everything was included'],
    ['a part of what it publishes', {}, '', `Included paths set to ["${ROOT}/"]; before, everything was included`],
    [
      'everything',
      { includes: [`${ROOT}/`] },
      '    includes: false\n',
      'Included paths removed (was ["/content/plaza/"]); everything is included',
    ],
  ])('warns that a site will publish %s', async (_what, includes, entry, sentence) => {
    await publishing(includes);
    await folder.write('sites.yaml', file(entry));
    const planned = await repoless('plan', '-f', 'sites.yaml');
    expect(planned).toMatchObject({ code: 3 });
    expect(planned.out).toContain(sentence);
  });
});

const email = fc.constantFrom('ann@example.com', 'Ben@example.com', 'ben@example.com', 'groups/editors', '0A1B@techacct.example.com');
const members = fc.option(fc.array(email, { maxLength: 3 }), { nil: undefined });
const path = fc.constantFrom(`${ROOT}/`, `${ROOT}`, `${ROOT}/a/`, '/content/dam/plaza/', '/');

/** Valid sites, with any combination of parts. */
const sites = fc
  .record({
    rootMapping: fc.constantFrom(`${ROOT}/:/`, `${ROOT}:/`),
    sheet: fc.option(fc.constantFrom(`${ROOT}/configuration`, `${ROOT}/settings/config`), { nil: undefined }),
    further: fc.array(fc.constantFrom(`${ROOT}/a/:/a/`, `${ROOT}/b:/b`), { maxLength: 1 }),
    includes: fc.option(fc.array(path, { maxLength: 3 }), { nil: undefined }),
    brand: fc.option(fc.constant('x'), { nil: undefined }),
    admin: members,
    config_admin: members,
    view: members,
    requireAuth: fc.constantFrom(undefined, 'auto', true, false),
    access: fc.constantFrom('none', 'empty', 'no-role', 'whole'),
    robots: fc.option(fc.constant({ txt: 'User-agent: *' }), { nil: undefined }),
  })
  .map(({ rootMapping, sheet, further, includes, brand, admin, config_admin, view, requireAuth, access, robots }) => ({
    public: {
      paths: {
        mappings: [...further, rootMapping, ...(sheet === undefined ? [] : [`${sheet}:/.helix/config.json`])],
        ...(includes === undefined ? {} : { includes }),
      },
      ...(brand === undefined ? {} : { brand }),
    },
    ...(robots === undefined ? {} : { robots }),
    ...(access === 'none' ? {} : { access: accessOf(access, { admin, config_admin, view }, requireAuth) }),
  }));

function accessOf(kind: 'empty' | 'no-role' | 'whole', role: object, requireAuth: unknown) {
  const auth = requireAuth === undefined ? {} : { requireAuth };
  if (kind === 'empty') return {};
  return {
    admin: kind === 'no-role' ? auth : { role: Object.fromEntries(Object.entries(role).filter(([, list]) => list !== undefined)), ...auth },
  };
}
