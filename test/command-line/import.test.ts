import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { ADA } from '../setup/setup-world.ts';
import { world, folder, repoless, inCommandWorld } from './command.ts';

inCommandWorld({ sites: true });

interface Wanted {
  readonly site?: string;
  readonly org?: string;
  readonly repo?: string;
  readonly author?: string;
  readonly root?: string;
  readonly paths?: string;
}

/** An older project, with a remote. */
async function project(name: string, { site = name, org = 'wknd', repo = 'wknd', author, root, paths }: Wanted = {}): Promise<void> {
  await mkdir(join(folder.folder, name, '.git'), { recursive: true });
  const address = `${author ?? world.authorAddress()}/bin/franklin.delivery/${org}/${site}/main`;
  await folder.write(`${name}/fstab.yaml`, `mountpoints:\n  /:\n    url: ${address}\n    type: markup\n    suffix: .html\n`);
  await folder.write(`${name}/paths.json`, paths ?? JSON.stringify({ mappings: [`${root ?? `/content/${name}`}/:/`] }, null, 2));
  await folder.write(`${name}/.git/config`, `[remote "origin"]\n\turl = ${world.codeHost.address}/wknd/${repo}.git\n`);
}

describe('Several projects', () => {
  test('become one file, which contains shared parts once and is applied unchanged', async () => {
    await project('one');
    await project('two');
    await project('three', { repo: 'legacy', author: world.authorAddress('p100-e300') });
    const imported = await repoless('import', 'one', 'two', './three', '-o', 'sites.yaml');
    expect(imported).toMatchObject({ code: 0, out: 'sites.yaml: 3 sites.\n' });
    expect(imported.err).toMatch(/^one: \/content\/one\/configuration was mapped/m);
    const file: unknown = parse(await folder.read('sites.yaml'));
    expect(file).toMatchObject({
      organization: 'wknd',
      author: world.authorAddress(),
      code: { owner: 'wknd', repo: 'wknd' },
      sites: [
        { name: 'one', contentRoot: '/content/one' },
        { name: 'two' },
        { name: 'three', author: world.authorAddress('p100-e300'), code: { owner: 'wknd', repo: 'legacy' } },
      ],
    });
    expect((file as { sites: object[] }).sites[1]).not.toHaveProperty('code');
    await folder.write('sites.yaml', (await folder.read('sites.yaml')).replace('role: {}', `role: { admin: [${ADA}] }`));
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('3 created') });
    for (const site of ['one', 'two', 'three']) await world.backend.call('DELETE', `/config/wknd/sites/${site}.json`, { as: ADA });
  });

  test('with errors are all named with their lines, and no file is written', async () => {
    await project('good');
    await project('broken', { paths: '{\n  "mappings": [\n    "/content/x"\n  ]\n}' });
    await project('unread', { paths: '{ "mappings": [' });
    await project('elsewhere', { org: 'acme' });
    await project('again', { site: 'good' });
    await project('below', { root: '/content/good' });
    await project('upper', { root: '/content/a b' });
    const result = await repoless('import', 'good', 'broken', 'unread', 'missing', 'elsewhere', 'again', 'below', '-o', 'sites.yaml');
    expect(result).toMatchObject({ code: 2, out: '' });
    for (const line of [
      /^broken\/paths\.json:3:5: .*has no colon/m,
      /^unread\/paths\.json:1:\d+: It cannot be parsed\.$/m,
      /^missing\/fstab\.yaml:1:1: missing\/fstab\.yaml is missing\./m,
      /^elsewhere\/fstab\.yaml:3:10: The organization is acme, but that of good is wknd/m,
      /^again\/fstab\.yaml:3:10: The site in good is also named "good"\./m,
      /^below\/paths\.json:3:5: good also has the content root \/content\/good\./m,
      /^\d lines are invalid; nothing was done\.$/m,
    ])
      expect(result.err).toMatch(line);
    expect(existsSync(join(folder.folder, 'sites.yaml'))).toBe(false);
    const answer = await repoless('import', 'good', 'broken', '--json');
    expect(answer.json()).toMatchObject({ places: [{ file: 'broken/paths.json', line: 3, column: 5 }] });
  });

  test('that break a rule of the service are named with the project’s line', async () => {
    await project('good');
    await project('long', { site: 'x'.repeat(60) });
    const result = await repoless('import', 'good', 'long', '-o', 'sites.yaml');
    expect(result).toMatchObject({ code: 2, err: expect.stringMatching(/^long\/fstab\.yaml:3:10: .*DNS allows 63/m) });
    expect(existsSync(join(folder.folder, 'sites.yaml'))).toBe(false);
  });

  test.each([
    [['import', 'one', 'two', '--site', 'one'], /Use them with one folder/],
    [['import', 'one', 'two', '--content-root', '/content/x'], /Use them with one folder/],
    [['import'], /missing required argument 'folder'/],
  ])('refuse options for a single project: %j', async (argv, sentence) => {
    expect(await repoless(...argv)).toMatchObject({ code: 2, err: expect.stringMatching(sentence) });
  });
});

