import { beforeAll, beforeEach, expect, test } from 'vitest';
import { wait } from '@repoless/core/api/exchange.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { folder, inOwnFolder, type CommandOutcome } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const FILE = `title: Language of each site
edits:
  - op: set
    path: /robots/txt
    value: "{language}"
sites: [de, plain]
`;

let env: Record<string, string>;
const backend = startBeforeAll(startTestBackend);
beforeAll(async () => {
  env = { REPOLESS_TOKEN: await backend.token(OPERATOR), REPOLESS_SERVICE: backend.address };
  for (const [site, root] of Object.entries({ de: '/content/de', fr: '/content/fr', plain: '/content/plain' })) {
    const body = siteInput(site, 'wknd', { public: publicPaths(root) });
    await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
  }
});
inOwnFolder();
beforeEach(async () => {
  await folder.write('rollout.yaml', FILE);
});

const repoless = (...argv: string[]): Promise<CommandOutcome> =>
  folder.repoless(['rollout', '--organization', 'wknd', ...argv], { env, wait: (_, signal) => wait(20, signal) });
const robots = async (site: string) => (await backend.call('GET', `/config/wknd/sites/${site}/robots.txt`, { as: OPERATOR })).text;

test('previews its effect on each site, and changes nothing', async () => {
  const result = await repoless('-f', 'rollout.yaml', '--dry-run');
  expect(result).toMatchObject({ code: 1, err: '' });
  expect(result.out).toBe(
    [
      '1 site: robots.txt set to de',
      'plain: refused. {language} has no value: the content root /content/plain does not end with a language, like /de.',
      '1 would change, 0 would not, 1 would be refused. Nothing was changed.\n',
    ].join('\n'),
  );
  await folder.write('rollout.yaml', FILE.replace(', plain', ', fr'));
  expect((await repoless('-f', 'rollout.yaml', '--dry-run')).code).toBe(3);
});

test('starts with its consequences for people, by the rules of the access of one site', async () => {
  const edits = [{ op: 'set', path: '/access/admin/requireAuth', value: false }];
  await folder.write('rollout.yaml', JSON.stringify({ title: 'Open', edits, sites: ['de', 'fr'] }));
  const result = await repoless('-f', 'rollout.yaml', '--dry-run');
  expect(result.code).toBe(3);
  expect(result.out).toMatch(/^2 sites: Everybody can read the configuration, without signing in\.\n/);
});

test('changes the sites, names the refused ones, retries them, and undoes everything', async () => {
  const result = await repoless('-f', 'rollout.yaml');
  expect(result.code).toBe(1);
  const [, id = ''] = /Rollout (\S+) is done\.\n$/.exec(result.out) ?? [];
  expect(result.out).toContain('plain: refused. {language} has no value');
  expect(result.err).toContain(`“Language of each site” was started as ${id}.\n`);
  expect(await robots('de')).toBe('de');
  await backend.call('POST', '/config/wknd/sites/plain/public.json', { as: OPERATOR, body: publicPaths('/content/plain/it') });
  expect(await repoless('--resume', id)).toMatchObject({ code: 0, out: `2 changed\nRollout ${id} is done.\n` });
  expect(await robots('plain')).toBe('it');
  expect(await repoless('--stop', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Only a running rollout can be stopped'),
  });
  const shown = await repoless('--undo', id);
  expect(shown).toMatchObject({ code: 3, err: '' });
  expect(shown.out).toMatch(/^2 sites: robots\.txt .*\n2 would change, 0 would not, 0 would be refused\. Nothing was changed\.\n/);
  expect(shown.out).toContain(`Undo it with --undo ${id} --apply.\n`);
  expect(await robots('de')).toBe('de');
  expect(await repoless('--resume', id, '--apply')).toMatchObject({ code: 2, err: expect.stringContaining('--apply') });
  const undone = await repoless('--undo', id, '--apply', '--json');
  expect(undone.json()).toMatchObject({ rollout: { state: 'undone', sites: { undone: 2 } }, sites: [] });
  expect([undone.code, undone.err]).toEqual([0, '']);
});

test('names the sites that could not be undone, with the reason, and undoes them once that is fixed', async () => {
  const register = (site: string, root: string) =>
    backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body: siteInput(site, 'wknd', { public: publicPaths(root) }) });
  await register('moved', '/content/from');
  const edits = [{ op: 'set', path: '/public/paths/mappings', value: ['/content/to/:/'] }];
  await folder.write('rollout.yaml', JSON.stringify({ title: 'Move', edits, sites: ['moved'] }));
  const [, id = ''] = /“Move” was started as (\S+)\.\n/.exec((await repoless('-f', 'rollout.yaml')).err) ?? [];
  await register('taker', '/content/from');
  const result = await repoless('--undo', id, '--apply');
  expect(result.code).toBe(1);
  const [site, , ...lines] = result.out.split('\n');
  expect(site).toMatch(/^moved: couldn’t be restored\. .*taker/);
  expect(lines).toEqual([
    'The service couldn’t continue, so it stopped.',
    expect.stringContaining('1 site could not be restored. moved: '),
    '1 changed',
    `Rollout ${id} stopped while it was being undone. Undo the rest with --undo ${id} --apply.`,
    '',
  ]);
  await backend.call('DELETE', '/config/wknd/sites/taker.json', { as: OPERATOR });
  expect(await repoless('--undo', id, '--apply')).toMatchObject({ code: 0, out: `1 undone\nRollout ${id} is undone.\n` });
});

test('fails if the first sites still extend the temporary profile, or someone gave one of them another', async () => {
  // One version less than the rollout creates until it restores the first sites' own profile.
  const small = await startTestBackend({ settings: { ORG_VERSIONS: '9' } });
  try {
    const set = (path: string, body: unknown, method = 'PUT') => small.call(method, `/config/wknd/${path}.json`, { as: OPERATOR, body });
    await set('profiles/brand', {});
    for (const site of ['b1', 'b2', 'b3'])
      await set(`sites/${site}`, siteInput(site, 'wknd', { public: publicPaths(`/content/${site}`), extends: { profile: 'brand' } }));
    await folder.write('rollout.yaml', 'title: New\nprofile: brand\nconfig: { robots: { txt: new } }\nwaves: [2, "100%"]\n');
    const run = async (...argv: string[]): Promise<CommandOutcome> => {
      const smallEnv = { REPOLESS_TOKEN: await small.token(OPERATOR), REPOLESS_SERVICE: small.address };
      return await folder.repoless(['rollout', '--organization', 'wknd', ...argv], {
        env: smallEnv,
        wait: (_, signal) => wait(20, signal),
      });
    };
    const result = await run('-f', 'rollout.yaml');
    expect(result.code).toBe(1);
    expect(result.out).toMatch(/^b1: couldn’t be restored\. .*\nb2: couldn’t be restored\. .*versions/);
    const [, id = ''] = /Rollout (\S+) stopped\. Resume it/.exec(result.out) ?? [];
    for (const location of ['sites/b1', 'sites/b2', 'profiles/brand']) await set(`${location}/versions/1`, undefined, 'DELETE');
    await set('sites/b2/extends', {}, 'POST');
    const resumed = await run('--resume', id);
    expect(resumed.out).toMatch(/^b2: left as it is\. \S+@\S+ has since changed extends/);
    expect(resumed.out).toContain(`Rollout ${id} is done.`);
    expect(resumed.code).toBe(1);
  } finally {
    await small.stop();
  }
});

test('names every refused site, however many', async () => {
  const many = Array.from({ length: 210 }, (_, index) => `many-${String(index).padStart(3, '0')}`);
  for (const site of many) {
    const body = siteInput(site, 'wknd', { public: publicPaths(`/content/many/${site}`) });
    await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
  }
  await folder.write('rollout.yaml', FILE.replace('[de, plain]', JSON.stringify(many)));
  const result = (await repoless('-f', 'rollout.yaml', '--json')).json() as { sites: { name: string }[] };
  expect(result.sites.map(({ name }) => name)).toEqual(many);
});

test('reports where the file is wrong, and accepts only one command at a time', async () => {
  await folder.write('rollout.yaml', FILE.replace('/robots/txt', 'robots'));
  expect(await repoless('-f', 'rollout.yaml')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^rollout\.yaml:4:11: Use a JSON pointer/),
  });
  expect(await repoless('-f', 'rollout.yaml', '--undo', 'a')).toMatchObject({
    code: 2,
    err: expect.stringContaining("'--undo <id>' cannot be used with option '-f, --file <path>'"),
  });
  expect(await repoless('--undo', 'a')).toMatchObject({ code: 1, err: expect.stringContaining('wknd has no rollout a') });
  expect((await repoless()).code).toBe(2);
});

test.each<[what: string, file: string, location: string, sentence: string]>([
  ['nothing', '{}\n', '1:1', '"title" is required.'],
  ['only a title', 'title: x\n', '1:1', 'A rollout has "edits", or a "profile" with its "config". Send one of them.'],
  ['no edits', 'title: x\nedits: []\n', '2:8', 'Use at least 1 entry here.'],
  [
    'an edit without its kind',
    'title: x\nedits:\n  - path: /robots/txt\n',
    '3:5',
    '"op" is required. Use "set" or "add" or "remove" here.',
  ],
  ['an edit of an unknown kind', 'title: x\nedits:\n  - op: put\n    path: /robots/txt\n', '3:9', 'Use "set" or "add" or "remove" here.'],
  ['an edit without its path', 'title: x\nedits:\n  - op: remove\n', '3:5', '"path" is required.'],
  ['an edit without its value', 'title: x\nedits:\n  - op: set\n    path: /robots/txt\n', '3:5', '"value" is required.'],
])('names what a file with %s lacks', async (_, file, location, sentence) => {
  await folder.write('rollout.yaml', file);
  const refusal = { code: 2, err: `rollout.yaml:${location}: ${sentence}\n1 line is invalid; nothing was done.\n` };
  expect(await repoless('-f', 'rollout.yaml')).toMatchObject(refusal);
});

test.each<[what: string, file: string, places: readonly string[], next: string]>([
  [
    'the values of two edits',
    'title: x\nedits:\n  - { op: set, path: /robots, value: { txt: 5 } }\n  - op: add\n    path: /headers/~1**\n    value: { key: x-a }\n',
    ['3:45: Write a string here.', '6:12: This is required; write a string.'],
    'Correct the value in the file',
  ],
  [
    'a site that is listed twice',
    FILE.replace(', plain', ', de'),
    ['6:13: The site "de" is listed twice. List each site once.'],
    'Correct the',
  ],
  [
    'the configuration of a profile',
    'title: x\nprofile: base\nconfig:\n  code: { owner: a, repo: b, source: { type: github, owner: c, repo: b } }\n',
    ['4:61: "c" differs from code.owner "a". Use the same value, or only one of them.'],
    'Correct the',
  ],
])('names the lines of problems that only the service finds: %s', async (_, file, places, next) => {
  await backend.call('PUT', '/config/wknd/profiles/base.json', { as: OPERATOR, body: {} });
  await folder.write('rollout.yaml', file);
  for (const more of [[], ['--dry-run']]) {
    const refused = await repoless('-f', 'rollout.yaml', ...more);
    expect(refused.code).toBe(2);
    const lines = refused.err.trimEnd().split('\n');
    expect(lines.slice(0, -1)).toEqual(places.map((location) => `rollout.yaml:${location}`));
    expect(lines.at(-1)).toContain(next);
  }
  const [location = ''] = places;
  const [line, column] = location.split(':').map(Number);
  expect((await repoless('-f', 'rollout.yaml', '--json')).json()).toMatchObject({
    places: [{ file: 'rollout.yaml', line, column }, ...places.slice(1).map(() => ({}))],
  });
});

test('reports a problem without a line if no value of the file causes it', async () => {
  await folder.write('rollout.yaml', 'title: x\nprofile: unused\nconfig: { robots: { txt: "a" } }\n');
  await backend.call('PUT', '/config/wknd/profiles/unused.json', { as: OPERATOR, body: {} });
  expect(await repoless('-f', 'rollout.yaml')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^No site extends the profile "unused"\./),
  });
});

test.each([
  ['a number that JSON does not have', '.inf', 'Write a value of JSON.'],
  ['a list within itself', '&itself [*itself]', 'The alias "*itself" is part of its own anchor "&itself".'],
])('refuses %s as a value', async (_, value, sentence) => {
  await folder.write('rollout.yaml', FILE.replace('"{language}"', value));
  const refused = await repoless('-f', 'rollout.yaml');
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^rollout\.yaml:5:\d+: /),
  });
  expect(refused.err).toContain(`: ${sentence}`);
});
