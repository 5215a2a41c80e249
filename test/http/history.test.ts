import { beforeAll, describe, expect, it } from 'vitest';
import { applyPatch, type Operation } from 'rfc6902';
import { Version, VersionList } from '@repoless/contract/history.ts';
import { Patch } from '@repoless/contract/endpoint-parts.ts';
import { callsAs, externalCode, OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADMIN = 'ada.admin@example.com';
const CONFIG_ADMIN = 'carl.config@example.com';
const KEPT = 6;
const as = OPERATOR;

const backend = startBeforeAll(() => startTestBackend({ settings: { VERSIONS_KEPT: `${KEPT}` } }));

const { call, done, put, remove, restore, list, numbers, compare, data } = historyCalls(backend);

describe('the versions of a site', () => {
  it('are listed newest first, with their authors and names, and the current one is named', async () => {
    await put('listed', { title: 'One' });
    await put('listed', { title: 'Two' }, '?versionName=second%20try');
    const { current, versions } = await list(site('listed'));
    expect(current).toBe(2);
    expect(versions).toMatchObject([{ version: 2, name: 'second try', user: OPERATOR }, { version: 1 }]);
    expect(versions[1]).not.toHaveProperty('name');
    expect(versions.every((version) => !('data' in version))).toBe(true);
  });

  it('are listed in linked pages', async () => {
    for (const title of ['One', 'Two', 'Three']) await put('paged', { title });
    const first = await done('GET', `${site('paged')}/versions.json?limit=2`);
    expect(VersionList.parse(first.json()).versions).toMatchObject([{ version: 3 }, { version: 2 }]);
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers['link'] ?? '') ?? [];
    const second = await done('GET', next);
    expect(VersionList.parse(second.json())).toMatchObject({ current: 3, versions: [{ version: 1 }] });
    expect(second.headers['link']).toBeUndefined();
  });

  it.each<[method: string, part: string, body: unknown]>([
    ['POST', 'title-by-site.json', undefined],
    ['POST', '/public.json', publicPart('named')],
    ['POST', '/access.json', { admin: { role: { admin: [OPERATOR] } } }],
    ['POST', '/groups/editors.json', { members: [{ email: 'eda@example.com' }] }],
    ['DELETE', '/groups/editors.json', undefined],
    ['DELETE', '/access.json', undefined],
    ['DELETE', '/public.json', undefined],
    ['DELETE', '.json', undefined],
  ])('are named by ?versionName= on every write: %s %s', async (method, part, body) => {
    const name = `${method} ${part}`;
    const path = part.startsWith('title') ? `${site('named')}.json` : `${site('named')}${part}`;
    const sent = part.startsWith('title') ? siteBody('wknd', 'named', { title: 'Named' }) : body;
    await done(method, `${path}?versionName=${encodeURIComponent(name)}`, sent);
    expect((await list(site('named'))).versions[0]).toMatchObject({ name });
  });

  it('are named by ?versionName= when robots.txt is set', async () => {
    await put('robots');
    await done('POST', `${site('robots')}/robots.txt?versionName=robots`, 'User-agent: *', { 'content-type': 'text/plain' });
    expect((await list(site('robots'))).versions[0]).toMatchObject({ version: 2, name: 'robots' });
  });
});

