import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { siteBody, startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** Complaints about the hosted service, and what people see here instead, by the numbers of section 8 of its facts. */
const world = startHostedWorld();
const folder = startBeforeAll(openFolder);
beforeEach(() => world.hosted.set({ lists: 'map', byogit: 'github', wholePostDropsKeys: true, upgraded: [] }));

const as = (email: string) => ({ token: world.hosted.token('session', { email }) });
const cli = (argv: readonly string[], token: string) => folder.repoless(argv, { env: { ...world.settings, REPOLESS_TOKEN: token } });
const part = (path: string, name: string) => path.replace('.json', `/${name}.json`);

describe('writes that used to break a site', () => {
  test('2, 36: an edit of one list of people preserves the other roles, the sign-in rule and the caller', async () => {
    const path = await world.site({
      access: { admin: { role: { admin: [EXAMPLE.admin], publish: ['p@techacct.adobe.com'] }, requireAuth: true } },
    });
    const current = (await world.call('GET', part(path, 'access/admin'))).body as { role: object };
    await world.call('POST', part(path, 'access/admin'), { ...current, role: { ...current.role, author: ['bea@example.com'] } });
    expect((await world.call('GET', part(path, 'access/admin'))).body).toEqual({
      role: { admin: [EXAMPLE.admin], publish: ['p@techacct.adobe.com'], author: ['bea@example.com'] },
      requireAuth: true,
    });
  });

  test('3: PUT of an existing site changes it', async () => {
    const path = await world.site();
    expect((await world.call('PUT', path, { title: 'Again' })).status).toBe(200);
  });

  test('4: a part is never created by PUT', async () => {
    const path = await world.site();
    const since = world.hosted.requests.length;
    expect((await world.call('POST', part(path, 'sidekick'), { plugins: [] })).status).toBe(200);
    const written = world.hosted.requests.slice(since).filter(({ method }) => method !== 'GET');
    expect(written).toMatchObject([{ method: 'POST', path: expect.stringContaining(part(path, 'sidekick')), status: 200 }]);
  });

  test('5: a complete document without a required part is refused', async () => {
    const path = await world.site();
    const answer = await world.call('POST', path, { access: { admin: { role: { admin: ['x@example.com'] } } } });
    expect([answer.status, answer.headers['x-error-code']], answer.text).toEqual([400, 'BODY_INVALID']);
    expect((await world.call('GET', path)).body).toHaveProperty('content');
  });

  test.each(['map', 'array'] as const)('6: keys survive every change of their site (lists as %s)', async (lists) => {
    world.hosted.set({ lists });
    const path = await world.site();
    const created = await world.call('POST', part(path, 'apiKeys'), { roles: ['publish'], description: 'pipeline' });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body as { id: string };
    await world.call('PUT', path, { title: 'One', folders: { '/a': '/b' }, headers: { '/**': [{ key: 'x-a', value: 'b' }] } });
    await world.call('POST', path, {
      ...siteBody('any'),
      content: undefined,
      ...((await world.call('GET', path)).body as object),
      title: 'Two',
    });
    expect((await world.call('GET', part(path, 'apiKeys'))).body).toHaveProperty([id]);
  });

  test('12: a key is removed by its identifier in addresses', async () => {
    const path = await world.site();
    const { id } = (await world.call('POST', part(path, 'apiKeys'), {})).body as { id: string };
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    expect((await world.call('DELETE', part(path, `apiKeys/${id}`))).status).toBe(204);
    expect((await world.call('GET', part(path, 'apiKeys'))).body).toEqual({});
  });

  test('29: an external repository that is returned as "github" is no difference', async () => {
    const path = await world.site();
    const code = {
      owner: 'wknd',
      repo: 'wknd',
      source: { type: 'byogit', url: 'https://cm-repo.adobe.io/api', raw_url: 'https://cm-repo.adobe.io/api/raw', secretId: 'cm-byog' },
    };
    const answer = await world.call('POST', part(path, 'code'), code);
    expect([answer.status, answer.headers['x-warning'] ?? '']).toEqual([200, expect.not.stringContaining('something else')]);
  });

  test('29: if "byogit" is refused, it is stored with the same addresses', async () => {
    world.hosted.set({ byogit: 'refused' });
    const path = await world.site();
    const source = { url: 'https://cm-repo.adobe.io/api', raw_url: 'https://cm-repo.adobe.io/api/raw' };
    const answer = await world.call('POST', part(path, 'code'), { owner: 'wknd', repo: 'wknd', source: { type: 'byogit', ...source } });
    expect(answer.body, answer.text).toMatchObject({ source });
  });

  test('39: a user is not added a second time', async () => {
    const path = '/config/wknd/users.json';
    const user = { email: 'new.person@example.com', roles: ['author'] };
    expect((await world.call('POST', path, user)).status).toBe(200);
    const again = await world.call('POST', path, user);
    expect([again.status, again.headers['x-error-code']]).toEqual([409, 'USER_EXISTS']);
  });
});

describe('unhelpful refusals', () => {
  test('13, 14: each kind of token is sent in the header that accepts it', async () => {
    const path = await world.site();
    for (const [kind, claims] of [
      ['session', { email: EXAMPLE.admin }],
      ['ims', { email: EXAMPLE.admin }],
      ['apiKey', { sub: 'wknd/*', roles: ['admin'] }],
    ] as const) {
      const answer = await world.call('GET', path, undefined, { token: world.hosted.token(kind, claims) });
      expect([kind, answer.status]).toEqual([kind, 200]);
    }
  });

  test('15, 41: a token of a browser extension can write, because no header of a browser is sent', async () => {
    const path = await world.site();
    const token = world.hosted.token('sidekick', { email: EXAMPLE.admin });
    expect((await world.call('POST', part(path, 'folders'), { '/a': '/b' }, { token })).status).toBe(200);
  });

  test('16, 17: a stale session is asked to sign in again, and told how long new roles take', async () => {
    const path = await world.site();
    const answer = await world.call('GET', path, undefined, { token: world.hosted.token('stale', { email: EXAMPLE.admin }) });
    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(/sign in again once.*about two minutes/)]);
  });

  test('a config_admin learns that only an admin can change access', async () => {
    const path = await world.site();
    const address = part(path, 'access');
    const body = { admin: { role: { admin: [EXAMPLE.admin, 'x@example.com'] } } };
    const answer = await world.call('POST', address, body, as(EXAMPLE.configAdmin));
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Only the role admin')]);
  });

  test('18: an administrator of only one site can work on it, without the list', async () => {
    const { token } = as(EXAMPLE.siteAdmin);
    const result = await cli(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], token);
    expect([result.code, result.out]).toEqual([0, expect.stringContaining('With a role on single sites you can set these up')]);
    await folder.write(
      'one.yaml',
      `version: 1\norganization: wknd\nservice: ${world.hosted.address}\nauthor: https://author-p100-e200.example.com\ncode: { owner: wknd, repo: wknd }\naccess: { role: { admin: [${EXAMPLE.siteAdmin}] } }\nsites:\n  - name: ${EXAMPLE.ownSite}\n    contentRoot: /content/${EXAMPLE.ownSite}\n    configurationPage: false\n`,
    );
    const status = await cli(['status', '-f', 'one.yaml'], token);
    expect([status.code, status.out], status.err).toEqual([0, expect.stringContaining(EXAMPLE.ownSite)]);
  });

  test('34: the message of the hosted service is shown, with the identifier for its support', async () => {
    world.hosted.set({ tenantLocks: ['locked.example.com'] });
    const body = siteBody('locked');
    body.content.source.url = 'https://locked.example.com/bin/franklin.delivery/wknd/locked/main';
    const answer = await world.call('PUT', '/config/wknd/sites/locked.json', body);
    expect(answer.headers['x-error-code']).toBe('HOSTED_REFUSED');
    expect(answer.body).toMatchObject({ data: { says: expect.stringMatching(/tenant lock.*\(x-invocation-id [\w-]+\)/) } });
  });

  test('31: a name that is not valid in a host name is refused', async () => {
    const answer = await world.call('PUT', '/config/wknd/sites/WKND.json', siteBody('x'));
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'NAME_INVALID']);
  });

  test('38: an unregistered key is not reported as valid', async () => {
    const token = world.hosted.token('unregistered', { sub: 'wknd/*', roles: ['admin'] });
    const result = await cli(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], token);
    expect([result.code, result.out]).toEqual([3, expect.stringContaining('!! Site')]);
  });

  test('42: invented addresses are unknown', async () => {
    expect((await world.call('GET', '/config/wknd/neighbours.json')).headers['x-error-code']).toBe('ROUTE_NOT_FOUND');
  });

  test('44: a wrong name of a site is reported as such, not as a missing sign-in', async () => {
    const result = await cli(['doctor', '--organization', 'wknd', '--site', 'no-such-site'], as(EXAMPLE.admin).token);
    expect([result.code, result.out]).toEqual([3, expect.stringContaining('wknd/no-such-site: not registered')]);
  });

  test('9: an expired token is reported before any request', async () => {
    const token = world.hosted.token('expired', { email: EXAMPLE.admin });
    const result = await cli(['doctor'], token);
    expect([result.code, result.out]).toEqual([3, expect.stringContaining('it has expired')]);
  });
});

