import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SiteList } from '@repoless/contract/site.ts';
import { ADA } from '../setup/setup-world.ts';
import { OPERATOR } from '../support/backend.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { startByogit } from '../support/byogit.ts';
import { stopAfterTest } from '../support/start-before-all.ts';
import { startUnreliableProxy } from '../support/unreliable-proxy.ts';
import { offered } from '../support/on-both.ts';
import { world, env, folder, inCommandWorld, sitesFile, asAda, repoless } from './command.ts';

inCommandWorld({ sites: true });
let authoring: Record<string, string>;
beforeAll(async () => {
  authoring = { ...env, REPOLESS_AUTHORING_TOKEN: await world.author.issuer.token(ADA, { expires: '1h' }) };
});
afterEach(async () => {
  for (const name of await names()) if (name.startsWith('shop')) await call('DELETE', `/config/wknd/sites/${name}.json`);
});

const { call } = asAda;
const names = async () => SiteList.parse((await call('GET', '/config/wknd/sites.json')).json()).sites.map(({ name }) => name);
const stored = async (site: string) => (await call('GET', `/config/wknd/sites/${site}.json`)).json();

/** A file of sites below /content/shop; the empty locale is the base of the others. */
function fileOf(...locales: readonly string[]): string {
  const sites = locales.map(
    (locale) => `  - name: shop${locale === '' ? '' : `-${locale}`}\n    contentRoot: /content/shop${locale === '' ? '' : `/${locale}`}\n`,
  );
  return sitesFile(world.authorAddress(), sites.join(''));
}

/** Applies `before`, then writes `after` to a second file. */
async function dropped(before: string, after: string, token = env): Promise<void> {
  await folder.write('before.yaml', before);
  expect(await folder.repoless(['apply', '-f', 'before.yaml'], { env: token })).toMatchObject({ code: 0 });
  await folder.write('sites.yaml', after);
}

const PRUNE = ['-f', 'sites.yaml', '--prune', '--previous', 'before.yaml'];