describe('the name of a version', () => {
  const version = (number: number) => `${site('renamed')}/versions/${number}.json`;

  it('is set, replaced and removed by the body, or by the query as existing clients do', async () => {
    await put('renamed');
    const named = await done('POST', version(1), { name: 'before the move' });
    expect(named.json()).toMatchObject({ version: 1, name: 'before the move' });
    await done('POST', `${version(1)}?name=after%20the%20move`);
    expect((await list(site('renamed'))).versions).toMatchObject([{ version: 1, name: 'after the move' }]);
    await done('POST', `${version(1)}?name=both`, { name: 'both' });
    expect((await done('POST', `${version(1)}?name=`)).json()).not.toHaveProperty('name');
    expect((await list(site('renamed'))).versions[0]).not.toHaveProperty('name');
  });

  it('is refused if it is missing, too long, or for a missing version', async () => {
    await put('renamed', { title: 'Two' });
    const refused = async (path: string, body?: unknown) => {
      const { status, code } = await call('POST', path, body);
      return [status, code];
    };
    expect(await refused(version(1))).toEqual([400, 'BODY_MISSING']);
    expect(await refused(version(1), { name: 'x'.repeat(201) })).toEqual([400, 'BODY_INVALID']);
    expect(await refused(`${version(1)}?name=${'x'.repeat(201)}`)).toEqual([400, 'QUERY_INVALID']);
    expect(await refused(version(99), { name: 'none' })).toEqual([404, 'VERSION_NOT_FOUND']);
    for (const none of [0, 2 ** 31, 2 ** 53]) expect(await refused(version(none), { name: 'none' })).toEqual([400, 'NAME_INVALID']);
    expect(await refused(version(2 ** 31 - 1), { name: 'none' })).toEqual([404, 'VERSION_NOT_FOUND']);
    const answers = await Promise.all([
      backend.call('POST', `${site('renamed')}.json?restoreVersion=${2 ** 31}`, { as }),
      backend.call('GET', `${site('renamed')}/versions.json?before=${2 ** 31}`, { as }),
    ]);
    expect(answers.map(({ headers }) => headers['x-error-code'])).toEqual(['QUERY_INVALID', 'QUERY_INVALID']);
  });

  it('is not set by a dry run', async () => {
    const dryRun = await done('POST', `${version(1)}?name=tried&dryRun=true`);
    expect(dryRun.json()).toMatchObject({ dryRun: true, result: { name: 'tried' }, diff: [{ op: 'add', path: '/name', value: 'tried' }] });
    expect((await list(site('renamed'))).versions.at(-1)).not.toHaveProperty('name');
  });
});

describe('removing a version', () => {
  const at = (number: number) => `${site('thinned')}/versions/${number}.json`;

  it('deletes it permanently, and its number is never reused', async () => {
    for (const title of ['One', 'Two', 'Three']) await put('thinned', { title });
    expect((await done('DELETE', `${at(2)}?dryRun=true`)).json()).toMatchObject({ dryRun: true, status: 204 });
    expect(await numbers(site('thinned'))).toEqual([3, 2, 1]);
    expect((await backend.call('DELETE', at(2), { as })).status).toBe(204);
    expect(await numbers(site('thinned'))).toEqual([3, 1]);
    expect((await backend.call('DELETE', at(2), { as })).code).toBe('VERSION_NOT_FOUND');
    expect((await restore('thinned', 2)).code).toBe('VERSION_NOT_FOUND');
  });

  it('is refused for the current one, and to those who are not admin', async () => {
    expect(await backend.call('DELETE', at(3), { as })).toMatchObject({ status: 409, code: 'VERSION_IS_CURRENT' });
    await done('POST', `${site('thinned')}/access.json`, { admin: { role: { admin: [ADMIN], config_admin: [CONFIG_ADMIN] } } });
    expect((await backend.call('DELETE', at(1), { as: CONFIG_ADMIN })).status).toBe(403);
    expect((await backend.call('POST', `${at(1)}?name=kept`, { as: CONFIG_ADMIN })).status).toBe(200);
    expect((await backend.call('DELETE', at(1), { as: ADMIN })).status).toBe(204);
  });

  it('does not reuse numbers of a removed site, even after deleting its last version', async () => {
    await remove('thinned');
    const { versions } = await list(site('thinned'));
    const last = versions[0]?.version ?? 0;
    expect((await backend.call('DELETE', at(last), { as })).status).toBe(204);
    await put('thinned', { title: 'Again' });
    expect((await list(site('thinned'))).current).toBe(last + 1);
  });
});

