import { endpoints } from '@repoless/contract/endpoints.ts';
import { type Client, createClient } from '@repoless/core/api/client.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandOptions, type Folder, openFolder } from '../command-line/command.ts';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { siteBody, startHostedWorld } from './hosted-world.ts';

const PROGRAM = new URL('../../command-line/dist/main.js', import.meta.url).pathname;
type Side = 'own' | 'hosted';

const world = startHostedWorld();
let folder: Folder;
let own: TestBackend;
let clients: Readonly<Record<Side, Client>>;
/** What each command is told of its service: each has a token of its own. */
let env: Readonly<Record<Side, Readonly<Record<string, string>>>>;
beforeAll(async () => {
  folder = await openFolder();
  own = await startTestBackend({ orgs: ['wknd', 'empty'], users: [EXAMPLE.admin, OPERATOR].map((email) => ({ email, roles: ['admin'] })) });
  const tokens = { own: await own.token(EXAMPLE.admin), hosted: world.hosted.token('session', { email: EXAMPLE.admin }) };
  const { REPOLESS_SERVICE: _service, ...settings } = world.settings;
  env = { own: { REPOLESS_TOKEN: tokens.own }, hosted: { ...settings, REPOLESS_TOKEN: tokens.hosted } };
  clients = {
    own: createClient({ service: own.address, token: async () => tokens.own }),
    hosted: createClient({ service: world.hosted.address, token: async () => tokens.hosted, fetch: world.fetch }),
  };
  // From here on, each has the people of both.
  for (const side of ['own', 'hosted'] as const)
    expect(await taken('apply', other(side), (await exported(side)).out)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await own.stop();
  await folder.remove();
});

const other = (side: Side): Side => (side === 'own' ? 'hosted' : 'own');
const addressOf = (side: Side) => clients[side].service;

async function exported(side: Side, ...more: string[]) {
  const done = await folder.repoless(['export', '--from', addressOf(side), '--organization', 'wknd', ...more], { env: env[side] });
  expect(done.code, done.err).toBe(0);
  return done;
}

function taken(command: 'plan' | 'apply', side: Side, input: string, more: readonly string[] = [], options: CommandOptions = {}) {
  return folder.repoless([command, '--to', addressOf(side), ...more], { env: env[side], input, ...options });
}

async function ask(side: Side, method: string, path: string, body?: unknown) {
  const isText = typeof body === 'string';
  const answer = await clients[side].request({
    method,
    path: `/config/wknd${path}`,
    ...(body === undefined ? {} : { headers: { 'content-type': isText ? 'text/yaml' : 'application/json' } }),
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.failure.kind}`);
  return answer.received;
}

async function stored(side: Side, method: string, path: string, body: unknown): Promise<string> {
  const { status, text } = await ask(side, method, path, body);
  expect([status, text.slice(0, 2000)]).toEqual([expect.toSatisfy((one: number) => one < 300), expect.anything()]);
  return text;
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** What of an answer both services mean. `requireAuth: auto` is what holds without it. */
const SET = ['created', 'lastModified', 'contentBusId', 'version', 'query', 'sitemap'];
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isMeant = ([name, one]: [string, unknown]) => !SET.includes(name) && !(name === 'requireAuth' && one === 'auto');
  return Object.fromEntries(
    Object.entries(value)
      .filter(isMeant)
      .map(([name, one]) => [name, plain(one)]),
  );
}

describe('everything goes from one service to the other, and comes back as it was', () => {
  const parts: Readonly<Record<string, readonly unknown[]>> = {
    title: ['One', 'Two'],
    folders: [{ '/products': '/default' }, { '/a': '/b', '/c': '/d' }],
    headers: [{ '/**': [{ key: 'x-a', value: 'b' }] }, { '/z': [{ key: 'x-b', value: '1' }], '/**': [{ key: 'x-b', value: '2' }] }],
    metadata: [{ source: [] }, { source: ['/metadata.json'] }],
    robots: [{ txt: 'User-agent: *' }, { txt: '' }],
    cdn: [{ prod: { host: 'www.example.com' } }, { prod: { type: 'managed', host: 'm.example.com' }, live: { host: 'l.example.com' } }],
    sidekick: [{ project: 'P', plugins: [{ id: 'x', title: 'X', isPalette: true }] }],
    features: [{ one: { on: true } }],
    limits: [{ admin: { trustedHosts: ['*.example.com'] } }],
    events: [{ github: { target: 'wknd/wknd' } }],
    groups: [{ editors: { members: [{ email: 'p1@example.com', name: 'P One' }] } }],
  };
  const some = fc
    .subarray(Object.keys(parts))
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(parts[name] ?? []))]))));
  const access = fc.constantFrom(
    { admin: { role: { admin: [EXAMPLE.admin] } } },
    { admin: { role: { admin: [EXAMPLE.admin], publish: ['0a1b@techacct.example.com', 'groups/editors'] }, requireAuth: true } },
    {
      admin: { role: { admin: [EXAMPLE.admin] }, requireAuth: 'auto' },
      site: { allow: ['*@example.com'], secretId: ['s1'] },
      preview: { allow: ['p1@example.com'] },
    },
  );
  const texts = fc.record(
    { query: fc.constant('version: 1\nindices: {} # mine\n'), sitemap: fc.constant('version: 1\nsitemaps: {}\n') },
    { requiredKeys: [] },
  );
  const organization = fc.record({
    from: fc.constantFrom('own' as const, 'hosted' as const),
    profile: some,
    sites: fc.array(fc.record({ parts: some, access, texts, isExtending: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    roles: fc.uniqueArray(fc.constantFrom('author', 'publish', 'config_admin'), { minLength: 1 }),
  });

  test('whatever it has', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(organization, async ({ from, profile, sites, roles }) => {
        run += 1;
        const to = other(from);
        await stored(from, 'PUT', `/profiles/base-${run}.json`, profile);
        for (const [index, site] of sites.entries()) {
          const name = `s-${run}-${index}`;
          const from_ = site.isExtending ? { extends: { profile: `base-${run}` } } : {};
          await stored(from, 'PUT', `/sites/${name}.json`, { ...siteBody(name), ...site.parts, access: site.access, ...from_ });
          for (const [file, text] of Object.entries(site.texts)) await stored(from, 'POST', `/sites/${name}/content/${file}.yaml`, text);
        }
        await stored(from, 'POST', `/groups/g-${run}.json`, { members: [{ email: `p${run}@example.com` }] });
        await stored(from, 'POST', '/users.json', { email: `p${run}@example.com`, roles });

        const { out } = await exported(from);
        const planned = await taken('plan', to, out);
        expect([planned.code, planned.out]).toEqual([3, expect.stringContaining(`create profiles/base-${run}\n`)]);
        const applied = await taken('apply', to, out);
        expect(applied.code, applied.out + applied.err).toBe(0);
        expect(await configuration(to, run, sites.length)).toEqual(await configuration(from, run, sites.length));
        const back = await taken('plan', from, (await exported(to)).out);
        expect([back.code, back.out]).toEqual([0, expect.stringMatching(/^Nothing to do\./m)]);
      }),
      { numRuns: IS_LONG ? 60 : 4 },
    );
  }, 600_000);

  async function configuration(side: Side, run: number, count: number) {
    const names = Array.from({ length: count }, (_, index) => `s-${run}-${index}`);
    const paths = names.flatMap((name) => [
      `/sites/${name}.json`,
      ...['query', 'sitemap'].map((file) => `/sites/${name}/content/${file}.yaml`),
    ]);
    const read = async (path: string) => {
      const { status, text } = await ask(side, 'GET', path);
      return [path, status !== 200 ? status : path.endsWith('.json') ? plain(JSON.parse(text)) : text] as const;
    };
    const org = await clients[side].call(endpoints.getOrg, { params: { org: 'wknd' } });
    if (!org.ok) throw new Error('The organization cannot be read.');
    const people = org.value.users.map(({ email, roles }) => `${email} ${roles.toSorted().join()}`).toSorted();
    return {
      ...Object.fromEntries(await Promise.all([`/profiles/base-${run}.json`, ...paths].map(read))),
      people,
      groups: org.value.groups,
    };
  }
});

describe('what cannot be carried', () => {
  test('is named, and no value of it reaches a file or the screen', async () => {
    const secrets: string[] = [];
    for (const side of ['own', 'hosted'] as const) {
      const name = `keys-${side}`;
      const values = ['serviceId', 'authToken'].map((what) => `${what}-hush-${side}`);
      await stored(side, 'PUT', `/sites/${name}.json`, {
        ...siteBody(name),
        cdn: { prod: { type: 'fastly', host: 'www.example.com', serviceId: values[0], authToken: values[1] } },
      });
      await stored(side, 'POST', `/sites/${name}/secrets/door.json`, { value: `door-hush-${side}` });
      const key = JSON.parse(await stored(side, 'POST', `/sites/${name}/apiKeys.json`, { description: 'Pipeline' })) as { value: string };
      const token =
        side === 'own'
          ? (JSON.parse(await stored(side, 'POST', `/sites/${name}/tokens.json`, {})) as { id: string; value: string })
          : undefined;
      secrets.push(values[1] ?? '', `door-hush-${side}`, key.value, token?.value ?? 'hush');

      const file = await exported(side, '--site', name);
      const applied = await taken('apply', other(side), file.out);
      const again = await taken('plan', other(side), file.out);
      expect([applied.code, again.code], applied.out).toEqual([0, 0]);
      for (const line of [
        `sites/${name}: the value of the secret door: enter it again`,
        `sites/${name}: the API key Pipeline: create a new one`,
        ...(token === undefined ? [] : [`sites/${name}: the site token ${token.id}: create a new one`]),
        `sites/${name}: the production CDN except its host, because it has credentials (fastly): enter it again`,
      ]) {
        expect(file.err).toContain(line);
        expect(applied.out).toContain(line);
      }
      const all = [file.out, file.err, applied.out, applied.err, again.out].join('\n');
      expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
      expect(JSON.parse((await ask(other(side), 'GET', `/sites/${name}/cdn.json`)).text)).toEqual({ prod: { host: 'www.example.com' } });
    }
  });

  test('the person enters it there, and later runs leave it', async () => {
    const file = await exported('own', '--site', 'keys-own');
    const prod = { type: 'fastly', host: 'www.example.com', serviceId: 'mine', authToken: 'mine-hush' };
    await stored('hosted', 'POST', '/sites/keys-own/cdn.json', { prod });
    expect(await taken('apply', 'hosted', file.out)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do.') });
    expect(JSON.parse((await ask('hosted', 'GET', '/sites/keys-own/cdn.json')).text)).toEqual({ prod });
  });

  test('editor configurations of our own service are named where the hosted service has none', async () => {
    await stored('own', 'PUT', '/sites/editors.json', { ...siteBody('editors'), editor: { one: { a: 1 } } });
    const applied = await taken('apply', 'hosted', (await exported('own', '--site', 'editors')).out);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('sites/editors: editor: the hosted service has no such part')]);
  });

  test('members that only the hosted service has are named', async () => {
    const newer = createServer((asked, answer) => {
      const headers = { 'x-auth-token': String(asked.headers['x-auth-token']) };
      void fetch(new URL(asked.url ?? '/', addressOf('hosted')), { headers }).then(async (got) => {
        answer.writeHead(got.status, { 'content-type': 'application/json' });
        const text = await got.text();
        answer.end(
          asked.url?.startsWith(`/config/wknd/sites/${EXAMPLE.ownSite}.json`) === true
            ? text.replace('{', '{"regions":{"eu":true},')
            : text,
        );
      });
    });
    await new Promise<void>((resolve) => newer.listen(0, '127.0.0.1', resolve));
    const service = `http://127.0.0.1:${(newer.address() as AddressInfo).port}`;
    const file = await folder.repoless(['export', '--from', service, '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: { ...env.hosted, REPOLESS_HOSTED: service },
    });
    newer.closeAllConnections();
    await new Promise((resolve) => newer.close(resolve));
    expect([file.code, file.err]).toEqual([
      0,
      expect.stringContaining('sites/neighbours: members that only the hosted service has: regions\n'),
    ]);
    expect(file.out).not.toContain('eu:');
  });
});

