import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { describe, expect, test } from 'vitest';
import { siteBody, startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();

/** The requests to the hosted service since then. */
function requestsSince(since: number): string[] {
  return world.hosted.requests.slice(since).map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
}

describe('the smallest write', () => {
  test('a new site is put as a whole, once', async () => {
    const since = world.hosted.requests.length;
    const answer = await world.call('PUT', '/config/wknd/sites/new-one.json', siteBody('new-one'));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'new-one', version: 1, code: { owner: 'wknd' } });
    expect(answer.headers['etag']).toMatch(/^".{43}"$/);
    expect(requestsSince(since).filter((one) => one.startsWith('PUT'))).toEqual(['PUT /config/wknd/sites/new-one.json']);
  });

  test('one changed part of several in the body is sent by itself, with two reads', async () => {
    const path = await world.site();
    const name = path.split('/').at(-1)?.replace('.json', '') ?? '';
    const since = world.hosted.requests.length;
    const body = siteBody(name);
    const answer = await world.call('PUT', path, { ...body, public: { paths: { mappings: ['/content/other/:/'] } } });
    expect(answer.status).toBe(200);
    const requests = requestsSince(since);
    expect(requests.filter((one) => !one.startsWith('GET'))).toEqual([`POST ${path.replace('.json', '/public.json')}`]);
    expect(requests.filter((one) => one.startsWith('GET')).length).toBeLessThanOrEqual(2);
  });

  test('several parts are sent as one document, which includes the others', async () => {
    const path = await world.site({ headers: { '/**': [{ key: 'x-frame-options', value: 'DENY' }] } });
    const since = world.hosted.requests.length;
    const answer = await world.call('PUT', path, { title: 'New', folders: { '/products': '/products/default' } });
    expect(answer.body).toMatchObject({ title: 'New', headers: { '/**': [{ key: 'x-frame-options', value: 'DENY' }] } });
    expect(requestsSince(since).filter((one) => one.startsWith('POST'))).toEqual([`POST ${path}`]);
  });

  test('a site with keys is changed part by part, and preserves them', async () => {
    const path = await world.site();
    const stored = await world.call('POST', path.replace('.json', '/secrets/cm-byog.json'), { value: 'swordfish-1' });
    expect(stored.status, stored.text).toBe(200);
    const since = world.hosted.requests.length;
    await world.call('PUT', path, { folders: { '/a': '/b' }, headers: { '/**': [{ key: 'x-a', value: 'b' }] } });
    expect(
      requestsSince(since)
        .filter((one) => one.startsWith('POST'))
        .toSorted(),
    ).toEqual([`POST ${path.replace('.json', '/folders.json')}`, `POST ${path.replace('.json', '/headers.json')}`]);
    expect((await world.call('GET', path.replace('.json', '/secrets.json'))).body).toHaveProperty('cm-byog');
  });

  test('a refusal between two parts reports what was stored', async () => {
    const path = await world.site();
    await world.call('POST', path.replace('.json', '/secrets/cm-byog.json'), { value: 'swordfish-2' });
    world.hosted.fault({ kind: 'answer', status: 403, takesEffect: false, skip: 1 });
    const answer = await world.call('PUT', path, { folders: { '/a': '/b' }, headers: { '/**': [{ key: 'x-a', value: 'b' }] } });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringMatching(/Already stored: (?:folders|headers)\. Not stored: (?:folders|headers)\./),
    ]);
    const { stored, unstored } = (answer.body as { data: Record<string, string> }).data;
    expect(new Set([stored, unstored])).toEqual(new Set(['folders', 'headers']));
    const { folders, headers } = (await world.call('GET', path)).body as Record<string, unknown>;
    expect([folders, headers].filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('nothing is sent if nothing changes', async () => {
    const path = await world.site();
    const current = await world.call('GET', path);
    const since = world.hosted.requests.length;
    const answer = await world.call('POST', path, current.body);
    expect([answer.status, requestsSince(since)]).toEqual([200, [`GET ${path}`]]);
  });

  test('an unknown member is preserved', async () => {
    const path = await world.site();
    world.hosted.change('POST', path.replace('.json', '/code.json'), { ...siteBody('x').code, region: 'eu' });
    const read = await world.call('GET', path);
    expect(read.status, read.text).toBe(200);
    await world.call('PUT', path, { title: 'New', description: 'Two parts' });
    const after = await world.call('GET', path.replace('.json', '/code.json'));
    expect(after.body).toMatchObject({ region: 'eu' });
  });
});

