import { endpoints } from '@repoless/contract/endpoints.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import fc from 'fast-check';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { IS_LONG } from '../support/long-tests.ts';
import { siteBody } from './hosted-world.ts';
import { addressOf, ask, clients, env, exported, folder, inTransferWorld, other, type Side, stored, taken } from './transfer-world.ts';
import { listen } from '../support/listen.ts';

inTransferWorld();

/** Left out, because services set them by themselves. `requireAuth: auto` is the default. */
const SET = ['created', 'lastModified', 'contentBusId', 'version', 'query', 'sitemap'];
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isWanted = ([name, one]: [string, unknown]) => !SET.includes(name) && !(name === 'requireAuth' && one === 'auto');
  return Object.fromEntries(
    Object.entries(value)
      .filter(isWanted)
      .map(([name, one]) => [name, plain(one)]),
  );
}

describe('a transfer from one service to the other and back preserves', () => {
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

  test('any configuration', async () => {
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
      { numRuns: IS_LONG ? 30 : 4 },
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

describe('what cannot be transferred', () => {
  test('is named, and its values reach no file and no screen', async () => {
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

  test('includes secrets of the organization and its profiles', async () => {
    await stored('own', 'PUT', '/profiles/locked.json', { title: 'Locked' });
    await stored('own', 'PUT', '/sites/behind.json', { ...siteBody('behind'), extends: { profile: 'locked' } });
    for (const path of ['', '/profiles/locked']) await stored('own', 'POST', `${path}/secrets/gate.json`, { value: 'gate-hush' });
    const { out, err } = await exported('own', '--site', 'behind');
    for (const of of ['organization', 'profiles/locked']) expect(err).toContain(`${of}: the value of the secret gate: enter it again`);
    expect(out + err).not.toContain('hush');
  });

  test('is preserved once it was entered in the target', async () => {
    const file = await exported('own', '--site', 'keys-own');
    const prod = { type: 'fastly', host: 'www.example.com', serviceId: 'mine', authToken: 'mine-hush' };
    await stored('hosted', 'POST', '/sites/keys-own/cdn.json', { prod });
    expect(await taken('apply', 'hosted', file.out)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do.') });
    expect(JSON.parse((await ask('hosted', 'GET', '/sites/keys-own/cdn.json')).text)).toEqual({ prod });
  });

  test('includes our own service’s editor configurations, on the hosted service', async () => {
    await stored('own', 'PUT', '/sites/editors.json', { ...siteBody('editors'), editor: { one: { a: 1 } } });
    const applied = await taken('apply', 'hosted', (await exported('own', '--site', 'editors')).out);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('sites/editors: editor: the hosted service has no such part')]);
  });

  test('includes members that only the hosted service has', async () => {
    const newer = createServer((incoming, answer) => {
      const headers = { 'x-auth-token': String(incoming.headers['x-auth-token']) };
      void fetch(new URL(incoming.url ?? '/', addressOf('hosted')), { headers }).then(async (got) => {
        answer.writeHead(got.status, { 'content-type': 'application/json' });
        const text = await got.text();
        answer.end(
          incoming.url?.startsWith(`/config/wknd/sites/${EXAMPLE.ownSite}.json`) === true
            ? text.replace('{', '{"regions":{"eu":true},')
            : text,
        );
      });
    });
    const { address: service, stop } = await listen(newer);
    const file = await folder.repoless(['export', '--from', service, '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: { ...env.hosted, REPOLESS_HOSTED: service },
    });
    await stop();
    expect([file.code, file.err]).toEqual([
      0,
      expect.stringContaining('sites/neighbours: members that only the hosted service has: regions\n'),
    ]);
    expect(file.out).not.toContain('eu:');
  });
});
