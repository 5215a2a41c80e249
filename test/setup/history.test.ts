import { sameValue } from '@repoless/contract/json.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { undoChange, type UndoneChange } from '@repoless/core/history/undo-change.ts';
import { describe, expect, test } from 'vitest';
import { findLastChange, createVersionStore } from '@repoless/core/history/version-store.ts';
import type { AuditEntry } from '@repoless/contract/audit.ts';
import { weekActivity } from '@repoless/core/overview/stored-checks.ts';

interface Row {
  readonly of: string;
  readonly before: StoredDocument;
  readonly after: StoredDocument;
  readonly current: StoredDocument;
  readonly out: UndoneChange;
}

const clean = (document: StoredDocument): UndoneChange => ({ state: 'clean', document });
const overlaps = (...pointers: readonly string[]): UndoneChange => ({ state: 'overlaps', pointers });

const header = (value: string) => [{ key: 'x', value }];

const rows: readonly Row[] = [
  {
    of: 'paths of headers that were reordered',
    before: { headers: { '/b': header('b'), '/**': header('a') } },
    after: { headers: { '/**': header('a'), '/b': header('b') } },
    current: { headers: { '/**': header('a'), '/b': header('b') }, title: 'later' },
    out: clean({ headers: { '/b': header('b'), '/**': header('a') }, title: 'later' }),
  },
  {
    of: 'the order of paths that were changed again',
    before: { headers: { '/b': header('b'), '/**': header('a') } },
    after: { headers: { '/**': header('a'), '/b': header('b') } },
    current: { headers: { '/**': header('c'), '/b': header('b') } },
    out: overlaps('/headers'),
  },
  {
    of: 'a removed path of headers, which returns to its position',
    before: { headers: { '/**': header('a'), '/a/**': header('b'), '/a': header('c') } },
    after: { headers: { '/**': header('a'), '/a': header('c') } },
    current: { headers: { '/**': header('a'), '/a': header('c'), '/later': header('d') } },
    out: clean({ headers: { '/**': header('a'), '/a/**': header('b'), '/a': header('c'), '/later': header('d') } }),
  },
  { of: 'a field that was set', before: {}, after: { a: 1 }, current: { a: 1, b: 2 }, out: clean({ b: 2 }) },
  { of: 'a field that was changed', before: { a: 1 }, after: { a: 2 }, current: { a: 2, b: 2 }, out: clean({ a: 1, b: 2 }) },
  { of: 'a field that was removed', before: { a: 1 }, after: {}, current: { b: 2 }, out: clean({ a: 1, b: 2 }) },
  { of: 'a field that was changed again', before: { a: 1 }, after: { a: 2 }, current: { a: 3 }, out: overlaps('/a') },
  { of: 'a field that was set again after its removal', before: { a: 1 }, after: {}, current: { a: 3 }, out: overlaps('/a') },
  { of: 'a field that was already restored', before: { a: 1 }, after: { a: 2 }, current: { a: 1, b: 2 }, out: { state: 'undone' } },
  {
    of: 'a nested field, with later changes next to it',
    before: { a: { x: 1 } },
    after: { a: { x: 2 } },
    current: { a: { x: 2, y: 3 } },
    out: clean({ a: { x: 1, y: 3 } }),
  },
  {
    of: 'a part that was added and then extended',
    before: {},
    after: { a: { x: 1 } },
    current: { a: { x: 1, y: 2 } },
    out: clean({ a: { y: 2 } }),
  },
  {
    of: 'an added entry, with later ones next to it',
    before: { list: ['a'] },
    after: { list: ['a', 'b'] },
    current: { list: ['a', 'b', 'c'] },
    out: clean({ list: ['a', 'c'] }),
  },
  {
    of: 'a removed entry, which returns to its position',
    before: { list: ['a', 'b'] },
    after: { list: ['b'] },
    current: { list: ['b', 'c'] },
    out: clean({ list: ['a', 'b', 'c'] }),
  },
  {
    of: 'an entry that was replaced, and replaced again',
    before: { list: ['/a/:/'] },
    after: { list: ['/b/:/'] },
    current: { list: ['/c/:/'] },
    out: overlaps('/list'),
  },
  {
    of: 'the order of a list that has a new entry since',
    before: { list: ['a', 'b'] },
    after: { list: ['b', 'a'] },
    current: { list: ['b', 'a', 'c'] },
    out: overlaps('/list'),
  },
  {
    of: 'a list of objects that was changed again',
    before: { l: [{ a: 1 }] },
    after: { l: [{ a: 2 }] },
    current: { l: [{ a: 3 }] },
    out: overlaps('/l'),
  },
  {
    of: 'two fields, one of which was changed again: nothing is guessed',
    before: { a: 1, b: 1 },
    after: { a: 2, b: 2 },
    current: { a: 2, b: 3 },
    out: overlaps('/b'),
  },
  {
    of: 'times that the service sets',
    before: { lastModified: '1' },
    after: { lastModified: '2', a: 1 },
    current: { lastModified: '3', a: 1 },
    out: clean({ lastModified: '3' }),
  },
  { of: 'keys that a pointer escapes', before: { 'a/b': 1 }, after: { 'a/b': 2 }, current: { 'a/b': 3 }, out: overlaps('/a~1b') },
];

