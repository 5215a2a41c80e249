import { LIMITS } from '@repoless/contract/limits.ts';
import type { Rollout } from '@repoless/contract/rollout.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';
import { rolloutCommands, ROLLOUTS } from './rollout-commands.ts';

const world = startHostedWorld();
const EDITS = [{ op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site}' }, by: 'key' }];
const { requests, reset, sites, ok, start, one, command, rowsOf, configOf, ended } = rolloutCommands(world);
beforeEach(reset);
const other = () => ({ token: world.hosted.token('session', { email: EXAMPLE.otherAdmin }) });

describe('a rollout', () => {
  test('is previewed with one read of each site, and writes nothing', async () => {
    const names = await sites(3, (index) => (index === 0 ? {} : { public: { paths: { mappings: [`/content/wknd/${index}/de/:/`] } } }));
    const edits = [{ op: 'set', path: '/robots/txt', value: '{language}' }];
    const { result } = await ok<{ result: Rollout }>(world.call('POST', `${ROLLOUTS}?dryRun=true`, { title: 'Test', edits, sites: names }));
    expect(result.preview?.sites.map(({ state }) => state)).toEqual(['refused', 'changed', 'changed']);
    expect(result.preview?.sites[0]?.detail).toContain('{language} has no value');
    expect(result.preview?.kinds).toMatchObject([{ count: 2 }]);
    expect(requests().every(({ method }) => method === 'GET')).toBe(true);
    expect(requests().length).toBeLessThanOrEqual(names.length + 1);
    expect(await ok(world.call('GET', ROLLOUTS))).toEqual({ rollouts: [] });
  });

  test('shows its consequences for people in the preview', async () => {
    const names = await sites(2);
    const edits = [{ op: 'add', path: '/access/admin/role/admin', value: 'bea.new@example.com' }];
    const { result } = await ok<{ result: Rollout }>(world.call('POST', `${ROLLOUTS}?dryRun=true`, { title: 'Test', edits, sites: names }));
    expect(result.preview?.consequences).toMatchObject([{ sites: names, what: { kind: 'people-gained' } }]);
  });

  test('changes 60 sites with three reads per write, stops between them, continues, and reverts everything but later changes of others', async () => {
    const names = await sites(60);
    const { id } = await start({ edits: EDITS, sites: names });
    while (requests('POST').length < 20) await new Promise((resolve) => setImmediate(resolve));
    const stopped = await ok<Rollout>(command(id, 'stop'));
    const written = requests('POST').length;
    expect([stopped.state, stopped.sites.changed, written < 60]).toEqual(['stopped', written, true]);
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 60 } });
    expect(requests('POST')).toHaveLength(60);
    // The organization and the repository are read every half minute, and for each page of the progress.
    expect(requests('GET').length).toBeLessThanOrEqual(3 * 60 + 30);
    const [first = '', second = ''] = names;
    expect((await configOf(first))['headers']).toEqual({ '/**': [{ key: 'x-from', value: first }] });
    expect(await rowsOf(id)).toContainEqual(expect.objectContaining({ name: first, state: 'changed', from: 1, to: 2 }));

    for (let count = 1; count <= 7; count += 1)
      world.hosted.change('POST', `/config/wknd/sites/${second}/headers.json`, { '/**': [{ key: 'x-theirs', value: `${count}` }] });
    const { result } = await ok<{ result: Rollout }>(world.call('POST', one(id).replace('.json', '/undo.json?dryRun=true')));
    expect(result.preview?.sites.filter(({ state }) => state === 'refused')).toEqual([
      expect.objectContaining({
        name: second,
        detail: expect.stringContaining('has since changed headers of this site (version 9'),
        data: expect.objectContaining({ parts: 'headers', versions: '9, 8, 7, 6, 5' }),
      }),
    ]);
    await ok(command(id, 'undo'));
    expect(await ended(id)).toMatchObject({ state: 'undone', sites: { undone: 59, kept: 1 } });
    expect([(await configOf(first))['headers'], (await configOf(second))['headers']]).toEqual([
      undefined,
      { '/**': [{ key: 'x-theirs', value: '7' }] },
    ]);
    expect((await command(id, 'undo')).body).toMatchObject({ code: 'ROLLOUT_REFUSED' });
    expect((await world.call('POST', one(id).replace('.json', '/resume.json?dryRun=true'))).body).toMatchObject({ code: 'QUERY_INVALID' });
  }, 120_000);

  test('stops after a wave with a refused site, and retries it when resumed', async () => {
    const names = await sites(4);
    const edits = [{ op: 'set', path: '/robots/txt', value: '{language}' }];
    const { id } = await start({ edits, sites: names, waves: [1, '100%'] });
    const stopped = await ended(id);
    expect(stopped).toMatchObject({ state: 'stopped', stopped: { reason: 'refused' }, sites: { refused: 1, waiting: 3 } });
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { refused: 4 } });
    const [first = ''] = names;
    world.hosted.change('POST', `/config/wknd/sites/${first}/public.json`, { paths: { mappings: ['/content/wknd/it/:/'] } });
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { refused: 3, changed: 1 } });
    expect((await configOf(first))['robots']).toEqual({ txt: 'it' });
  });

  test('preserves concurrent changes of others, and never stores the token', async () => {
    const names = await sites(1);
    const path = `/config/wknd/sites/${names[0] ?? ''}/folders.json`;
    world.hosted.fault({ kind: 'foreign', write: { method: 'POST', path, body: { '/theirs': '/target' } } });
    const { id } = await start({ edits: EDITS, sites: names });
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 1 } });
    expect(await configOf(names[0] ?? '')).toMatchObject({ folders: { '/theirs': '/target' }, headers: { '/**': [{ key: 'x-from' }] } });
    expect(world.stored()).toContain(id);
    expect(world.stored()).not.toMatch(/eyJ[\w-]+\./);
  });

  test('refuses what its preview did not show, with who changed what since', async () => {
    const names = await sites(3);
    const edits = [{ op: 'set', path: '/robots/txt', value: 'ours' }];
    const body = { title: 'Reviewed', edits, sites: names };
    const { result } = await ok<{ result: Rollout }>(world.call('POST', `${ROLLOUTS}?dryRun=true`, body));
    const reviewed = Object.fromEntries(result.preview?.sites.map(({ name, version }) => [name, version]) ?? []);
    world.hosted.set({ versionsNameUser: true });
    const [first = '', second = ''] = names;
    world.hosted.change('POST', `/config/wknd/sites/${first}/robots.json`, { txt: 'theirs' });
    world.hosted.change('POST', `/config/wknd/sites/${second}/folders.json`, { '/theirs': '/target' });
    const { id } = await start({ ...body, reviewed });
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { refused: 1, changed: 2 } });
    const detail = expect.stringMatching(/has since changed robots of this site \(version 2.*, so the site was not changed\./);
    expect(await rowsOf(id)).toContainEqual(
      expect.objectContaining({
        name: first,
        state: 'refused',
        code: 'PRECONDITION_FAILED',
        detail: detail,
        data: { parts: 'robots', versions: '2', users: expect.stringContaining('@') },
      }),
    );
    expect((await configOf(first))['robots']).toEqual({ txt: 'theirs' });
    expect(await configOf(second)).toMatchObject({ robots: { txt: 'ours' }, folders: { '/theirs': '/target' } });
  });

  test('stops before the sign-in expires, without writing', async () => {
    const names = await sites(1);
    const soon = Math.floor(Date.now() / 1000) + 30;
    const token = world.hosted.token('session', { email: EXAMPLE.admin, exp: soon });
    const { id } = await ok<Rollout>(world.call('POST', ROLLOUTS, { title: 'Late', edits: EDITS, sites: names }, { token }), 201);
    expect(await ended(id)).toMatchObject({
      state: 'stopped',
      stopped: { reason: 'blocked', by: EXAMPLE.admin, detail: expect.stringContaining('sign-in'), problem: { code: 'NOT_AUTHENTICATED' } },
    });
    expect(requests('POST')).toEqual([]);
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done' });
  });

  test('waits for a sign-in after its program ended, and knows the site that was being written', async () => {
    const names = await sites(6);
    world.hosted.fault({ kind: 'hang', method: 'POST', path: `/config/wknd/sites/${names[1] ?? ''}`, skip: 0 });
    const { id } = await start({ edits: EDITS, sites: names });
    while (requests('POST').length < 4) await new Promise((resolve) => setImmediate(resolve));
    world.restart();
    expect(await ok(world.call('GET', one(id), undefined, other()))).toMatchObject({ state: 'running' });
    world.later = 120_000;
    expect(await ok(world.call('GET', one(id), undefined, other()))).toMatchObject({
      state: 'stopped',
      stopped: { reason: 'blocked', by: EXAMPLE.admin, detail: `It waits for ${EXAMPLE.admin} to sign in, or for somebody to resume it.` },
    });
    expect(await ok(world.call('GET', one(id)))).toMatchObject({ state: 'running' });
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 6 } });
    await ok(command(id, 'undo'));
    expect(await ended(id)).toMatchObject({ state: 'undone', sites: { undone: 6 } });
    expect((await configOf(names[1] ?? ''))['headers']).toBeUndefined();
  });

  test('can be taken over from another program, which then writes no further site', async () => {
    const names = await sites(40);
    const { id } = await start({ edits: EDITS, sites: names });
    while (requests('POST').length < 8) await new Promise((resolve) => setImmediate(resolve));
    world.restart();
    await ok(command(id, 'stop'));
    const written = requests('POST').length;
    expect(await ok(world.call('GET', one(id)))).toMatchObject({ state: 'stopped', stopped: { reason: 'asked', by: EXAMPLE.admin } });
    for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(requests('POST').length).toBeLessThanOrEqual(written + 4);
    expect(await ok(world.call('GET', one(id)))).toMatchObject({ state: 'stopped' });
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done', total: 40 });
    expect(requests('POST')).toHaveLength(40);
  });

  test('continues in another program as soon as the stop is answered, even on a slow disk', async () => {
    const { id } = await start({ edits: EDITS, sites: await sites(20) });
    while (requests('POST').length < 4) await new Promise((resolve) => setImmediate(resolve));
    let isDiskFree: () => void = () => undefined;
    const diskFree = new Promise<void>((resolve) => (isDiskFree = resolve));
    let stops = 0;
    world.storing = (value) => ('stopped' in value && value.stopped !== undefined && (stops += 1) > 1 ? diskFree : undefined);
    expect(await ok(command(id, 'stop'))).toMatchObject({ state: 'stopped' });
    world.restart();
    await ok(command(id, 'resume'));
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 20 } });
    isDiskFree();
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    world.storing = undefined;
    expect(await ok(world.call('GET', one(id)))).toMatchObject({ state: 'done', sites: { changed: 20 } });
  });

  test('is stored with the newest others, and deleted when there are more', async () => {
    const [site = ''] = await sites(1);
    const robots = (value: string) => start({ edits: [{ op: 'set', path: '/robots/txt', value }], sites: [site] });
    const started: string[] = [];
    for (let index = 0; index < LIMITS.rolloutsKept + 2; index += 1) {
      const { id } = await robots(`${index}`);
      await ended(id);
      started.push(id);
    }
    expect((await world.call('GET', one(started[1] ?? ''))).body).toMatchObject({ code: 'ROLLOUT_NOT_FOUND' });
    expect(await ok(world.call('GET', one(started[2] ?? '')))).toMatchObject({ state: 'done' });
    expect(world.stored()).not.toContain(`rollout/wknd/${started[0] ?? ''}`);
    expect(world.stored()).toContain(`rollout/wknd/${started[2] ?? ''}`);
    const { rollouts } = await ok<{ rollouts: Rollout[] }>(world.call('GET', ROLLOUTS));
    expect(rollouts.map(({ id }) => id)).toEqual(started.toReversed().slice(0, LIMITS.rolloutsKept));
  });

  test('can be read by people who may read the organization', async () => {
    const token = world.hosted.token('session', { email: EXAMPLE.stranger });
    expect((await world.call('GET', ROLLOUTS, undefined, { token })).status).toBe(403);
    expect((await world.call('POST', ROLLOUTS, { title: 'x', edits: EDITS }, { token })).status).toBe(403);
    expect((await world.call('GET', one('0-0'))).body).toMatchObject({ code: 'ROLLOUT_NOT_FOUND' });
  });

  test('has at most 300 sites, each once', async () => {
    const many = Array.from({ length: 301 }, (_, index) => `s-${index}`);
    expect((await world.call('POST', ROLLOUTS, { title: 'x', edits: EDITS, sites: many })).body).toMatchObject({
      code: 'ROLLOUT_REFUSED',
      data: { reason: 'sites', limit: '300' },
    });
    expect((await world.call('POST', ROLLOUTS, { title: 'x', edits: EDITS, sites: ['a', 'a'] })).body).toMatchObject({
      code: 'BODY_INVALID',
    });
  });
});