describe('late hosts', () => {
  test('20: a config.json in the shared repository that hides the site’s own is reported', async () => {
    const path = await world.site();
    const site = path.split('/').at(-1)?.replace('.json', '') ?? '';
    world.hosted.set({ codeFiles: { 'wknd/wknd': { '/config.json': '{"public":{"other":true}}' } } });
    const result = await cli(['doctor', '--organization', 'wknd', '--site', site], as(EXAMPLE.admin).token);
    world.hosted.set({ codeFiles: {} });
    expect([result.code, result.out]).toEqual([3, expect.stringMatching(/!! \S+config\.json differs from what is stored/)]);
  });

  test('21: an old config.json is reported with the usual delay', async () => {
    const path = await world.site();
    const site = path.split('/').at(-1)?.replace('.json', '') ?? '';
    world.hosted.set({ configDelayMs: 600_000 });
    await world.call('POST', part(path, 'public'), { paths: { mappings: ['/content/elsewhere/:/'] } });
    const result = await cli(['doctor', '--organization', 'wknd', '--site', site], as(EXAMPLE.admin).token);
    world.hosted.set({ configDelayMs: 0 });
    expect(result.out).toContain('usually follows within two minutes');
  });
});

describe('unexpected roles', () => {
  test('1: the creator of a site without a role in it is told who can help', async () => {
    const path = await world.site({ access: { admin: { role: { admin: ['0a1b@techacct.adobe.com'] } } } });
    const answer = await world.call('GET', path, undefined, as(EXAMPLE.stranger));
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('ask an administrator of the site')]);
  });

  test('7: the first role of a site comes with a warning that scripts without a sign-in need a key from then on', async () => {
    const path = await world.site({ access: undefined });
    const body = { role: { admin: [EXAMPLE.admin] } };
    const dryRun = await world.call('POST', `${part(path, 'access/admin')}?dryRun=true`, body);
    expect(dryRun.body).toMatchObject({ warnings: [expect.stringContaining('API key with the role publish')] });
    expect((await world.call('POST', part(path, 'access/admin'), body)).headers['x-warning']).toContain('API key with the role publish');
  });

  test('8: a key for scripts has the requested lifetime, and its end is returned', async () => {
    const path = await world.site();
    const created = await world.call('POST', part(path, 'apiKeys'), { roles: ['publish'], expiresIn: 86_400 * 30 });
    const { expiration } = created.body as { expiration: string };
    expect(Math.round((Date.parse(expiration) - Date.now()) / 86_400_000)).toBe(30);
  });

  test('19: doctor shows the caller as the hosted service knows them', async () => {
    const result = await cli(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], as(EXAMPLE.stranger).token);
    expect([result.code, result.out]).toEqual([3, expect.stringContaining(`You: ${EXAMPLE.stranger}`)]);
  });

  test('33: a refused write to an incomplete organization explains what may be missing', async () => {
    const answer = await world.call('PUT', '/config/half-made.json', { users: [{ email: EXAMPLE.admin, roles: ['admin'] }] });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('organization that was just set up')]);
  });

  test('35: a token of preview and live hosts is distinguished from one for the API', async () => {
    const answer = await world.call('GET', await world.site(), undefined, { token: 'hlxtst_abc' });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('opens preview and live hosts, not the configuration')]);
  });

  test('37: a change made past the bridge is in the history, with its author', async () => {
    world.hosted.set({ versionsNameUser: true });
    const path = await world.site();
    world.hosted.change('POST', part(path, 'folders'), { '/a': '/b' });
    const { versions } = (await world.call('GET', part(path, 'versions'))).body as { versions: { user?: string }[] };
    world.hosted.set({ versionsNameUser: false });
    expect(versions.map(({ user }) => user)).toEqual([EXAMPLE.admin, 'someone.else@example.com']);
  });

  test('40: too many requests are reported as such, with how long to wait', async () => {
    const path = await world.site();
    world.hosted.fault({ kind: 'answer', method: 'GET', status: 429, takesEffect: false, times: 3 });
    const answer = await world.call('GET', path);
    expect([answer.status, answer.headers['x-error-code'], answer.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '30']);
  });

  test('43: a sign-in page that sends only a site token is reported, with what to do instead', async () => {
    const result = await folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      wait: () => new Promise(() => undefined),
      onStderr(text) {
        if (!text.startsWith('Open ')) return;
        const address = new URL(/Open (\S+) in/.exec(text)?.[1] ?? '');
        const body = JSON.stringify({ state: address.searchParams.get('state'), siteToken: 'hlxtst_x' });
        const headers = { 'content-type': 'application/json' };
        void fetch(address.searchParams.get('redirect_uri') ?? '', { method: 'POST', headers, body });
      },
    });
    expect([result.code, result.err]).toEqual([1, expect.stringContaining('--paste')]);
  });
});