test('The file of all sites of an organization has the repository and author of each; planning it finds nothing to do', async () => {
  expect(await repoless('export', '--organization', 'wknd', '-o', 'all.yaml')).toMatchObject({ code: 0 });
  const file = parse(await folder.read('all.yaml')) as { code: { repo: string }; sites: { name: string; code?: { repo: string } }[] };
  const repositories = new Set(file.sites.map(({ code }) => (code ?? file.code).repo));
  expect(repositories.size).toBeGreaterThan(1);
  expect(await repoless('plan', '-f', 'all.yaml')).toMatchObject({ out: expect.stringMatching(/^Nothing to do\. All \d+ sites match/) });
});

test('A file of named sites has all of them, or is not written', async () => {
  await repoless('export', '--organization', 'wknd', '-o', 'all.yaml');
  const [one = ''] = (parse(await folder.read('all.yaml')) as { sites: { name: string }[] }).sites.map(({ name }) => name);
  const named = (...sites: string[]) =>
    repoless('export', '--organization', 'wknd', ...sites.flatMap((site) => ['--site', site]), '-o', 'some.yaml');
  expect(await named(one, 'wknd-rf')).toMatchObject({
    code: 2,
    err: 'The organization wknd has no site named "wknd-rf". Without --site, all of its sites are exported.\n',
  });
  const elsewhere = await repoless('export', '--organization', 'wknd', '--site', one, '--code', 'wknd/elsewhere', '-o', 'some.yaml');
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining(`"${one}" can’t be in the file`) });
  await expect(folder.read('some.yaml')).rejects.toThrow('ENOENT');
  expect(await named(one)).toMatchObject({ code: 0 });
  expect(parse(await folder.read('some.yaml'))).toMatchObject({ sites: [{ name: one }] });
});

test('A file of one repository’s sites accepts its name in any case', async () => {
  const ofCode = async (code: string, file: string) => {
    expect(await repoless('export', '--organization', 'wknd', '--code', code, '-o', file)).toMatchObject({ code: 0 });
    return folder.read(file);
  };
  await repoless('export', '--organization', 'wknd', '-o', 'all.yaml');
  const { code } = parse(await folder.read('all.yaml')) as { code: { owner: string; repo: string } };
  const name = `${code.owner}/${code.repo}`;
  expect(await ofCode(name.toUpperCase(), 'upper.yaml')).toBe(await ofCode(name, 'lower.yaml'));
});

test('A file that is exported again keeps its mode, and a link to it stays a link', async () => {
  const exported = (file: string) => repoless('export', '--organization', 'wknd', '-o', file);
  const path = (name: string) => join(folder.folder, name);
  await folder.write('real.yaml', 'before\n');
  await chmod(path('real.yaml'), 0o640);
  await symlink('real.yaml', path('link.yaml'));
  await symlink('new.yaml', path('dangling.yaml'));
  for (const file of ['link.yaml', 'dangling.yaml', '/dev/null']) expect(await exported(file)).toMatchObject({ code: 0 });
  expect([await readlink(path('link.yaml')), await readlink(path('dangling.yaml'))]).toEqual(['real.yaml', 'new.yaml']);
  expect(await folder.read('real.yaml')).toMatch(/^version: 1$/m);
  expect(await folder.read('new.yaml')).toBe(await folder.read('real.yaml'));
  expect((await stat(path('real.yaml'))).mode & 0o777).toBe(0o640);
  expect((await readdir(folder.folder)).filter((name) => /repoless/.test(name) && name !== 'repoless-history')).toEqual([]);
});

test('A file that cannot be written is reported, and fails the command', async () => {
  const result = await repoless('export', '--organization', 'wknd', '-o', 'missing/all.yaml');
  expect(result).toMatchObject({
    code: 2,
    err: 'Couldn’t write missing/all.yaml: there is no such folder. Specify another file with --out.\n',
  });
  expect(await repoless('export', '--organization', 'wknd', '-o', '.')).toMatchObject({
    code: 2,
    err: 'Couldn’t write .: it is a folder. Specify another file with --out.\n',
  });
});