describe('what the target objects to', () => {
  test('is said for each site, before and after, and the others are carried', async () => {
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
      expect(done.out).toMatch(/^refused sites\/waiting\n {2}It extends the profile sealed, which was not carried\./m);
      expect(done.out).toMatch(/^created? sites\/twin-a\n/m);
      expect(done.out).toMatch(/^created? sites\/fine\n/m);
    }
    expect((await ask('own', 'GET', '/sites/fine.json')).status).toBe(200);
    expect((await ask('own', 'GET', '/sites/foreign.json')).status).toBe(404);
  });

  test('a site without sources of its own is refused by the hosted service', async () => {
    const { content, code, ...rest } = siteBody('inheriting');
    await stored('own', 'PUT', '/profiles/sources.json', { code });
    await stored('own', 'PUT', '/sites/inheriting.json', { content, ...rest, extends: { profile: 'sources' } });
    const planned = await taken('plan', 'hosted', (await exported('own', '--site', 'inheriting')).out);
    expect([planned.code, planned.out]).toEqual([
      1,
      expect.stringMatching(/^refused sites\/inheriting\n {2}A site on the hosted service needs "code" of its own\./m),
    ]);
  });

  test('what comes earlier in the file is no objection: a profile, and the site that holds the secret of a repository', async () => {
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

  test('an organization that is not claimed stops the run before it begins', async () => {
    const file = (await exported('hosted', '--site', 'fine')).out.replace('organization: wknd', 'organization: nobody');
    const refused = await taken('apply', 'own', file);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The organization nobody is not claimed there')]);
  });
});

describe('what is there already', () => {
  test('and differs stays until it is named', async () => {
    const headers = (value: string) => ({ '/**': [{ key: 'x-a', value }] });
    await stored('hosted', 'PUT', '/sites/both.json', { ...siteBody('both'), headers: headers('new'), robots: { txt: 'mine' } });
    await stored('own', 'PUT', '/sites/both.json', { ...siteBody('both'), headers: headers('old'), folders: { '/a': '/b' } });
    const { out } = await exported('hosted', '--site', 'both');
    for (const command of ['plan', 'apply'] as const) {
      const done = await taken(command, 'own', out);
      expect([done.code, done.out]).toEqual([1, expect.stringMatching(/^differs sites\/both\n/m)]);
      expect(done.out).toContain('x-a: old removed, x-a: new added');
      expect(done.out).toContain('add --replace both');
      expect(done.out).toContain('Only there, and stays: folders');
    }
    expect((await ask('own', 'GET', '/sites/both/headers.json')).text).toContain('old');
    expect(await taken('plan', 'own', out, ['--replace', 'both'])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^replace sites\/both\n/m),
    });
    expect(await taken('apply', 'own', out, ['--replace', 'both'])).toMatchObject({ code: 0 });
    const site = JSON.parse((await ask('own', 'GET', '/sites/both.json')).text) as object;
    expect(site).toMatchObject({ headers: headers('new'), robots: { txt: 'mine' }, folders: { '/a': '/b' } });
    expect(await taken('plan', 'own', out, ['--replace', 'nothing'])).toMatchObject({ code: 2 });
  });

  test('people and groups keep what they have until the organization is named', async () => {
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
      out: expect.stringMatching(/^differs organization\n.*which stay;/ms),
    });
    expect(await people()).toEqual(['twice@example.com author', 'fresh@example.com publish']);
    const applied = await taken('apply', 'own', out, ['--replace', 'organization']);
    expect(applied.code, applied.out).toBe(0);
    expect(await people()).toEqual(['twice@example.com publish', 'fresh@example.com publish']);
  });
});

