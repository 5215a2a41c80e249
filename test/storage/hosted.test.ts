import type { AuditEntry } from '@repoless/contract/audit.ts';
import { appendEntry, newestEntries, verifyTrail } from '@repoless/upstream/trail.ts';
import { expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';

eachStore((engine) => {
  it('keeps changes of the hosted service by their time, and forgets what is removed', async () => {
    const { hosted } = await engine.open();
    for (const id of ['b', 'a', 'c']) await hosted.put('rollout', 'wknd', id, { id });
    await hosted.put('rollout', 'acme', 'd', { id: 'd' });
    await hosted.put('rollout', 'wknd', 'a', { id: 'a', again: true });
    expect(await hosted.list('rollout', 'wknd', 2)).toEqual([{ id: 'b' }, { id: 'c' }]);
    await hosted.remove('rollout', 'wknd', 'b');
    expect(await hosted.list('rollout', 'wknd')).toEqual([{ id: 'a', again: true }, { id: 'c' }]);
    expect(await hosted.get('rollout', 'wknd', 'b')).toBeUndefined();
  });

  it('gives each entry of a trail a number of its own, whoever writes at the same time', async () => {
    const { hosted } = await engine.open();
    const entry = (user: string) => ({ time: '2026-01-01T00:00:00.000Z', user, action: 'put-site', site: user, requestId: user });
    const users = Array.from({ length: 12 }, (_, index) => `user-${index}`);
    await Promise.all(users.map((user) => appendEntry(hosted.trail, 'wknd', entry(user))));
    await appendEntry(hosted.trail, 'acme', entry('else'));
    expect(await verifyTrail(hosted.trail, 'wknd', 0)).toMatchObject({ intact: true, verified: { from: 1, to: 12 }, goesOn: false });
    const asked = { before: 12, since: '', limit: 3, isWanted: ({ site }: AuditEntry) => site !== 'user-0' };
    const found = await newestEntries(hosted.trail, 'wknd', asked);
    // One more than requested shows that there is a next page.
    expect(found).toHaveLength(4);
    expect(found.map(({ number }) => number)).toEqual(found.map(({ number }) => number).toSorted((one, other) => other - one));
    expect(found.every(({ number }) => number < 12)).toBe(true);
  });
});
