import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildCommandLine } from '../support/child-backend.ts';
import { siteBody } from './hosted-world.ts';
import { addressOf, ask, env, exported, folder, inTransferWorld, other, stored, taken } from './transfer-world.ts';

const PROGRAM = new URL('../../command-line/dist/main.js', import.meta.url).pathname;
const world = inTransferWorld();
beforeAll(() => buildCommandLine(), 120_000);

describe('what the target refuses', () => {
  test('is reported for each site in plan and apply, and the others are transferred', async () => {
    const plant = (name: string, more: object) =>
      world.hosted.change('PUT', `/config/wknd/sites/${name}.json`, { ...siteBody(name), ...more });
    plant('twin-a', { public: { paths: { mappings: ['/content/twin/:/'] } } });
    plant('twin-b', { public: { paths: { mappings: ['/content/twin/:/'] } } });
    plant('foreign', { content: siteBody('elsewhere').content });
    plant('loose', { extends: { profile: 'nowhere' } });
    plant('fine', {});
    const { code } = siteBody('sealed');
    const sealed = {
      ...code,
      source: { type: 'github', url: 'https://cm-repo.example.com/3', raw_url: 'https://cm-repo.example.com/raw/3', secretId: 'cm-byog' },
    };
    world.hosted.change('PUT', '/config/wknd/profiles/sealed.json', { code: sealed });
    plant('waiting', { extends: { profile: 'sealed' } });
    const named = ['waiting', 'twin-a', 'twin-b', 'foreign', 'loose', 'fine'];
    const { out } = await exported('hosted', ...named.flatMap((name) => ['--site', name]));
    for (const command of ['plan', 'apply'] as const) {
      const done = await taken(command, 'own', out);
      expect(done.code, done.out).toBe(1);
      expect(done.out).toMatch(/^refused sites\/foreign\n {2}The content address belongs to site "wknd\/elsewhere"/m);
      expect(done.out).toMatch(/^refused sites\/loose\n {2}The profile "wknd\/nowhere" does not exist.*\n\S/m);
      expect(done.out).toMatch(/^refused sites\/twin-b\n {2}The content root \S+\/content\/twin already belongs to /m);
      expect(done.out).toMatch(/^refused profiles\/sealed\n {2}Omit secretId: a profile cannot hold a secret\./m);
      expect(done.out).toMatch(/^refused sites\/waiting\n {2}It extends the profile sealed, which was not transferred\./m);
      expect(done.out).toMatch(/^created? sites\/twin-a\n/m);
      expect(done.out).toMatch(/^created? sites\/fine\n/m);
    }
    expect((await ask('own', 'GET', '/sites/fine.json')).status).toBe(200);
    expect((await ask('own', 'GET', '/sites/foreign.json')).status).toBe(404);
  });

  test('includes a site without its own code, on the hosted service', async () => {
    const { content, code, ...rest } = siteBody('inheriting');
    await stored('own', 'PUT', '/profiles/sources.json', { code });
    await stored('own', 'PUT', '/sites/inheriting.json', { content, ...rest, extends: { profile: 'sources' } });
    const planned = await taken('plan', 'hosted', (await exported('own', '--site', 'inheriting')).out);
    expect([planned.code, planned.out]).toEqual([
      1,
      expect.stringMatching(/^refused sites\/inheriting\n {2}A site on the hosted service needs its own "code"\./m),
    ]);
  });

  test('excludes references to what comes earlier in the file: a profile, and the site that holds the secret of a repository', async () => {
    const [url, raw_url] = ['https://cm-repo.example.com/1/2', 'https://cm-repo.example.com/raw/1/2'];
    const code = (more: object) => ({ owner: 'wknd', repo: 'outside', source: { type: 'byogit', url, raw_url, ...more } });
    const { code: _code, ...rest } = siteBody('by-profile');
    await stored('hosted', 'PUT', '/sites/a-further.json', { ...siteBody('a-further'), code: code({}) });
    await stored('hosted', 'PUT', '/sites/b-holder.json', { ...siteBody('b-holder'), code: code({ secretId: 'cm-byog' }) });
    await stored('hosted', 'PUT', '/profiles/with-code.json', { code: siteBody('x').code });
    await stored('hosted', 'PUT', '/sites/extending.json', { ...siteBody('extending'), extends: { profile: 'with-code' } });
    const named = ['a-further', 'b-holder', 'extending'].flatMap((name) => ['--site', name]);
    const file = (await exported('hosted', ...named)).out.replace(
      /^notCarried:/m,
      `${JSON.stringify([{ name: 'by-profile', ...rest, extends: { profile: 'with-code' } }])
        .slice(1, -1)
        .replace(/^/, '  - ')}\nnotCarried:`,
    );
    const planned = await taken('plan', 'own', file);
    expect([planned.code, planned.out]).toEqual([
      3,
      expect.stringMatching(
        /^create profiles\/with-code\ncreate sites\/b-holder\n.*^create sites\/by-profile\n.*^create sites\/a-further\n/ms,
      ),
    ]);
    const applied = await taken('apply', 'own', file);
    expect([applied.code, applied.out]).toEqual([
      0,
      expect.stringMatching(
        /^created profiles\/with-code\ncreated sites\/b-holder\n.*^created sites\/by-profile\n.*^created sites\/a-further\n/ms,
      ),
    ]);
    expect((await taken('plan', 'hosted', (await exported('own', ...named)).out)).out).not.toContain('sites/');
  });

  test('includes an unclaimed organization, before anything is written', async () => {
    const file = (await exported('hosted', '--site', 'fine')).out.replace('organization: wknd', 'organization: nobody');
    const refused = await taken('apply', 'own', file);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The organization nobody is not claimed there')]);
  });
});