test('a run that was killed is run again, and nothing is written twice', async () => {
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
}, 60_000);

test('what is added to a site or a profile takes no secret and no key from it', async () => {
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

test('a write whose answer is lost is not made again', async () => {
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

test('the first Ctrl-C ends with what is written, and says what was not begun', async () => {
  for (const name of ['late-a', 'late-b']) {
    const code = { owner: 'wknd', repo: name, source: { type: 'github', url: `https://github.com/wknd/${name}` } };
    await stored('hosted', 'PUT', `/sites/${name}.json`, { ...siteBody(name), code });
  }
  const { out } = await exported('hosted', '--site', 'late-a', '--site', 'late-b');
  const stop = new AbortController();
  const answered = (method: string, address: string) => void (method === 'PUT' && address.includes('/sites/late') && stop.abort());
  const stopped = await taken('apply', 'own', out, ['--concurrency', '1'], { signal: stop.signal, answered });
  expect([stopped.code, stopped.out]).toEqual([1, expect.stringMatching(/^created sites\/late-a\nnot begun sites\/late-b\n/m)]);
  expect(await taken('apply', 'own', out)).toMatchObject({ code: 0, out: expect.stringMatching(/^created sites\/late-b\n/m) });
});

test('a file of sites is refused, and so is --replace without a target', async () => {
  const sites = await folder.repoless(['export', '--service', addressOf('own'), '--organization', 'wknd', '--site', 'both'], {
    env: env.own,
  });
  expect(await taken('plan', 'own', sites.out)).toMatchObject({ code: 2 });
  expect(await folder.repoless(['plan', '-f', 'x.yaml', '--replace', 'both'], { env: env.own })).toMatchObject({ code: 2 });
});