describe('the difference of two versions', () => {
  it('turns one into the other, in both directions, and omits the times that the service sets', async () => {
    const base = site('compared');
    await put('compared', { title: 'One', public: publicPart('compared') });
    await put('compared', { description: 'Two' });
    for (const [from, to] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const patch = await compare(base, from, to);
      expect(patch.some(({ path }) => /created|lastModified/.test(path))).toBe(false);
      const before: unknown = structuredClone(await data(base, from));
      expect(applyPatch(before, asOperations(patch)).every((problem) => problem === null)).toBe(true);
      expect(before).toMatchObject({ ...(await data(base, to)), lastModified: expect.any(String) });
    }
    expect(await compare(base, 1, 1)).toEqual([]);
    expect((await compare(base, 1, 2)).map(({ op, path }) => `${op} ${path}`).sort()).toEqual([
      'add /description',
      'remove /public',
      'remove /title',
    ]);
  });

  it('shows the document become null by a deletion, and the reverse', async () => {
    await put('compared-gone');
    await remove('compared-gone');
    expect(await compare(site('compared-gone'), 1, 2)).toEqual([{ op: 'replace', path: '', value: null }]);
    expect(await compare(site('compared-gone'), 2, 1)).toMatchObject([{ op: 'replace', path: '', value: { name: 'compared-gone' } }]);
  });

  it('replaces long lists that differ throughout within 10 seconds', async () => {
    const includes = (from: number) => Array.from({ length: 5000 }, (_, index) => `/content/compared-long/${from + index}/`);
    const mappings = ['/content/compared-long/:/'];
    for (const from of [0, 10_000]) await put('compared-long', { public: { paths: { mappings, includes: includes(from) } } });
    const patch = await compare(site('compared-long'), 1, 2);
    expect(patch).toEqual([{ op: 'replace', path: '/public/paths/includes', value: includes(10_000) }]);
  }, 10_000);

  it.each(['1...9', '9...1'])('refuses %s if a version is missing', async (range) => {
    const answer = await backend.call('GET', `${site('compared')}/versions/${range}.json`, { as });
    expect(answer).toMatchObject({ status: 404, code: 'VERSION_NOT_FOUND' });
  });

  it.each(['1..2', 'a...b', '1...', '...2', '1.5'])('refuses the invalid range %s', async (range) => {
    const answer = await backend.call('GET', `${site('compared')}/versions/${range}.json`, { as });
    expect(answer).toMatchObject({ status: 400, code: expect.stringMatching(/NAME_INVALID|PROPERTY_UNKNOWN/) });
  });
});

describe('the versions of an organization', () => {
  const org = '/config/wknd';
  const change = (body: Readonly<Record<string, unknown>>, query = '') => done('POST', `${org}.json${query}`, body);

  it('are listed, compared, named and restored like those of a site', async () => {
    const before = (await list(org)).current ?? 0;
    await change({ title: 'One' }, '?versionName=one');
    await change({ title: 'Two' });
    const { current, versions } = await list(org);
    expect(current).toBe(before + 2);
    expect(versions).toMatchObject([{ version: before + 2 }, { version: before + 1, name: 'one' }, ...(before > 0 ? [{}] : [])]);
    expect(await compare(org, before + 1, before + 2)).toEqual([{ op: 'replace', path: '/title', value: 'Two' }]);
    const back = await done('POST', `${org}.json?restoreVersion=${before + 1}`);
    expect((await list(org)).versions[0]).toMatchObject({ restoredFrom: before + 1 });
    expect(back.json()).toMatchObject({ title: 'One', users: [{ email: OPERATOR }] });
    expect((await list(org)).current).toBe(before + 3);
    expect((await backend.call('DELETE', `${org}/versions/${before + 2}.json`, { as })).status).toBe(204);
    expect((await backend.call('DELETE', `${org}/versions/${before + 3}.json`, { as })).code).toBe('VERSION_IS_CURRENT');
  });

  it('cannot be restored by a caller who would be locked out', async () => {
    const users = [
      { email: OPERATOR, roles: ['admin'] },
      { email: ADMIN, roles: ['admin'] },
    ];
    const before = (await list(org)).current ?? 0;
    await change({ users });
    const answer = await backend.call('POST', `${org}.json?restoreVersion=${before}`, { as: ADMIN });
    expect(answer).toMatchObject({ status: 409, code: 'WOULD_LOCK_OUT' });
    expect((await backend.call('POST', `${org}.json?restoreVersion=${before}`, { as: CONFIG_ADMIN })).status).toBe(404);
    expect((await backend.call('POST', `${org}.json?restoreVersion=99`, { as })).code).toBe('VERSION_NOT_FOUND');
    expect((await backend.call('POST', `${org}.json?restoreVersion=1`, { as, body: {} })).code).toBe('BODY_INVALID');
  });
});