describe('before the write', () => {
  test('a dry run only reads, and returns the difference and the consequences for people', async () => {
    const path = await world.site();
    const since = world.hosted.requests.length;
    const other = 'bea.author@example.com';
    const address = `${path.replace('.json', '/access.json')}?dryRun=true`;
    const answer = await world.call('POST', address, { admin: { role: { admin: [EXAMPLE.admin, other] } } });
    expect(answer.body).toMatchObject({ dryRun: true, status: 200 });
    expect(JSON.stringify(answer.body)).toContain('people-gained');
    expect(requestsSince(since).every((one) => one.startsWith('GET'))).toBe(true);
    expect((await world.call('GET', path.replace('.json', '/access.json'))).text).not.toContain(other);
  });

  test('a document that was changed since it was read is refused, and nothing is sent', async () => {
    const path = await world.site();
    const { headers } = await world.call('GET', path);
    world.hosted.change('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    const since = world.hosted.requests.length;
    const answer = await world.call('PUT', path, { title: 'Mine' }, { headers: { 'if-match': headers['etag'] ?? '' } });
    expect([answer.status, requestsSince(since)]).toEqual([412, [`GET ${path}`]]);
  });

  test('an administrator cannot remove themselves without confirmation', async () => {
    const path = await world.site({ access: { admin: { role: { admin: [EXAMPLE.siteAdmin] } } } });
    const neighbour = { token: world.hosted.token('session', { email: EXAMPLE.siteAdmin }) };
    const address = path.replace('.json', '/access.json');
    const without = { admin: { role: { admin: [EXAMPLE.admin] } } };
    const since = world.hosted.requests.length;
    const refused = await world.call('POST', address, without, neighbour);
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'WOULD_LOCK_OUT']);
    expect(requestsSince(since).every((one) => one.startsWith('GET'))).toBe(true);
    const confirmed = await world.call('POST', `${address}?confirm=true`, without, neighbour);
    expect([confirmed.status, confirmed.body]).toEqual([200, without]);
    expect((await world.call('GET', path, undefined, neighbour)).status).toBe(403);
  });

  test('a profile in use is not removed, and its sites are named', async () => {
    const profile = '/config/wknd/profiles/used.json';
    await world.call('PUT', profile, { title: 'Used' });
    const site = await world.site({ extends: { profile: 'used' } });
    const name = site.split('/').at(-1)?.replace('.json', '') ?? '';
    for (const address of [`${profile}?dryRun=true`, profile]) {
      const refused = await world.call('DELETE', address);
      expect(refused.body).toMatchObject({ status: 409, code: 'PROFILE_IN_USE', data: { sites: name, count: '1' } });
    }
    await world.call('DELETE', site.replace('.json', '/extends.json'));
    expect((await world.call('DELETE', profile)).status).toBe(204);
  });

  test('what the schema refuses is refused without a request', async () => {
    const path = await world.site();
    const since = world.hosted.requests.length;
    const answer = await world.call('POST', path.replace('.json', '/headers.json'), { '/**': [{ key: 'x' }] });
    expect([answer.status, answer.headers['x-error-code'], requestsSince(since)]).toEqual([400, 'BODY_INVALID', []]);
  });
});

describe('a write without an answer', () => {
  test('that took effect succeeds', async () => {
    const path = await world.site();
    world.hosted.fault({ kind: 'cut' });
    const answer = await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    expect([answer.status, answer.body]).toEqual([200, { '/a': '/b' }]);
  });

  test('that had no effect is reported as such, and is not sent again', async () => {
    const path = await world.site();
    world.hosted.fault({ kind: 'answer', status: 503, takesEffect: false });
    const since = world.hosted.requests.length;
    const answer = await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'HOSTED_UNREACHABLE']);
    expect(requestsSince(since).filter((one) => one.startsWith('POST'))).toHaveLength(1);
  });

  test('during another person’s write has an unknown outcome', async () => {
    const path = await world.site();
    world.hosted.fault({
      kind: 'foreign',
      write: { method: 'POST', path: path.replace('.json', '/headers.json'), body: { '/**': [{ key: 'x-a', value: '1' }] } },
    });
    world.hosted.fault({ kind: 'answer', status: 504, takesEffect: false });
    const answer = await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'OUTCOME_UNKNOWN']);
  });
});

