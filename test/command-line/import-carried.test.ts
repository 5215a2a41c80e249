import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADA } from '../setup/setup-world.ts';
import { world, folder, repoless, inCommandWorld } from './command.ts';

inCommandWorld({ sites: true });
beforeEach(async () => {
  await mkdir(join(folder.folder, '.git'), { recursive: true });
  await folder.write('.git/config', `[remote "origin"]\n\turl = ${world.codeHost.address}/wknd/wknd.git\n`);
});

const stored = async (site: string) => (await world.backend.call('GET', `/config/wknd/sites/${site}.json`, { as: ADA })).json();

async function project(fstab = '', paths?: object): Promise<void> {
  const address = `${world.authorAddress()}/bin/franklin.delivery/wknd/park/main`;
  await folder.write('fstab.yaml', `mountpoints:\n  /:\n    url: ${address}\n    type: markup\n${fstab}`);
  if (paths !== undefined) await folder.write('paths.json', JSON.stringify(paths, null, 2));
}

const MAPPINGS = ['/content/park/:/', '/content/park/fr:/fr', '/content/park/fr/:/fr/', '/content/park/configuration:/.helix/config.json'];

describe('What a project contains besides its mappings', () => {
  const overlay = { url: 'https://overlay.example.com/park', type: 'markup' };
  const excludes = ['/content/park/**/drafts/**'];
  const folders = { '/products': '/products/default' };

  test('is in the site created by the sites file, and survives an export, a clone and a file without it', async () => {
    await project(`    suffix: .plain.html\n    overlay: ${JSON.stringify(overlay)}\nfolders: ${JSON.stringify(folders)}\n`, {
      mappings: MAPPINGS,
      excludes,
    });
    expect(await repoless('import', '.', '-o', 'sites.yaml')).toMatchObject({
      code: 0,
      err: 'Once the file is applied, fstab.yaml and paths.json are no longer needed.\n',
    });
    await folder.write('sites.yaml', (await folder.read('sites.yaml')).replace('role: {}', `role: { admin: [${ADA}] }`));
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('1 created') });
    const site = await stored('park');
    const paths = { mappings: MAPPINGS, excludes };
    expect(site).toMatchObject({ content: { overlay, source: { suffix: '.plain.html' } }, folders, public: { paths } });
    expect(site).not.toHaveProperty('public.paths.includes');

    expect((await repoless('export', '--organization', 'wknd', '--site', 'park', '-o', 'out.yaml')).code).toBe(0);
    expect(parse(await folder.read('out.yaml'))).toMatchObject({
      sites: [{ overlay, suffix: '.plain.html', folders, excludes, includes: false }],
    });
    expect(await repoless('apply', '-f', 'out.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });

    const {
      overlay: _overlay,
      suffix: _suffix,
      folders: _folders,
      excludes: _excludes,
      ...silent
    } = entryOf(await folder.read('out.yaml'));
    await folder.write('out.yaml', JSON.stringify({ ...parse(await folder.read('out.yaml')), sites: [silent] }));
    expect(await repoless('apply', '-f', 'out.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });

    await world.backend.call('POST', '/config/wknd/sites/park/public.json', {
      as: ADA,
      body: { paths: { ...paths, rewrites: { a: 'b' } } },
    });
    expect(await repoless('apply', '-f', 'out.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    const cloned = ['--from', 'park', '--site', 'heath', '--content-root', '/content/heath'];
    expect(await repoless('clone', '--organization', 'wknd', ...cloned)).toMatchObject({ code: 0 });
    expect(await stored('heath')).toMatchObject({
      content: { overlay, source: { suffix: '.plain.html' } },
      folders,
      public: { paths: { excludes: ['/content/heath/**/drafts/**'], rewrites: { a: 'b' } } },
    });
    for (const name of ['park', 'heath']) await world.backend.call('DELETE', `/config/wknd/sites/${name}.json`, { as: ADA });
  });
});

function entryOf(text: string): Record<string, unknown> {
  return (parse(text) as { sites: Record<string, unknown>[] }).sites[0] ?? {};
}

test.each<[what: string, paths: object, entry: object, report: RegExp]>([
  ['a page and the tree below it', { mappings: MAPPINGS }, { contentRoot: '/content/park', mappings: MAPPINGS }, /^Once the file/],
  [
    'several trees onto one address',
    { mappings: ['/content/park/:/', '/content/park/en/:/'] },
    { contentRoot: '/content/park' },
    /^paths\.json:2:\d+: The public path "\/" is mapped more than once: "\/content\/park\/en\/:\/" is the last and wins/m,
  ],
  [
    'the same line twice',
    { mappings: ['/content/park/:/', '/content/park/:/'] },
    { contentRoot: '/content/park' },
    /^paths\.json:2:\d+: The mapping "\/content\/park\/:\/" is written more than once/m,
  ],
  [
    'several configuration pages',
    { mappings: ['/content/park/:/', '/content/park/a:/.helix/config.json', '/content/park/b:/.helix/config.json'] },
    { configurationPage: '/content/park/b' },
    /"\/content\/park\/b:\/\.helix\/config\.json" is the last and wins/m,
  ],
  [
    'a prefix without a slash',
    { mappings: ['/content/park/:/', '/content/park/en:/en/'] },
    { mappings: expect.arrayContaining(['/content/park/en:/en/']) },
    /Once the file/,
  ],
  [
    'a home page beside the tree',
    { mappings: ['/content/park/home:/', '/content/park/:/'] },
    { contentRoot: '/content/park' },
    /Once the file/,
  ],
  [
    'no list of what is included',
    { mappings: ['/content/park/:/', '/content/dam/park/:/assets/'] },
    { includes: false },
    /Once the file is applied, fstab\.yaml and paths\.json are no longer needed/,
  ],
  [
    'a list that includes a part',
    { mappings: ['/content/park/:/'], includes: ['/content/park/de/**'] },
    { includes: ['/content/park/de/**'] },
    /Once the file/,
  ],
])('A project with %s is imported unchanged', async (_, paths, entry, report) => {
  await project('', paths);
  const result = await repoless('import', '.');
  expect(result).toMatchObject({ code: 0, err: expect.stringMatching(report) });
  expect(entryOf(result.out)).toMatchObject(entry);
});

test('A project with only its home page mapped has no content root, and one is required', async () => {
  await project('', { mappings: ['/content/park/home:/', '/content/park/en/:/en/'] });
  expect(await repoless('import', '.')).toMatchObject({ code: 2, err: expect.stringMatching(/^paths\.json:2:\d+: .*--content-root/) });
  const result = await repoless('import', '.', '--content-root', '/content/park');
  expect(entryOf(result.out)).toMatchObject({ contentRoot: '/content/park', mappings: expect.arrayContaining(['/content/park/home:/']) });
});

test('A project without paths.json requires a content root, and no line of that file is reported', async () => {
  await project();
  const refused = await repoless('import', '.');
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^fstab\.yaml:1:1: The project has no paths\.json.*--content-root/),
  });
  const result = await repoless('import', '.', '--content-root', '/content/park', '--organization', 'WKND');
  expect(result).toMatchObject({
    code: 2,
    err: expect.not.stringContaining('paths.json:'),
  });
  expect(await repoless('import', '.', '--content-root', '/content/park')).toMatchObject({
    code: 0,
    err: 'Once the file is applied, fstab.yaml is no longer needed.\n',
  });
});

test('Only a completely imported file is no longer needed', async () => {
  await project('    fallbackPath: default\n', { mappings: ['/content/park/:/'] });
  const result = await repoless('import', '.');
  expect(result.err).toMatch(/^fstab\.yaml:5:19: "fallbackPath" was left out/);
  expect(result.err).toMatch(/^Once the file is applied, paths\.json is no longer needed\.$/m);
});

test('A branch and a remote that a site lacks are named', async () => {
  await project('', { mappings: ['/content/park/:/'] });
  await folder.write('fstab.yaml', (await folder.read('fstab.yaml')).replace('/main', '/next'));
  await folder.write('.git/config', '[remote "origin"]\n\turl = https://ada:hush-hush@git.example.com/a/b/c.git\n');
  const result = await repoless('import', '.');
  expect(result.err).toMatch(/^fstab\.yaml:3:10: The content address names the branch "next"/m);
  expect(result.err).toMatch(/The remote "origin" is not a repository <owner>\/<repo>, so the code is taken from wknd\/park\./);
  expect(result.err).not.toContain('hush-hush');
});