describe('Sites that the file no longer names', () => {
  test.runIf(offered('generated-secrets'))('are listed with what is removed with them, and removed last, without any others', async () => {
    await dropped(fileOf('', 'de', 'fr'), fileOf('', 'fr', 'it'));
    await call('POST', '/config/wknd/sites/shop-de/secrets/token.json', {});
    await call('POST', '/config/wknd/sites/shop-de/apiKeys.json', { description: 'pipeline', roles: ['develop'] });
    const others = (await names()).filter((name) => !name.startsWith('shop'));

    const planned = await repoless('plan', ...PRUNE);
    expect(planned).toMatchObject({ code: 3, err: '' });
    for (const line of [
      /^create shop-it: /m,
      /^remove shop-de: everything$/m,
      /^ {2}http\S+shop-de--wknd\S+ and http\S+ stop responding\.$/m,
      /^ {2}Secrets deleted: token\.$/m,
      /^ {2}API keys revoked: "pipeline"\.$/m,
      /^ {2}1 version is kept/m,
      /^1 to create, 0 to change, 1 to remove, 2 in sync\.$/m,
      /^The page of the removed site keeps its project type/m,
    ])
      expect(planned.out).toMatch(line);
    expect(await names()).toContain('shop-de');
    const answer = await repoless('plan', ...PRUNE, '--json');
    expect(answer.json()).toMatchObject({
      summary: { remove: 1 },
      changes: expect.arrayContaining([
        expect.objectContaining({
          site: 'shop-de',
          action: 'remove',
          tried: true,
          removes: expect.objectContaining({ secrets: ['token'], apiKeys: ['pipeline'], versionsKept: 1 }),
        }),
      ]),
    });
    const comment = await repoless('plan', ...PRUNE, '--format', 'markdown');
    expect(comment.out).toMatch(/\n\| `shop-de` \| remove \| everything \|\n/);
    expect(comment.out).toContain('Secrets deleted: token.');

    const applied = await repoless('apply', ...PRUNE);
    expect(applied).toMatchObject({ code: 0, out: expect.stringMatching(/^created shop-it\nremoved shop-de\n[\s\S]*^1 removed\.$/m) });
    expect((await names()).toSorted()).toEqual([...others, 'shop', 'shop-fr', 'shop-it'].toSorted());
    const again = await repoless('apply', ...PRUNE);
    expect(again).toMatchObject({ code: 0, out: 'Nothing to do. All 3 sites match the file.\n' });
  });

  test('stay if their name now belongs to another site', async () => {
    await dropped(fileOf('de', 'fr'), fileOf('fr'));
    await folder.write('theirs.yaml', fileOf('de').replace('repo: wknd', 'repo: legacy'));
    expect((await repoless('apply', '-f', 'theirs.yaml')).code).toBe(0);
    const planned = await repoless('plan', ...PRUNE);
    expect(planned).toMatchObject({ code: 1, out: expect.stringMatching(/^blocked shop-de: .*belong to somebody else now/m) });
    const applied = await repoless('apply', ...PRUNE, '--json');
    expect(applied).toMatchObject({ code: 1 });
    expect(applied.json()).toMatchObject({ summary: { removed: 0, notRemoved: 1 } });
    expect(await names()).toContain('shop-de');
  });

  test('are removed with their base in one run; a base stays if its locales do', async () => {
    await dropped(fileOf('', 'de', 'fr'), fileOf('fr'));
    const based = await repoless('plan', ...PRUNE);
    expect(based).toMatchObject({ code: 1, out: expect.stringMatching(/^blocked shop: Remaining sites depend on it: shop-fr\./m) });
    expect(based.out).toMatch(/^remove shop-de: /m);
    expect(await repoless('apply', ...PRUNE)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^1 removed, 1 not removed\.$/m),
    });
    await folder.write('sites.yaml', fileOf('elsewhere').replace('/content/shop/elsewhere', '/content/elsewhere'));
    const both = await repoless('apply', ...PRUNE);
    expect(both).toMatchObject({ code: 0, out: expect.stringMatching(/^removed shop-fr\nremoved shop\n/m) });
  });

  test('stay if they hold the secret with which the others get their code', async () => {
    const repository = await stopAfterTest(startByogit('the-secret'));
    repository.branches.set('main', new Map(EDITOR_FILES.map((path) => [path.slice(1), '{}'])));
    const codeWith = (secret: string) =>
      `{ owner: "100", repo: "200", source: { type: byogit, url: "${repository.url}", raw_url: "${repository.rawUrl}"${secret} } }`;
    const external = (...locales: string[]) => fileOf(...locales).replace('{ owner: wknd, repo: wknd }', codeWith(''));
    const holder = external('de', 'fr').replace('/shop/de\n', `/shop/de\n    code: ${codeWith(', secretId: cm-byog')}\n`);
    await folder.write('before.yaml', holder);
    await folder.write('sites.yaml', external('fr'));
    const { sites, code, access } = parse(holder) as {
      sites: { name: string; contentRoot: string; code?: object }[];
      code: object;
      access: object;
    };
    for (const site of sites) {
      const url = `${world.authorAddress()}/bin/franklin.delivery/wknd/${site.name}/main`;
      const content = { source: { url, type: 'markup', suffix: '.html' } };
      const paths = { mappings: [`${site.contentRoot}/:/`], includes: [`${site.contentRoot}/`] };
      const body = { version: 1, code: site.code ?? code, content, access: { admin: access }, public: { paths } };
      const put = await world.backend.call('PUT', `/config/wknd/sites/${site.name}.json?unchecked=true`, { as: OPERATOR, body });
      expect(put.status, put.text).toBe(201);
    }
    const planned = await repoless('plan', ...PRUNE);
    expect(planned).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^blocked shop-de: It holds the secret of a repository that other sites use: shop-fr\./m),
    });
    if (!offered('git')) return;
    await call('POST', '/config/wknd/sites/shop-de/secrets/cm-byog.json', { value: 'the-secret' });
    const applied = await repoless('apply', ...PRUNE, '--json');
    expect(applied.json()).toMatchObject({ summary: { removed: 0, failed: 0, notRemoved: 1 } });
    expect(applied.out).toContain('It holds the secret of a repository that other sites use: shop-fr.');
    expect(applied.code).toBe(1);
    expect(await names()).toContain('shop-de');
    expect((await call('GET', '/config/wknd/sites/shop-de/secrets/cm-byog.json')).status).toBe(200);
  });

  test('stay until everything else has succeeded, and a second run completes the rest', async () => {
    await dropped(fileOf('de', 'fr', 'it'), fileOf('fr', 'en'));
    let refuses = true;
    const unreliable = await startUnreliableProxy({
      target: world.backend.address,
      fate: ({ method, path }) => (refuses && method === 'PUT' && path.includes('shop-en') ? 503 : 'pass'),
    });
    const through = { ...env, REPOLESS_SERVICE: unreliable.address };
    const failed = await folder.repoless(['apply', ...PRUNE], { env: through });
    expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/^Nothing was removed, .*: shop-de, shop-it\.$/m) });
    expect(await names()).toEqual(expect.arrayContaining(['shop-de', 'shop-it']));

    refuses = false;
    // The run is cancelled after the first removal.
    const stopper = new AbortController();
    const stopping = await startUnreliableProxy({
      target: world.backend.address,
      fate: ({ method, path }) => {
        if (method === 'DELETE' && !path.includes('dryRun')) stopper.abort();
        return 'pass';
      },
    });
    const stopped = await folder.repoless(['apply', ...PRUNE], {
      env: { ...env, REPOLESS_SERVICE: stopping.address },
      signal: stopper.signal,
    });
    expect(stopped).toMatchObject({ code: 1, out: expect.stringMatching(/^created shop-en\nremoved shop-de\nnot started shop-it\n/m) });
    expect(await repoless('apply', ...PRUNE)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^removed shop-it\n/),
    });
    await unreliable.stop();
    await stopping.stop();
  });

  test('are reported along with what was written if the sites can no longer be listed', async () => {
    await dropped(fileOf('de', 'fr'), fileOf('fr', 'en'));
    let written = false;
    const unreliable = await startUnreliableProxy({
      target: world.backend.address,
      fate: ({ method, path }) => {
        written ||= method === 'PUT' && path.includes('shop-en') && !path.includes('dryRun');
        return written && /\/wknd\/sites\.json/.test(path) ? 503 : 'pass';
      },
    });
    const through = { ...env, REPOLESS_SERVICE: unreliable.address };
    const result = await folder.repoless(['apply', ...PRUNE, '--json'], { env: through });
    await unreliable.stop();
    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject({
      summary: { created: 1, removed: 0, notRemoved: 1 },
      sites: expect.arrayContaining([
        expect.objectContaining({ site: 'shop-en', state: 'created' }),
        expect.objectContaining({ site: 'shop-de', state: 'failed', problem: expect.stringContaining('503') }),
      ]),
    });
    expect(await names()).toContain('shop-de');
  });

  test.runIf(offered('permission-of-removal'))('are not removed without permission, as the plan says', async () => {
    await dropped(fileOf('de', 'fr'), fileOf('fr'));
    const body = (await stored('shop-de')) as { access: { admin: { role: object } } };
    const role = { ...body.access.admin.role, config_admin: ['carl.config@example.com'] };
    await call('POST', '/config/wknd/sites/shop-de/access/admin.json', { role, requireAuth: 'auto' });
    const key = (await call('POST', '/config/wknd/apiKeys.json', { roles: ['config_admin'] })).json() as { value: string };
    const planned = await folder.repoless(['plan', ...PRUNE], { env: { ...env, REPOLESS_TOKEN: key.value } });
    expect(planned).toMatchObject({ code: 1, out: expect.stringMatching(/^blocked shop-de: \S/m) });
  });

  test('are not searched for with a role on a single site; nothing is applied', async () => {
    await dropped(fileOf('de', 'fr'), fileOf('fr').replace('/content/shop/fr\n', '/content/shop/fr\n    includes: [/content/]\n'));
    const created = await call('POST', '/config/wknd/sites/shop-fr/apiKeys.json', { roles: ['admin'] });
    const key = { ...env, REPOLESS_TOKEN: (created.json() as { value: string }).value };
    const before = await world.versions('shop-fr');
    const refused = await folder.repoless(['apply', ...PRUNE], { env: key });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--prune needs a role in the organization') });
    expect(await world.versions('shop-fr')).toBe(before);
  });

  test.runIf(offered('git'))('return the page of a locale to its base; a page that stays repoless is named', async () => {
    const file = (sites: string) => `${fileOf().replace('sites:\n', '')}cloudConfiguration: /conf/wknd\nsites:\n${sites}`;
    const locale = '  - name: shop-en\n    contentRoot: /content/wknd/de/en\n    cloudConfiguration: /conf/wknd/de-en\n';
    const other = '  - name: shop-other\n    contentRoot: /content/wknd/de/de\n';
    await dropped(file(`${locale}${other}`), file(other), authoring);
    const own = async () => world.author.json('/content/wknd/de/en/jcr:content.json') as Promise<Record<string, string>>;
    expect((await own())['cq:conf']).toBe('/conf/wknd/de-en');
    const planned = await folder.repoless(['plan', ...PRUNE], { env: authoring });
    expect(planned).toMatchObject({ code: 3, out: expect.stringContaining('/content/wknd/de/en inherits its cloud configuration again.') });
    await folder.write('silent.yaml', file(`${locale}${other}`.replace('    cloudConfiguration: /conf/wknd/de-en\n', '')));
    const kept = await folder.repoless(['plan', '-f', 'sites.yaml', '--prune', '--previous', 'silent.yaml'], { env: authoring });
    expect(kept).toMatchObject({ code: 3, out: expect.stringContaining('/content/wknd/de/en keeps the project type repoless') });

    expect((await folder.repoless(['apply', ...PRUNE], { env: authoring })).code).toBe(0);
    expect((await own())['cq:conf']).toBeUndefined();
    expect(await world.edgeConfiguration('/conf/wknd/de-en')).toMatchObject({ repo: 'shop-en' });
  });
});

