import { putChange, recentChanges, type StoredChange, changeWithDocuments } from '@repoless/upstream/store.ts';
import { expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';

function changeAt(minute: number, org = 'wknd'): StoredChange {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const documents = { before: { robots: { txt: `old ${minute}` } }, after: { robots: { txt: `new ${minute}` } }, diff: [] };
  const id = `${String(minute).padStart(8, '0')}-0000-4000-8000-000000000000`;
  return { id, time, org, subject: 'sites/de', user: 'ada@example.com', call: 'POST /config', outcome: 'stored', ...documents };
}

eachStore((engine) => {
  it('lists changes without their documents, and keeps those of the newest thousand of an organization', async () => {
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

  it('keeps the documents of 64 MiB of an organization, and those of its newest change in any case', async () => {
    const { hosted } = await engine.open();
    const large = (minute: number, mebibytes: number) => ({ ...changeAt(minute), after: 'é'.repeat(mebibytes * 512 * 1024) });
    await putChange(hosted, changeAt(0, 'acme'));
    for (let minute = 0; minute < 24; minute += 1) await putChange(hosted, large(minute, 3));
    const kept = async () => {
      const all = await Promise.all((await recentChanges(hosted, 'wknd')).map((one) => changeWithDocuments(hosted, one)));
      return all.flatMap((one) => one?.id.slice(6, 8) ?? []);
    };
    expect(await kept()).toEqual(['03', '04', '05', '06', '07', '08', '09', ...Array.from({ length: 14 }, (_, index) => `${index + 10}`)]);
    await putChange(hosted, large(24, 70));
    expect(await kept()).toEqual(['24']);
    const [other] = await recentChanges(hosted, 'acme');
    expect(other && (await changeWithDocuments(hosted, other))).toEqual(changeAt(0, 'acme'));
  });
});