describe('content and code', () => {
  const SOURCE = { type: 'byogit', url: 'https://cm-repo.adobe.io/api', raw_url: 'https://cm-repo.adobe.io/api/raw' };
  const external = (secret = {}) => ({ code: { owner: 'wknd', repo: 'external', source: { ...SOURCE, ...secret } } });
  const nameOf = (path: string) => path.split('/').at(-1)?.replace('.json', '') ?? '';

  test('10: a job is returned with its details, without its own address', async () => {
    const path = await world.site();
    const started = await world.call('POST', `/code/wknd/${nameOf(path)}/main/*`);
    expect(started.status, started.text).toBe(202);
    const job = await world.call('GET', `/job/wknd/${nameOf(path)}/main/code`);
    expect(job.body).toMatchObject({ state: 'stopped', progress: { processed: 12 }, data: { phase: 'completed' } });
  });

  test('22: missing files of the editor fail the setup, and are named', async () => {
    await folder.write(
      'white.yaml',
      `version: 1\norganization: wknd\nservice: ${world.hosted.address}\nauthor: https://author-p100-e200.example.com\ncode: { owner: wknd, repo: wknd }\naccess: { role: { admin: [${EXAMPLE.admin}] } }\nsites:\n  - name: white-page\n    contentRoot: /content/white-page\n`,
    );
    const result = await cli(['apply', '-f', 'white.yaml'], as(EXAMPLE.admin).token);
    expect([result.code, result.out]).toEqual([1, expect.stringContaining('component-definition.json (404)')]);
  });

  test('24: content with the name of another site is reported', async () => {
    const path = await world.site();
    const content = siteBody('elsewhere').content;
    const answer = await world.call('POST', part(path, 'content'), content);
    expect([answer.status, answer.headers['x-warning']]).toEqual([
      200,
      expect.stringContaining(`belongs to site "wknd/elsewhere", but this is site "wknd/${nameOf(path)}"`),
    ]);
  });

  test('25: a missing technical account is added by the plan, which shows it', async () => {
    const path = await world.site();
    await folder.write(
      'account.yaml',
      `version: 1\norganization: wknd\nservice: ${world.hosted.address}\nauthor: https://author-p100-e200.example.com\ncode: { owner: wknd, repo: wknd }\naccess: { role: { admin: [${EXAMPLE.admin}] } }\ntechnicalAccount: p100-e200@techacct.example.com\nsites:\n  - name: ${nameOf(path)}\n    contentRoot: /content/${nameOf(path)}\n`,
    );
    const result = await cli(['plan', '-f', 'account.yaml'], as(EXAMPLE.admin).token);
    expect([result.code, result.out]).toEqual([3, expect.stringContaining('p100-e200@techacct.example.com')]);
  });

  test('27: a sync that the repository refuses reports that the secret is not accepted', async () => {
    world.hosted.set({ hlxignoreRefused: true });
    const path = await world.site(external({ secretId: 'cm-byog' }));
    await world.call('POST', part(path, 'secrets/cm-byog'), { value: 'ended-long-ago' });
    const result = await cli(['sync', '--organization', 'wknd', '--site', nameOf(path)], as(EXAMPLE.admin).token);
    world.hosted.set({ hlxignoreRefused: false });
    expect([result.code, result.out]).toEqual([1, expect.stringContaining('does not accept the secret')]);
  });

  test('30: a second site on an external repository does not change the secret of the first one', async () => {
    const first = await world.site(external({ secretId: 'cm-byog' }));
    await world.call('POST', part(first, 'secrets/cm-byog'), { value: 'of-the-first' });
    const before = (await world.call('GET', part(first, 'secrets'))).body;
    const since = world.hosted.requests.length;
    await world.site(external());
    expect((await world.call('GET', part(first, 'secrets'))).body).toEqual(before);
    expect(world.hosted.requests.slice(since).some(({ method, path }) => method !== 'GET' && path.includes('/secrets'))).toBe(false);
  });

  test('32: the second site of a content source is refused with the name of the primary one', async () => {
    const first = await world.site();
    const second = await world.site({ content: siteBody(nameOf(first)).content });
    const answer = await world.call('POST', part(second, 'content/query').replace('.json', '.yaml'), 'version: 1\n');
    expect([answer.headers['x-error-code'], answer.text]).toEqual(['HOSTED_REFUSED', expect.stringContaining(`wknd/${nameOf(first)}`)]);
  });

  test('23, 26, 28: previews, publishing and webhooks are never sent', async () => {
    const since = world.hosted.requests.length;
    for (const path of ['/preview/wknd/any/main/page', '/live/wknd/any/main/page', '/repository-log/wknd'])
      expect([path, (await world.call('POST', path, {})).status]).toEqual([path, expect.toBeOneOf([404, 501])]);
    expect(world.hosted.requests.length).toBe(since);
    expect(world.hosted.requests.filter(({ path }) => /^\/(?:preview|live|index|cache)\//.test(path))).toEqual([]);
  });
});

test('11: at the newer addresses, a key for a site is registered in the site, beside existing ones', async () => {
  const path = await world.site({ access: { admin: { role: { admin: [EXAMPLE.admin] }, apiKeyId: ['present'] } } });
  const site = path.split('/').at(-1)?.replace('.json', '') ?? '';
  world.hosted.set({ upgraded: [`wknd/${site}`] });
  world.generation = 'detect';
  const upgraded = await world.call('POST', part(path, 'apiKeys'), { roles: ['config_admin'] });
  expect(upgraded.status, upgraded.text).toBe(201);
  const { value } = upgraded.body as { value: string };
  const read = await world.call('GET', path, undefined, { token: value });
  world.generation = 5;
  expect(read.body).toMatchObject({ access: { admin: { apiKeyId: ['present', expect.any(String)] } } });
});