describe('a rollout of a profile', () => {
  test('stages the first wave, then stores the new configuration for all, and restores the previous one', async () => {
    await ok(world.call('PUT', '/config/wknd/profiles/brand.json', { robots: { txt: 'old' } }), 201);
    const names = await sites(3, () => ({ extends: { profile: 'brand' } }));
    const body = { title: 'Brand', profile: 'brand', config: { robots: { txt: 'new' } }, waves: [1, '100%'] };
    const { result } = await ok<{ result: Rollout }>(world.call('POST', `${ROLLOUTS}?dryRun=true`, body));
    expect(result.preview).toMatchObject({ total: 3, kinds: [{ count: 3, diff: [{ path: '/robots/txt', value: 'new' }] }] });
    const { id } = await start(body);
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 3 } });
    expect(await ok(world.call('GET', '/config/wknd/profiles/brand.json'))).toMatchObject({ robots: { txt: 'new' } });
    for (const name of names) expect(await configOf(name)).toMatchObject({ extends: { profile: 'brand' } });
    expect(
      (await ok<{ profiles: { name: string }[] }>(world.call('GET', '/config/wknd/profiles.json'))).profiles.map(({ name }) => name),
    ).toEqual(['brand']);
    const staged = world.changes.filter(({ subject }) => subject.startsWith('profiles/rollout-'));
    expect(staged.length).toBe(2);
    await ok(command(id, 'undo'));
    expect(await ended(id)).toMatchObject({ state: 'undone', sites: { undone: 3 } });
    expect(await ok(world.call('GET', '/config/wknd/profiles/brand.json'))).toMatchObject({ robots: { txt: 'old' } });
  });

  test('reads the profile once for the sites that inherit a list, which becomes their own', async () => {
    const list = ['/content/shared/:/shared/'];
    await ok(world.call('PUT', '/config/wknd/profiles/paths.json', { public: { paths: { mappings: list } } }), 201);
    const names = await sites(3, () => ({ extends: { profile: 'paths' }, public: { shop: { id: 1 } } }));
    const edits = [{ op: 'add', path: '/public/paths/mappings', value: '/content/more/:/more/' }];
    await ok(world.call('POST', `${ROLLOUTS}?dryRun=true`, { title: 'Test', edits, sites: names }));
    expect(requests().length).toBeLessThanOrEqual(names.length + 2);
    const { id } = await start({ edits, sites: names });
    expect(await ended(id)).toMatchObject({ state: 'done', sites: { changed: 3 } });
    expect((await configOf(names[0] ?? ''))['public']).toMatchObject({
      paths: { mappings: [...list, '/content/more/:/more/'] },
      shop: { id: 1 },
    });
  });

  test('does not revert a profile that was changed since', async () => {
    await ok(world.call('PUT', '/config/wknd/profiles/other.json', { robots: { txt: 'old' } }), 201);
    await sites(2, () => ({ extends: { profile: 'other' } }));
    const { id } = await start({ profile: 'other', config: { robots: { txt: 'new' } } });
    expect(await ended(id)).toMatchObject({ state: 'done' });
    world.hosted.change('POST', '/config/wknd/profiles/other.json', { robots: { txt: 'theirs' } });
    await ok(command(id, 'undo'));
    expect(await ended(id)).toMatchObject({ sites: { kept: 2 } });
    expect(await ok(world.call('GET', '/config/wknd/profiles/other.json'))).toMatchObject({ robots: { txt: 'theirs' } });
  });

  test('is refused if the previous or the new profile has credentials of a CDN, and stores none of them', async () => {
    const prod = { type: 'fastly', host: 'www.example.com', route: ['/'], serviceId: 'x', authToken: 'kept-nowhere' };
    await ok(world.call('PUT', '/config/wknd/profiles/plain.json', { robots: { txt: 'old' } }), 201);
    await ok(world.call('PUT', '/config/wknd/profiles/cdn.json', { cdn: { prod } }), 201);
    await sites(1, () => ({ extends: { profile: 'plain' } }));
    for (const [profile, config] of [
      ['plain', { cdn: { prod } }],
      ['cdn', { robots: { txt: 'new' } }],
    ] as const) {
      const refused = await world.call('POST', ROLLOUTS, { title: 'CDN', profile, config });
      expect(refused.body, refused.text).toMatchObject({ code: 'ROLLOUT_REFUSED', data: { reason: 'credentials', profile } });
    }
    expect(world.stored()).not.toContain('kept-nowhere');
  });
});