describe('other calls than those of documents', () => {
  test('have dry runs that only read', async () => {
    const path = await world.site();
    const site = path.split('/').at(-1)?.replace('.json', '') ?? '';
    const since = world.hosted.requests.length;
    const tries: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ['POST', `/code/wknd/${site}/main/*`],
      ['POST', path.replace('.json', '/secrets.json'), {}],
      ['POST', path.replace('.json', '/secrets/cm-byog.json'), { value: 'swordfish-3' }],
      ['POST', path.replace('.json', '/apiKeys.json'), {}],
      ['POST', '/config/wknd/users.json', { email: 'dry.run@example.com', roles: ['author'] }],
      ['POST', path.replace('.json', '/content/query.yaml'), 'version: 1\nindices: {}\n'],
      ['POST', path.replace('.json', '/versions/1.json'), { name: 'First' }],
      ['DELETE', path],
    ];
    for (const [method, address, body] of tries) {
      const answer = await world.call(method, `${address}?dryRun=true`, body);
      expect([address, answer.status, answer.body]).toEqual([address, 200, expect.objectContaining({ dryRun: true })]);
    }
    expect(requestsSince(since).filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test('report an unknown outcome for a secret that was created without an answer', async () => {
    const path = (await world.site()).replace('.json', '/secrets.json');
    world.hosted.fault({ kind: 'cut' });
    const answer = await world.call('POST', path, {});
    expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'OUTCOME_UNKNOWN']);
    expect(Object.keys((await world.call('GET', path)).body as object)).toHaveLength(1);
  });

  test('find a person who was added without an answer by reading', async () => {
    world.hosted.fault({ kind: 'cut' });
    const answer = await world.call('POST', '/config/wknd/users.json', { email: 'lost.answer@example.com', roles: ['author'] });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ email: 'lost.answer@example.com' })]);
  });

  test('preserve users that the body of an organization lacks, keep an admin, and are recorded', async () => {
    const path = '/config/wknd.json';
    const { users } = (await world.call('GET', path)).body as { users: { email: string; id: string }[] };
    expect((await world.call('POST', path, { title: 'Tarnfell again' })).body).toMatchObject({ users });
    const without = users.filter(({ email }) => email !== EXAMPLE.admin);
    expect((await world.call('POST', path, { users: without })).body).toMatchObject({
      code: 'WOULD_LOCK_OUT',
      data: { reason: 'organization' },
    });
    expect((await world.call('POST', path, { users: [] })).body).toMatchObject({ code: 'WOULD_LOCK_OUT', data: { reason: 'lastAdmin' } });
    const added = await world.call('POST', '/config/wknd/users.json', { email: 'recorded@example.com', roles: ['author'] });
    const recorded = world.changes.at(-1);
    expect([recorded?.outcome, recorded?.diff]).toEqual(['stored', [expect.objectContaining({ op: 'add', value: added.body })]]);
  });

  test('observe preconditions on a list', async () => {
    const path = await world.site();
    const body = { value: 'swordfish-4' };
    const address = path.replace('.json', '/content/query.yaml');
    const answer = await world.call('POST', address, 'version: 1\nindices: {}\n', { headers: { 'if-match': '"other"' } });
    expect(answer.status).toBe(412);
    expect((await world.call('POST', path.replace('.json', '/secrets.json'), body, { headers: { 'if-match': '"other"' } })).status).toBe(
      412,
    );
  });
});

describe('the record of a change', () => {
  test('may fail, or the read after it: the change succeeds with a warning', async () => {
    const path = await world.site();
    world.canStore = false;
    const unrecorded = await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    world.canStore = true;
    expect([unrecorded.status, unrecorded.headers['x-warning']]).toEqual([200, expect.stringContaining('could not be recorded')]);
    world.hosted.fault({ kind: 'answer', method: 'GET', status: 503, skip: 1, times: 2, takesEffect: false });
    const unread = await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/c' });
    expect([unread.status, unread.body, unread.headers['x-warning']]).toEqual([
      200,
      { '/a': '/c' },
      expect.stringContaining('could not be read back'),
    ]);
  });

  test('has its author, version and difference, and no secret', async () => {
    const path = await world.site({ cdn: { prod: { type: 'fastly', host: 'www.example.com', serviceId: 'abc', authToken: 'marlin-2' } } });
    await world.call('POST', path.replace('.json', '/folders.json'), { '/a': '/b' });
    const last = world.changes.at(-1);
    expect(last).toMatchObject({ user: EXAMPLE.admin, outcome: 'stored', version: 2, diff: [{ op: 'add', path: '/folders' }] });
    expect(JSON.stringify(world.changes)).not.toMatch(/marlin|swordfish/);
  });
});