describe('the number of retained versions', () => {
  it('is limited by VERSIONS_KEPT, not counting named versions', async () => {
    for (let title = 1; title <= KEPT + 3; title += 1) await put('kept', { title: `${title}` }, title === 2 ? '?versionName=precious' : '');
    expect(await numbers(site('kept'))).toEqual([9, 8, 7, 6, 5, 4, 2]);
    await done('POST', `${site('kept')}/versions/2.json?name=`);
    await put('kept', { title: 'last' });
    expect(await numbers(site('kept'))).toEqual([10, 9, 8, 7, 6, 5]);
  });
});

it('a version contains no secret of its site', async () => {
  await put('sealed', externalCode('sealed', true));
  await done('POST', `${site('sealed')}/secrets/cm-byog.json`, { value: 'a-secret-of-build-management' });
  const generated = await done('POST', `${site('sealed')}/secrets.json`);
  await done('POST', `${site('sealed')}/public.json`, publicPart('sealed'));
  const versions = await numbers(site('sealed'));
  const texts = await Promise.all(
    versions.map(async (version) => (await backend.call('GET', `${site('sealed')}/versions/${version}.json`, { as })).text),
  );
  expect(versions).toEqual([2, 1]);
  for (const text of texts) {
    expect(text).toContain('cm-byog');
    expect(text).not.toContain('a-secret-of-build-management');
    expect(text).not.toContain(String(Object(generated.json()).value));
  }
});

// Safe: the patch was parsed; the library's type describes the fields of each operation.
function asOperations(patch: Patch): Operation[] {
  return patch as unknown as Operation[];
}

const site = (name: string) => `/config/wknd/sites/${name}`;

/** Calls about histories, by an administrator; those that must succeed reject otherwise. */
function historyCalls(backend: TestBackend) {
  const { call, done, read } = callsAs(backend, OPERATOR);
  /** Stores the complete site, one version per call. */
  const put = (name: string, more: Readonly<Record<string, unknown>> = {}, query = '') =>
    done('PUT', `${site(name)}.json?replace=true${query.replace('?', '&')}`, siteBody('wknd', name, more));
  const remove = (name: string) => done('DELETE', `${site(name)}.json`);
  const restore = (name: string, version: number, { as = OPERATOR, query = '' } = {}) =>
    backend.call('POST', `${site(name)}.json?restoreVersion=${version}${query}`, { as });
  const list = async (base: string) => VersionList.parse(await read(`${base}/versions.json?limit=1000`));
  const numbers = async (base: string) => (await list(base)).versions.map(({ version }) => version);
  const compare = async (base: string, from: number, to: number) => Patch.parse(await read(`${base}/versions/${from}...${to}.json`));
  const data = async (base: string, version: number) => Version.parse(await read(`${base}/versions/${version}.json`)).data;
  return { call, done, put, remove, restore, list, numbers, compare, data };
}