describe('existing configuration', () => {
  test('that differs is preserved unless it is named', async () => {
    const headers = (value: string) => ({ '/**': [{ key: 'x-a', value }] });
    const access = (...publish: string[]) => ({ access: { admin: { role: { admin: [EXAMPLE.admin], publish } } } });
    await stored('hosted', 'PUT', '/sites/both.json', {
      ...siteBody('both'),
      ...access('p9@example.com'),
      headers: headers('new'),
      robots: { txt: 'mine' },
    });
    await stored('own', 'PUT', '/sites/both.json', {
      ...siteBody('both'),
      ...access('p8@example.com'),
      headers: headers('old'),
      folders: { '/a': '/b' },
    });
    const { out } = await exported('hosted', '--site', 'both');
    for (const command of ['plan', 'apply'] as const) {
      const done = await taken(command, 'own', out);
      expect([done.code, done.out]).toEqual([1, expect.stringMatching(/^differs sites\/both\n/m)]);
      expect(done.out).toContain('x-a: old removed, x-a: new added');
      expect(done.out).toContain('1 person loses the role “Publisher”: p8@example.com');
      expect(done.out).toContain('add --replace both');
      expect(done.out).toContain('Exists only there, and is left unchanged: folders');
    }
    expect((await ask('own', 'GET', '/sites/both/headers.json')).text).toContain('old');
    expect((await taken('plan', 'own', out, ['--json'])).json()).toMatchObject({
      summary: { differs: 1 },
      carried: expect.arrayContaining([expect.objectContaining({ of: 'sites/both', state: 'differs', stays: ['folders'] })]),
    });
    expect(await taken('plan', 'own', out, ['--replace', 'both'])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^replace sites\/both\n/m),
    });
    expect(await taken('apply', 'own', out, ['--replace', 'both'])).toMatchObject({ code: 0 });
    const site = JSON.parse((await ask('own', 'GET', '/sites/both.json')).text) as object;
    expect(site).toMatchObject({ headers: headers('new'), robots: { txt: 'mine' }, folders: { '/a': '/b' } });
    expect(await taken('plan', 'own', out, ['--replace', 'nothing'])).toMatchObject({ code: 2 });
  });

  test('of people and groups is preserved unless the organization is named', async () => {
    await stored('own', 'POST', '/users.json', { email: 'twice@example.com', roles: ['author'] });
    await stored('hosted', 'POST', '/users.json', { email: 'Twice@example.com', roles: ['publish'] });
    await stored('hosted', 'POST', '/users.json', { email: 'fresh@example.com', roles: ['publish'] });
    const { out } = await exported('hosted', '--site', 'both');
    const planned = await taken('plan', 'own', out);
    expect([planned.code, planned.out]).toEqual([1, expect.stringMatching(/^differs organization\n/m)]);
    const people = async () => {
      const users = JSON.parse((await ask('own', 'GET', '/users.json')).text) as { email: string; roles: string[] }[];
      return users.filter(({ email }) => /^(?:twice|fresh)/i.test(email)).map(({ email, roles }) => `${email} ${roles.join()}`);
    };
    expect(await taken('apply', 'own', out)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^differs organization\n.*which are left unchanged;/ms),
    });
    expect(await people()).toEqual(['twice@example.com author', 'fresh@example.com publish']);
    const applied = await taken('apply', 'own', out, ['--replace', 'organization']);
    expect(applied.code, applied.out).toBe(0);
    expect(await people()).toEqual(['twice@example.com publish', 'fresh@example.com publish']);
  });
});

test('a killed run can be repeated, and writes nothing twice', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `killed-${index}`);
  for (const name of names) {
    await stored('own', 'PUT', `/sites/${name}.json`, siteBody(name));
    await stored('own', 'POST', `/sites/${name}/content/query.yaml`, 'version: 1\nindices: {}\n');
  }
  await folder.write('killed.yaml', (await exported('own', ...names.flatMap((name) => ['--site', name]))).out);
  const since = world.hosted.requests.length;
  const puts = () =>
    world.hosted.requests
      .slice(since)
      .filter(({ method, path, status }) => method === 'PUT' && /killed-\d\.json/.test(path) && status === 201);
  const child = spawn(process.execPath, [PROGRAM, 'apply', '--to', addressOf('hosted'), '-f', 'killed.yaml'], {
    cwd: folder.folder,
    env: { ...process.env, ...env.hosted },
    stdio: 'ignore',
  });
  await vi.waitFor(() => expect(puts().length).toBeGreaterThan(1), { timeout: 30_000, interval: 5 });
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(puts().length).toBeLessThan(names.length);

  const again = await folder.repoless(['apply', '--to', addressOf('hosted'), '-f', 'killed.yaml'], { env: env.hosted });
  expect(again.code, again.out + again.err).toBe(0);
  expect(
    puts()
      .map(({ path }) => /killed-\d/.exec(path)?.[0] ?? '')
      .toSorted(byName),
  ).toEqual(names);
  const texts = world.hosted.requests.slice(since).filter(({ method, path }) => method !== 'GET' && path.includes('/content/query.yaml'));
  expect(texts).toHaveLength(names.length);
  expect(await folder.repoless(['plan', '--to', addressOf('hosted'), '-f', 'killed.yaml'], { env: env.hosted })).toMatchObject({ code: 0 });
});

