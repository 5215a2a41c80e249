import { describe, expect, test } from 'vitest';
import { createVersionStore, findLastChange } from '@repoless/core/history/version-store.ts';

const CREATED = '2026-03-04T05:06:07.000Z';

/** Versions of a site, whose administrators change in some. Returns their numbers, newest first, and a reader that counts. */
function versionsOf(count: number, changes: readonly number[]) {
  const reads: number[] = [];
  const load = async (version: number) => {
    reads.push(version);
    const admin = `admin-${changes.filter((change) => change <= version).length}@example.com`;
    const data = {
      title: `${version}`,
      access: { admin: { role: { admin: [admin] } } },
      public: { paths: { mappings: ['/content/a/:/'] } },
    };
    return { state: 'known' as const, value: { version, created: CREATED, data } };
  };
  return { numbers: Array.from({ length: count }, (_, index) => count - index), load, reads };
}

describe('the last change of access', () => {
  test.each([
    [1, []],
    [7, [7]],
    [7, [2]],
    [50, [49]],
    [1000, [3, 400]],
    [5000, [4711]],
  ])('is found among %i versions', async (count, changes) => {
    const { numbers, load } = versionsOf(count, changes);
    const last = changes.at(-1);
    expect(await findLastChange(numbers, 'access', load)).toEqual(
      last === undefined ? { state: 'none' } : { state: 'found', version: last },
    );
  });

  test('is found among thousands by reading some twenty of them', async () => {
    const { numbers, load, reads } = versionsOf(5000, [1234]);
    expect(await findLastChange(numbers, 'access', load)).toEqual({ state: 'found', version: 1234 });
    expect(reads.length).toBeLessThan(30);
    expect(await findLastChange(numbers, 'mappings', load)).toEqual({ state: 'none' });
  });

  test('says when a version cannot be read', async () => {
    const failure = { kind: 'unreachable' } as const;
    expect(await findLastChange([2, 1], 'access', async () => ({ state: 'failed', failure }))).toEqual({ state: 'failed', failure });
  });
});

describe('the versions that are read', () => {
  test('are each read once, at most four at a time, and not at all when nobody wants them any more', async () => {
    const waiting: (() => void)[] = [];
    const asked: number[] = [];
    const store = createVersionStore((version) => {
      asked.push(version);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ state: 'known', value: { version, created: CREATED, data: null } }));
      });
    });
    const releases = [1, 2, 3, 4, 5, 6, 7, 6].map((version) => store.want(version));
    expect(asked).toEqual([1, 2, 3, 4]);
    releases[4]?.();
    waiting[0]?.();
    await store.load(1);
    expect(asked).toEqual([1, 2, 3, 4, 7]);
    for (const resolve of waiting) resolve();
    await store.load(7);
    expect(asked.at(-1)).toBe(6);
    waiting.at(-1)?.();
    await store.load(6);
    expect(asked).toEqual([1, 2, 3, 4, 7, 6]);
    expect(store.get(5)).toBeUndefined();
    expect(store.get(6)).toBe(store.get(6));
  });

  test('are read once more after a failure', async () => {
    let failing = true;
    const store = createVersionStore(async (version) =>
      failing
        ? { state: 'failed', failure: { kind: 'unreachable' } }
        : { state: 'known', value: { version, created: CREATED, data: null } },
    );
    store.want(1);
    await store.load(1);
    expect(store.get(1)).toMatchObject({ state: 'failed' });
    failing = false;
    store.retry(1);
    await store.load(1);
    expect(store.get(1)).toMatchObject({ state: 'known' });
  });
});