describe('in the history of a site,', () => {
  const backend = startBeforeAll(() => startTestBackend());

  const { done, put, remove, restore, list } = historyCalls(backend);

  describe('restoring a version', () => {
    it('creates a new version, named on request, and retains the versions in between', async () => {
      await put('back', { title: 'One' });
      await put('back', { title: 'Two' });
      expect((await restore('back', 1, { query: '&versionName=as%20it%20was' })).json()).toMatchObject({ title: 'One' });
      const { current, versions } = await list(site('back'));
      expect([current, versions]).toEqual([
        3,
        [expect.objectContaining({ version: 3, name: 'as it was' }), expect.anything(), expect.anything()],
      ]);
    });

    it('records the restored version in the new version only', async () => {
      const { versions } = await list(site('back'));
      expect(versions.map(({ version, restoredFrom }) => [version, restoredFrom])).toEqual([
        [3, 1],
        [2, undefined],
        [1, undefined],
      ]);
      const read = await done('GET', `${site('back')}/versions/3.json`);
      expect(read.json()).toMatchObject({ version: 3, restoredFrom: 1, data: { title: 'One' } });
    });

    it('previews the change in a dry run', async () => {
      const dryRun = await restore('back', 2, { query: '&dryRun=true' });
      expect(dryRun.json()).toMatchObject({
        dryRun: true,
        result: { title: 'Two' },
        diff: [{ op: 'replace', path: '/title', value: 'Two' }],
      });
      expect((await list(site('back'))).current).toBe(3);
    });

    it('restores a removed site with its creation time', async () => {
      const first = (await put('undone', { title: 'One' })).json();
      await remove('undone');
      expect((await backend.call('GET', `${site('undone')}.json`, { as })).status).toBe(404);
      const { current, versions } = await list(site('undone'));
      expect([current, versions.length]).toEqual([undefined, 2]);
      const back = await restore('undone', 1);
      expect([back.status, back.json()]).toMatchObject([201, { title: 'One', created: Object(first).created }]);
      expect(await restore('undone', 2)).toMatchObject({ status: 404, code: 'VERSION_NOT_FOUND' });
    });

    it('is refused if the if-match does not match', async () => {
      const stale = await backend.call('POST', `${site('back')}.json?restoreVersion=2`, { as, headers: { 'if-match': '"another"' } });
      expect(stale.status).toBe(412);
    });

    it('names the current rule that refuses a version', async () => {
      await put('rooted', { public: publicPart('rooted') });
      await put('rooted');
      await put('usurper', { public: publicPart('rooted') });
      const answer = await restore('rooted', 1);
      expect(answer).toMatchObject({ status: 409, code: 'VERSION_REFUSED' });
      expect(answer.error).toMatch(/^Version 1 cannot be restored\. The content root .+ belongs to site "wknd\/usurper"/);
      expect(answer.json()).toMatchObject({ data: { code: 'CONTENT_ROOT_TAKEN', site: 'usurper', version: '1' } });
      expect((await list(site('rooted'))).current).toBe(2);
    });

    it('names the other site that holds the secret now', async () => {
      await put('external-1', externalCode('shared', true));
      await put('external-1');
      await put('external-2', externalCode('shared', true));
      const answer = await restore('external-1', 1);
      expect(answer.code).toBe('VERSION_REFUSED');
      expect(answer.json()).toMatchObject({
        data: { code: 'SECRET_NOT_ALLOWED', site: 'external-2' },
        errors: [{ pointer: '/code/source/secretId' }],
      });
    });

    it('names the field that is no longer valid', async () => {
      await put('reformed', { title: 'One' });
      const stored = await backend.store.reads.site('wknd', 'reformed');
      const { code: _code, ...rest } = stored?.config ?? {};
      const subject = { kind: 'site', org: 'wknd', site: 'reformed' } as const;
      await backend.store.write((writes) =>
        writes.addVersion({
          subject,
          version: 2,
          created: new Date(),
          data: { ...rest, content: { source: { url: 'x', type: 'sheet' } } },
        }),
      );
      const answer = await restore('reformed', 2);
      expect(answer.code).toBe('VERSION_REFUSED');
      expect(answer.error).toMatch(/^Version 2 cannot be restored\. \/content\/source\//);
      expect(answer.json()).toMatchObject({
        data: { code: 'BODY_INVALID' },
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/content/source/type' })]),
      });
    });

    it('needs the role admin to change administrators, and a confirmation to remove the caller', async () => {
      const access = (admin: string) => ({ access: { admin: { role: { admin: [admin], config_admin: [CONFIG_ADMIN] } } } });
      await put('guarded', access('nora@example.com'));
      await put('guarded', access(ADMIN));
      await put('guarded', { ...access(ADMIN), title: 'Three' });
      expect(await restore('guarded', 1, { as: CONFIG_ADMIN })).toMatchObject({ status: 403, code: 'NOT_AUTHORIZED' });
      expect((await restore('guarded', 2, { as: CONFIG_ADMIN })).status).toBe(200);
      expect(await restore('guarded', 1, { as: ADMIN })).toMatchObject({ status: 409, code: 'WOULD_LOCK_OUT' });
      expect((await restore('guarded', 1, { as: ADMIN, query: '&confirm=true' })).status).toBe(200);
    });
  });
});

describe('on a site that is registered again,', () => {
  const SITE = '/config/wknd/sites/shop';
  const [FORMER, LATER] = ['former.owner@example.com', 'later.owner@example.com'];
  let now = Date.parse('2026-05-01T10:00:00.000Z');

  const backend = startBeforeAll(() => startTestBackend({ now: () => new Date((now += 1000)) }));
  beforeAll(async () => {
    const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'former-token' } };
    await done('PUT', `${SITE}.json`, siteBody('wknd', 'shop', { cdn, access: { admin: { role: { admin: [FORMER] } } } }));
    await done('DELETE', `${SITE}.json`);
    await done('PUT', `${SITE}.json`, siteBody('wknd', 'shop', { access: { admin: { role: { admin: [LATER] } } } }));
  });

  const done = (method: string, path: string, body?: unknown, as = OPERATOR) => callsAs(backend, as).done(method, path, body);

  async function code(method: string, path: string, body?: unknown) {
    return (await backend.call(method, path, { as: LATER, ...(body !== undefined && { body }) })).code;
  }

  describe('an administrator of the new site', () => {
    it('only sees the versions of that site', async () => {
      const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`, undefined, LATER)).json());
      expect(versions.map(({ version }) => version)).toEqual([3]);
      const paged = await done('GET', `${SITE}/versions.json?limit=2`, undefined, LATER);
      expect([VersionList.parse(paged.json()).versions.length, paged.headers['link']]).toEqual([1, undefined]);
      expect(await code('GET', `${SITE}/versions/1.json`)).toBe('VERSION_NOT_FOUND');
      expect(await code('GET', `${SITE}/versions/1...3.json`)).toBe('VERSION_NOT_FOUND');
      await done('GET', `${SITE}/versions/3.json`, undefined, LATER);
    });

    it('cannot restore, name or remove versions of the former site', async () => {
      expect(await code('POST', `${SITE}.json?restoreVersion=1`)).toBe('VERSION_NOT_FOUND');
      expect(await code('POST', `${SITE}.json?restoreVersion=1&dryRun=true`)).toBe('VERSION_NOT_FOUND');
      expect(await code('POST', `${SITE}/versions/1.json`, { name: 'mine' })).toBe('VERSION_NOT_FOUND');
      expect(await code('DELETE', `${SITE}/versions/2.json`)).toBe('VERSION_NOT_FOUND');
    });

    it('only reads the entries of that site, in both forms of the log', async () => {
      for (const path of [`${SITE}/log.json`, `${SITE}/log.json?since=2026-01-01T00:00:00Z`, '/log/wknd/shop/main?since=30d']) {
        const { text } = await done('GET', path, undefined, LATER);
        expect((JSON.parse(text) as { entries: unknown[] }).entries, path).toHaveLength(1);
      }
    });
  });

  describe('an administrator of the organization', () => {
    it('sees the versions and entries of both sites', async () => {
      const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`)).json());
      expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
      expect((await done('GET', `${SITE}/versions/1.json`)).text).toContain('former-token');
      expect(((await done('GET', `${SITE}/log.json`)).json() as { entries: unknown[] }).entries).toHaveLength(3);
    });

    it('gives the administrator of the former site access to all versions by restoring it', async () => {
      await done('DELETE', `${SITE}.json`);
      await done('POST', `${SITE}.json?restoreVersion=1`);
      const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`, undefined, FORMER)).json());
      expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    });
  });
});