test.each([
  [['--prune'], /--prune needs --previous <file>/],
  [['--previous', 'sites.yaml'], /add --prune/],
  [['--prune', '--previous', 'sites.yaml', '--site', 'shop-de'], /'--prune' cannot be used with option '--site <name>'/],
  [['--prune', '--previous', 'other.yaml'], /other\.yaml is for the organization acme, not wknd/],
  [['--prune', '--previous', 'none.yaml'], /Couldn’t read none\.yaml/],
  [['--prune', '--previous', 'elsewhere.yaml'], /elsewhere\.yaml is for the service https:\/\/old\.example\.com/],
])('What may be removed is never guessed: %j', async (args, sentence) => {
  await folder.write('sites.yaml', `service: ${world.backend.address}\n${fileOf('de')}`);
  await folder.write('other.yaml', fileOf('fr').replace('organization: wknd', 'organization: acme'));
  await folder.write('elsewhere.yaml', `service: https://old.example.com\n${fileOf('fr')}`);
  expect(await repoless('apply', '-f', 'sites.yaml', ...args)).toMatchObject({
    code: 2,
    err: expect.stringMatching(sentence),
    out: '',
  });
  expect(await names()).not.toContain('shop-de');
});

test('A file without sites prunes nothing', async () => {
  await dropped(fileOf('de'), `${fileOf()}  []\n`);
  expect(await repoless('apply', ...PRUNE)).toMatchObject({ code: 2, err: expect.stringContaining('no sites') });
  expect(await names()).toContain('shop-de');
});