describe('Undoing one change', () => {
  test.each(rows)('of $of', ({ before, after, current, out }) => {
    const undone = undoChange(before, after, current);
    expect(undone).toEqual(out);
    expect(sameValue(undone, out), 'the order where it counts').toBe(true);
  });

  test('of the newest version restores the previous state', () => {
    for (const { before, after } of rows) {
      const { lastModified: _time, ...was } = before;
      expect(undoChange(before, after, after)).toMatchObject({ state: 'clean', document: was });
    }
  });
});
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

  test('is found among thousands by reading fewer than thirty of them', async () => {
    const { numbers, load, reads } = versionsOf(5000, [1234]);
    expect(await findLastChange(numbers, 'access', load)).toEqual({ state: 'found', version: 1234 });
    expect(reads.length).toBeLessThan(30);
    expect(await findLastChange(numbers, 'mappings', load)).toEqual({ state: 'none' });
  });

  test('is a failure if a version cannot be read', async () => {
    const failure = { kind: 'unreachable' } as const;
    expect(await findLastChange([2, 1], 'access', async () => ({ state: 'failed', failure }))).toEqual({ state: 'failed', failure });
  });
});

describe('versions', () => {
  test('are each read once, at most four at a time, and not at all if no longer needed', async () => {
    const waiting: (() => void)[] = [];
    const loaded: number[] = [];
    const store = createVersionStore((version) => {
      loaded.push(version);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ state: 'known', value: { version, created: CREATED, data: null } }));
      });
    });
    const releases = [1, 2, 3, 4, 5, 6, 7, 6].map((version) => store.want(version));
    expect(loaded).toEqual([1, 2, 3, 4]);
    releases[4]?.();
    waiting[0]?.();
    await store.load(1);
    expect(loaded).toEqual([1, 2, 3, 4, 7]);
    for (const resolve of waiting) resolve();
    await store.load(7);
    expect(loaded.at(-1)).toBe(6);
    waiting.at(-1)?.();
    await store.load(6);
    expect(loaded).toEqual([1, 2, 3, 4, 7, 6]);
    expect(store.get(5)).toBeUndefined();
    expect(store.get(6)).toBe(store.get(6));
  });

  test('can be read again after a failure', async () => {
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
const entry = (user: string, action: string, site?: string, time = '2026-03-01T10:00:00.000Z'): AuditEntry => ({
  user,
  action,
  time,
  requestId: 'r',
  hash: 'h',
  ...(site === undefined ? {} : { site }),
});

test('A week of changes is grouped by who did what to how many sites, counting each site once, the most sites first', () => {
  const entries = [
    entry('ada', 'set-headers', 'ch-de', '2026-03-02T10:00:00.000Z'),
    ...['ch-de', 'ch-fr', 'at-de'].map((site) => entry('ada', 'set-headers', site)),
    ...['a', 'b'].map((site) => entry('bea', 'rollout/r1', site)),
    entry('bea', 'set-access/admin', 'a'),
    entry('bea', 'delete-site', 'c'),
  ];
  expect(weekActivity(entries, 3)).toEqual([
    { who: 'ada', what: 'part', part: 'headers', count: 3, time: '2026-03-02T10:00:00.000Z' },
    { who: 'bea', what: 'rollout', part: '', count: 2, time: '2026-03-01T10:00:00.000Z' },
    { who: 'bea', what: 'part', part: 'access', count: 1, time: '2026-03-01T10:00:00.000Z' },
  ]);
});

test('A week of changes contains only changes to the configuration of sites', () => {
  const others = ['set-secret', 'delete-version', 'start-sync', 'create-api-key', 'delete-token', 'set-profiles', 'name-version'];
  expect(weekActivity([...others.map((action) => entry('ada', action, 'ch-de')), entry('ada', 'set-user')], 3)).toEqual([]);
});