test('additions to a site or a profile preserve its secrets and keys', async () => {
  for (const side of ['own', 'hosted'] as const) {
    const paths = [`/sites/kept-${side}`, `/profiles/kept-${side}`];
    const site = { ...siteBody(`kept-${side}`), extends: { profile: `kept-${side}` } };
    for (const path of paths.toReversed()) {
      const body = path.startsWith('/sites/') ? site : { title: 'Kept' };
      await stored(side, 'PUT', `${path}.json`, body);
      await stored(other(side), 'PUT', `${path}.json`, { ...body, robots: { txt: 'mine' }, folders: { '/a': '/b' } });
    }
    await stored(side, 'POST', `${paths[0]}/secrets/door.json`, { value: 'door-hush' });
    await stored(side, 'POST', `${paths[0]}/apiKeys.json`, { description: 'Pipeline' });
    if (side === 'own') await stored(side, 'POST', `${paths[1]}/secrets/door.json`, { value: 'door-hush' });
    const lists = [`${paths[0]}/secrets.json`, `${paths[0]}/apiKeys.json`, ...(side === 'own' ? [`${paths[1]}/secrets.json`] : [])];
    const read = async () => await Promise.all(lists.map(async (path) => (await ask(side, 'GET', path)).text));
    const before = await read();
    const applied = await taken('apply', side, (await exported(other(side), '--site', `kept-${side}`)).out);
    expect(applied.out).toContain(`completed profiles/kept-${side}\n`);
    expect(applied.out).toContain(`completed sites/kept-${side}\n`);
    expect(await read()).toEqual(before);
    expect(before.join()).toMatch(/door.*Pipeline/s);
  }
});

test('a write whose answer is lost is not repeated in effect', async () => {
  await stored('hosted', 'PUT', '/sites/lost.json', siteBody('lost'));
  const { out } = await exported('hosted', '--site', 'lost');
  let lost = 0;
  const answered = (method: string, address: string) => {
    if (method === 'PUT' && address.endsWith('/sites/lost.json') && (lost += 1) === 1) throw new Error('The answer is lost.');
  };
  const applied = await taken('apply', 'own', out, [], { answered });
  expect([lost, applied.out]).toEqual([2, expect.stringMatching(/^created sites\/lost\n/m)]);
  const { versions } = JSON.parse((await ask('own', 'GET', '/sites/lost/versions.json')).text) as { versions: unknown[] };
  expect(versions).toHaveLength(1);
});

test('the first Ctrl-C ends after the current writes, and reports what was not started', async () => {
  for (const name of ['late-a', 'late-b']) {
    const code = { owner: 'wknd', repo: name, source: { type: 'github', url: `https://github.com/wknd/${name}` } };
    await stored('hosted', 'PUT', `/sites/${name}.json`, { ...siteBody(name), code });
  }
  const { out } = await exported('hosted', '--site', 'late-a', '--site', 'late-b');
  const stop = new AbortController();
  const answered = (method: string, address: string) => void (method === 'PUT' && address.includes('/sites/late') && stop.abort());
  const stopped = await taken('apply', 'own', out, ['--concurrency', '1'], { signal: stop.signal, answered });
  expect([stopped.code, stopped.out]).toEqual([1, expect.stringMatching(/^created sites\/late-a\nnot started sites\/late-b\n/m)]);
  expect(await taken('apply', 'own', out)).toMatchObject({ code: 0, out: expect.stringMatching(/^created sites\/late-b\n/m) });
});

test('a file of sites is refused, as is --replace without a target', async () => {
  const sites = await folder.repoless(['export', '--service', addressOf('own'), '--organization', 'wknd', '--site', 'both'], {
    env: env.own,
  });
  expect(await taken('plan', 'own', sites.out)).toMatchObject({ code: 2 });
  const wrong = {
    version: 1,
    organization: 'wknd',
    from: 'https://a.example.com',
    settings: { users: [{ email: 'a' }] },
    profiles: [],
    sites: [],
    notCarried: [],
  };
  const refused = await taken('plan', 'own', JSON.stringify(wrong));
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('standard input:1:')]);
  expect(await folder.repoless(['plan', '-f', 'x.yaml', '--replace', 'both'], { env: env.own })).toMatchObject({ code: 2 });
});

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}
