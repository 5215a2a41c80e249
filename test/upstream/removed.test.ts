import { VersionList } from '@repoless/contract/history.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { describe, expect, test } from 'vitest';
import { siteBody, startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();
const HEADERS = { '/**': [{ key: 'x-market', value: 'one' }] };

describe('a removed site', () => {
  const CDN = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 'one', authToken: 'let-me-in' } };

  test('is restored from what is stored here, without its secrets and keys, which are named', async () => {
    const path = await world.site({ cdn: CDN });
    const at = (rest: string) => path.replace('.json', rest);
    await world.call('POST', at('/secrets/token.json'), { value: 'one' });
    await world.call('POST', at('/headers.json'), HEADERS);
    expect((await world.call('DELETE', path)).status).toBe(204);
    const { body } = await world.call('GET', at('/versions.json'));
    const { versions, current } = VersionList.parse(body);
    expect(current).toBeUndefined();
    const [before = 0, removal = 0] = versions.slice(-2).map(({ version }) => version);
    expect((await world.call('GET', at(`/versions/${removal}.json`))).body).toMatchObject({ data: null, user: EXAMPLE.admin });
    expect((await world.call('POST', `${path}?restoreVersion=${removal}`)).body).toMatchObject({ code: 'VERSION_NOT_FOUND' });
    const restore = `${path}?restoreVersion=${before}`;
    expect((await world.call('POST', `${restore}&dryRun=true`)).body).toMatchObject({ dryRun: true, status: 201 });
    const restored = await world.call('POST', restore);
    expect(restored.status, restored.text).toBe(201);
    expect(restored.headers['x-warning']).toContain('to be made again: secrets/token, cdn/prod.');
    const stored = await world.call('GET', path);
    expect(stored.body).toMatchObject({ headers: HEADERS, cdn: { prod: { host: 'www.example.com' } } });
    expect(stored.text).not.toContain('let-me-in');
    expect(stored.body).not.toHaveProperty('secrets');
  });

  test('is hidden from people who cannot read the organization, and below a new site of the same name', async () => {
    const path = await world.site();
    await world.call('DELETE', path);
    const versions = path.replace('.json', '/versions.json');
    const token = world.hosted.token('session', { email: EXAMPLE.siteAdmin });
    expect((await world.call('GET', versions, undefined, { token })).status).toBe(403);
    // Even if the hosted service answers everyone that the site does not exist.
    world.hosted.fault({ kind: 'answer', method: 'GET', status: 404, skip: 0, times: 2, takesEffect: false });
    expect((await world.call('GET', versions, undefined, { token })).status).toBe(403);
    world.hosted.change('PUT', path, siteBody('another'));
    expect(VersionList.parse((await world.call('GET', versions)).body).versions).toHaveLength(1);
  });

  test('includes changes made elsewhere before its removal, and marks them', async () => {
    const path = await world.site();
    world.hosted.change('POST', path.replace('.json', '/headers.json'), HEADERS);
    await world.call('DELETE', path);
    const { versions } = VersionList.parse((await world.call('GET', path.replace('.json', '/versions.json'))).body);
    expect(versions.map(({ version, elsewhere }) => [version, elsewhere])).toEqual([
      [1, undefined],
      [2, true],
      [3, undefined],
    ]);
    const page = await world.call('GET', path.replace('.json', '/versions.json?limit=2'));
    expect(VersionList.parse(page.body).versions.map(({ version }) => version)).toEqual([3, 2]);
    const next = /^<([^>]+)>; rel="next"$/.exec(page.headers['link'] ?? '')?.[1] ?? '';
    expect(VersionList.parse((await world.call('GET', next)).body).versions.map(({ version }) => version)).toEqual([1]);
    await world.call('POST', `${path}?restoreVersion=2`);
    expect((await world.call('GET', path)).body).toMatchObject({ headers: HEADERS });
  });
});
