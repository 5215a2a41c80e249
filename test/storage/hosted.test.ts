import type { AuditEntry } from '@repoless/contract/audit.ts';
import { appendEntry, newestEntries, verifyTrail } from '@repoless/upstream/log.ts';
import { expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import { putChange, recentChanges, type StoredChange, changeWithDocuments } from '@repoless/upstream/store.ts';

eachStore((engine) => {
  it('lists the newest documents of a kind by identifier, and none that were removed', async () => {
    const { hosted } = await engine.open();
    for (const id of ['b', 'a', 'c']) await hosted.put('rollout', 'wknd', id, { id });
    await hosted.put('rollout', 'acme', 'd', { id: 'd' });
    await hosted.put('rollout', 'wknd', 'a', { id: 'a', again: true });
    expect(await hosted.list('rollout', 'wknd', 2)).toEqual([{ id: 'b' }, { id: 'c' }]);
    await hosted.remove('rollout', 'wknd', 'b');
    expect(await hosted.list('rollout', 'wknd')).toEqual([{ id: 'a', again: true }, { id: 'c' }]);
    expect(await hosted.get('rollout', 'wknd', 'b')).toBeUndefined();
  });

  it('gives each entry of a trail its own number, even with concurrent writers', async () => {
    const { hosted } = await engine.open();
    const entry = (user: string) => ({ time: '2026-01-01T00:00:00.000Z', user, action: 'put-site', site: user, requestId: user });
    const users = Array.from({ length: 12 }, (_, index) => `user-${index}`);
    await Promise.all(users.map((user) => appendEntry(hosted.trail, 'wknd', entry(user))));
    await appendEntry(hosted.trail, 'acme', entry('else'));
    expect(await verifyTrail(hosted.trail, 'wknd', 0)).toMatchObject({ intact: true, verified: { from: 1, to: 12 }, continues: false });
    const query = { before: 12, since: '', limit: 3, isIncluded: ({ site }: AuditEntry) => site !== 'user-0' };
    const found = await newestEntries(hosted.trail, 'wknd', query);
    // One more than requested shows that there is a next page.
    expect(found).toHaveLength(4);
    expect(found.map(({ number }) => number)).toEqual(found.map(({ number }) => number).toSorted((one, other) => other - one));
    expect(found.every(({ number }) => number < 12)).toBe(true);
  });

  it('lists changes without their documents, and retains those of the newest thousand of an organization', async () => {
    const { hosted } = await engine.open();
    await putChange(hosted, changeAt(0, 'acme'));
    for (let minute = 0; minute <= 1000; minute += 1) await putChange(hosted, changeAt(minute));
    const listed = await recentChanges(hosted, 'wknd');
    expect(listed).toHaveLength(1001);
    expect(JSON.stringify(await hosted.list('change', 'wknd'))).not.toContain('robots');
    const [oldest, second] = listed;
    if (oldest === undefined || second === undefined) throw new Error('Nothing is listed.');
    expect(await changeWithDocuments(hosted, oldest)).toBeUndefined();
    expect(await changeWithDocuments(hosted, second)).toEqual(changeAt(1));
    const [other] = await recentChanges(hosted, 'acme');
    expect(other && (await changeWithDocuments(hosted, other))).toEqual(changeAt(0, 'acme'));
  });

  it('retains 64 MiB of documents of an organization, and always those of its newest change', async () => {
    const { hosted } = await engine.open();
    const large = (minute: number, mebibytes: number) => ({ ...changeAt(minute), after: 'é'.repeat(mebibytes * 512 * 1024) });
    await putChange(hosted, changeAt(0, 'acme'));
    for (let minute = 0; minute < 24; minute += 1) await putChange(hosted, large(minute, 3));
    const retained = async () => {
      const all = await Promise.all((await recentChanges(hosted, 'wknd')).map((one) => changeWithDocuments(hosted, one)));
      return all.flatMap((one) => one?.id.slice(6, 8) ?? []);
    };
    expect(await retained()).toEqual([
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '09',
      ...Array.from({ length: 14 }, (_, index) => `${index + 10}`),
    ]);
    await putChange(hosted, large(24, 70));
    expect(await retained()).toEqual(['24']);
    const [other] = await recentChanges(hosted, 'acme');
    expect(other && (await changeWithDocuments(hosted, other))).toEqual(changeAt(0, 'acme'));
  });
});

function changeAt(minute: number, org = 'wknd'): StoredChange {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const documents = { before: { robots: { txt: `old ${minute}` } }, after: { robots: { txt: `new ${minute}` } }, diff: [] };
  const id = `${String(minute).padStart(8, '0')}-0000-4000-8000-000000000000`;
  return { id, time, org, subject: 'sites/de', user: 'ada@example.com', call: 'POST /config', outcome: 'stored', ...documents };
}
