import { expect, test, afterEach, beforeEach, describe } from 'vitest';
import { offered } from '../support/on-both.ts';
import { around, env, folder, inCommandWorld, repoless, sitesFile, asOperator, asAda } from './command.ts';
import { OTTO } from '../setup/setup-world.ts';

inCommandWorld({ sites: true, authoring: true });

const clone = (root: string, ...more: string[]) =>
  repoless('clone', '--organization', 'wknd', '--from', 'wknd', '--site', 'twin', '--content-root', root, ...more);

test('A site is cloned from another: as a dry run first, once, and never over an existing site', async () => {
  const root = '/content/wknd/de/en';
  const tried = await clone(root, '--dry-run');
  expect(tried.code).toBe(0);
  expect(tried.out).toContain(`  Mapping of / changed from /content/wknd/ to ${root}/\n`);
  expect(tried.out).toMatch(/^The site “twin” can be created with the configuration of “wknd”\. Nothing was written\.$/m);
  expect(await around.versions('twin')).toBe(0);

  const made = await clone(`${root}/`, '--json');
  expect(made).toMatchObject({ code: 0 });
  expect(made.json()).toMatchObject({
    site: 'twin',
    from: 'wknd',
    created: true,
    tried: true,
    preview: expect.stringContaining('main--twin--wknd'),
  });
  expect(await around.versions('twin')).toBe(1);

  const again = await clone('/content/wknd/de/de');
  expect(again).toMatchObject({ code: 1, err: 'A site with this name already exists. Choose another name.\n' });
  expect(await around.versions('twin')).toBe(1);
});

test('A clone requires a source, a name and a content root', async () => {
  const argv = ['clone', '--organization', 'wknd', '--from', 'wknd'];
  expect(await folder.repoless(argv, { env })).toMatchObject({ code: 2, err: expect.stringContaining('--site <name>') });
  expect(await repoless(...argv, '--site', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--content-root'),
  });
  expect(await clone('content')).toMatchObject({ code: 2, err: expect.stringContaining('must be absolute') });
  if (offered('authoring'))
    expect(await clone('/content/nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('This page doesn’t exist') });
});
describe('A site that someone else changes right after its creation', () => {
  inCommandWorld();
  beforeEach(() =>
    folder.write(
      'sites.yaml',
      sitesFile(around.authorAddress(), '  - { name: nd, contentRoot: /content/nd }\n', { technicalAccount: undefined }),
    ),
  );
  afterEach(() => asOperator.call('DELETE', SITE));

  const SITE = '/config/wknd/sites/nd.json';

  /** Applies the file; someone else replaces the site's public part right after its creation. */
  async function appliedUnder(paths: object) {
    let replaced = false;
    const answered = async (method: string, address: string): Promise<void> => {
      if (replaced || method !== 'PUT' || !address.includes('/sites/nd.json')) return;
      replaced = true;
      const answer = await around.backend.call('POST', '/config/wknd/sites/nd/public.json', { as: OTTO, body: { paths } });
      if (answer.status >= 300) throw new Error(answer.text);
    };
    return folder.repoless(['apply', '-f', 'sites.yaml'], { env, answered });
  }

  test('is planned again, and ends as the file says', async () => {
    const mappings = ['/content/nd/:/', '/content/nd/configuration:/.helix/config.json'];
    expect(await appliedUnder({ mappings, includes: ['/content/nd/a/'] })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^created nd\n/),
    });
    expect(await repoless('plan', '-f', 'sites.yaml')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    });
  });

  test.runIf(offered('content-roots'))('is not reported as created if it has other content by now', async () => {
    const applied = await appliedUnder({ mappings: ['/content/elsewhere/:/'], includes: ['/content/elsewhere/'] });
    expect(applied).toMatchObject({ code: 1, out: expect.stringMatching(/ nd: .*\/content\/elsewhere/) });
    expect(applied.out).not.toMatch(/^created/m);
    expect((await asAda.call('GET', SITE)).json()).toMatchObject({
      public: { paths: { mappings: ['/content/elsewhere/:/'] } },
    });
  });
});
