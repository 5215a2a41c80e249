import { describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { external, historyCalls, site } from './history-calls.ts';

const ADMIN = 'ada.admin@example.com';
const CONFIG_ADMIN = 'carl.config@example.com';
const as = OPERATOR;

const backend = startBeforeAll(() => startTestBackend());

const { done, put, remove, restore, list } = historyCalls(() => backend);

describe('restoring a site', () => {
  it('makes a new version, named where it is asked for, and keeps those between', async () => {
    await put('back', { title: 'One' });
    await put('back', { title: 'Two' });
    const answer = await done(restore('back', 1, { query: '&versionName=as%20it%20was' }));
    expect(answer.json()).toMatchObject({ title: 'One' });
    const { current, versions } = await list(site('back'));
    expect([current, versions]).toEqual([
      3,
      [expect.objectContaining({ version: 3, name: 'as it was' }), expect.anything(), expect.anything()],
    ]);
  });

  it('says of the new version which one was brought back with it, and of no other', async () => {
    const { versions } = await list(site('back'));
    expect(versions.map(({ version, restoredFrom }) => [version, restoredFrom])).toEqual([
      [3, 1],
      [2, undefined],
      [1, undefined],
    ]);
    const read = await done(backend.call('GET', `${site('back')}/versions/3.json`, { as }));
    expect(read.json()).toMatchObject({ version: 3, restoredFrom: 1, data: { title: 'One' } });
  });

  it('shows what it would change without changing it', async () => {
    const tried = await done(restore('back', 2, { query: '&dryRun=true' }));
    expect(tried.json()).toMatchObject({ dryRun: true, result: { title: 'Two' }, diff: [{ op: 'replace', path: '/title', value: 'Two' }] });
    expect((await list(site('back'))).current).toBe(3);
  });

  it('brings a removed one back with its time of making', async () => {
    const first = (await put('undone', { title: 'One' })).json();
    await remove('undone');
    expect((await backend.call('GET', `${site('undone')}.json`, { as })).status).toBe(404);
    const { current, versions } = await list(site('undone'));
    expect([current, versions.length]).toEqual([undefined, 2]);
    const back = await restore('undone', 1);
    expect([back.status, back.json()]).toMatchObject([201, { title: 'One', created: Object(first).created }]);
    const deletion = await restore('undone', 2);
    expect([deletion.status, deletion.headers['x-error-code']]).toEqual([404, 'VERSION_NOT_FOUND']);
  });

  it('heeds preconditions', async () => {
    const stale = await backend.call('POST', `${site('back')}.json?restoreVersion=2`, { as, headers: { 'if-match': '"another"' } });
    expect(stale.status).toBe(412);
  });

  it('says which rule of today refuses a version', async () => {
    await put('rooted', { public: publicPart('rooted') });
    await put('rooted');
    await put('usurper', { public: publicPart('rooted') });
    const answer = await restore('rooted', 1);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([409, 'VERSION_REFUSED']);
    expect(answer.headers['x-error']).toMatch(/^Version 1 cannot be restored\. The content root .+ belongs to site "wknd\/usurper"/);
    expect(answer.json()).toMatchObject({ data: { code: 'CONTENT_ROOT_TAKEN', site: 'usurper', version: '1' } });
    expect((await list(site('rooted'))).current).toBe(2);
  });

  it('says which other site holds the secret meanwhile', async () => {
    await put('external-1', external());
    await put('external-1');
    await put('external-2', external());
    const answer = await restore('external-1', 1);
    expect(answer.headers['x-error-code']).toBe('VERSION_REFUSED');
    expect(answer.json()).toMatchObject({
      data: { code: 'SECRET_NOT_ALLOWED', site: 'external-2' },
      errors: [{ pointer: '/code/source/secretId' }],
    });
  });

  it('says which field no longer fits', async () => {
    await put('reformed', { title: 'One' });
    const stored = await backend.store.reads.site('wknd', 'reformed');
    const { code: _code, ...rest } = stored?.config ?? {};
    const subject = { kind: 'site', org: 'wknd', site: 'reformed' } as const;
    await backend.store.write((writes) =>
      writes.addVersion({ subject, version: 2, created: new Date(), data: { ...rest, content: { source: { url: 'x', type: 'sheet' } } } }),
    );
    const answer = await restore('reformed', 2);
    expect(answer.headers['x-error-code']).toBe('VERSION_REFUSED');
    expect(answer.headers['x-error']).toMatch(/^Version 2 cannot be restored\. \/content\/source\//);
    expect(answer.json()).toMatchObject({
      data: { code: 'BODY_INVALID' },
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '/content/source/type' })]),
    });
  });

  it('does not give the rights of administrators to those who have them not, nor take them from the caller', async () => {
    const access = (admin: string) => ({ access: { admin: { role: { admin: [admin], config_admin: [CONFIG_ADMIN] } } } });
    await put('guarded', access('nora@example.com'));
    await put('guarded', access(ADMIN));
    await put('guarded', { ...access(ADMIN), title: 'Three' });
    const byConfigAdmin = await restore('guarded', 1, { as: CONFIG_ADMIN });
    expect([byConfigAdmin.status, byConfigAdmin.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
    expect((await restore('guarded', 2, { as: CONFIG_ADMIN })).status).toBe(200);
    const lockingOut = await restore('guarded', 1, { as: ADMIN });
    expect([lockingOut.status, lockingOut.headers['x-error-code']]).toEqual([409, 'WOULD_LOCK_OUT']);
    expect((await restore('guarded', 1, { as: ADMIN, query: '&confirm=true' })).status).toBe(200);
  });
});
