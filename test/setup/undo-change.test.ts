import { sameValue } from '@repoless/contract/json.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { undoChange, type UndoneChange } from '@repoless/core/history/undo-change.ts';
import { describe, expect, test } from 'vitest';

interface Row {
  readonly of: string;
  readonly before: StoredDocument;
  readonly after: StoredDocument;
  readonly present: StoredDocument;
  readonly out: UndoneChange;
}

const clean = (document: StoredDocument): UndoneChange => ({ state: 'clean', document });
const overlaps = (...places: readonly string[]): UndoneChange => ({ state: 'overlaps', places });

const header = (value: string) => [{ key: 'x', value }];

const rows: readonly Row[] = [
  {
    of: 'paths of headers that came to stand in another order',
    before: { headers: { '/b': header('b'), '/**': header('a') } },
    after: { headers: { '/**': header('a'), '/b': header('b') } },
    present: { headers: { '/**': header('a'), '/b': header('b') }, title: 'later' },
    out: clean({ headers: { '/b': header('b'), '/**': header('a') }, title: 'later' }),
  },
  {
    of: 'an order of paths that were changed again',
    before: { headers: { '/b': header('b'), '/**': header('a') } },
    after: { headers: { '/**': header('a'), '/b': header('b') } },
    present: { headers: { '/**': header('c'), '/b': header('b') } },
    out: overlaps('/headers'),
  },
  {
    of: 'a path of headers that was removed: it comes back where it stood',
    before: { headers: { '/**': header('a'), '/a/**': header('b'), '/a': header('c') } },
    after: { headers: { '/**': header('a'), '/a': header('c') } },
    present: { headers: { '/**': header('a'), '/a': header('c'), '/later': header('d') } },
    out: clean({ headers: { '/**': header('a'), '/a/**': header('b'), '/a': header('c'), '/later': header('d') } }),
  },
  { of: 'a field that was set', before: {}, after: { a: 1 }, present: { a: 1, b: 2 }, out: clean({ b: 2 }) },
  { of: 'a field that was changed', before: { a: 1 }, after: { a: 2 }, present: { a: 2, b: 2 }, out: clean({ a: 1, b: 2 }) },
  { of: 'a field that was removed', before: { a: 1 }, after: {}, present: { b: 2 }, out: clean({ a: 1, b: 2 }) },
  { of: 'a field that was changed again', before: { a: 1 }, after: { a: 2 }, present: { a: 3 }, out: overlaps('/a') },
  { of: 'a field that was set anew after it was removed', before: { a: 1 }, after: {}, present: { a: 3 }, out: overlaps('/a') },
  { of: 'a field that was put back already', before: { a: 1 }, after: { a: 2 }, present: { a: 1, b: 2 }, out: { state: 'undone' } },
  {
    of: 'a deeper field, beside later ones',
    before: { a: { x: 1 } },
    after: { a: { x: 2 } },
    present: { a: { x: 2, y: 3 } },
    out: clean({ a: { x: 1, y: 3 } }),
  },
  {
    of: 'a part that was added and then grew',
    before: {},
    after: { a: { x: 1 } },
    present: { a: { x: 1, y: 2 } },
    out: clean({ a: { y: 2 } }),
  },
  {
    of: 'an entry that was added, beside later ones',
    before: { list: ['a'] },
    after: { list: ['a', 'b'] },
    present: { list: ['a', 'b', 'c'] },
    out: clean({ list: ['a', 'c'] }),
  },
  {
    of: 'an entry that was removed: it comes back where it stood',
    before: { list: ['a', 'b'] },
    after: { list: ['b'] },
    present: { list: ['b', 'c'] },
    out: clean({ list: ['a', 'b', 'c'] }),
  },
  {
    of: 'an entry that was replaced, and replaced again',
    before: { list: ['/a/:/'] },
    after: { list: ['/b/:/'] },
    present: { list: ['/c/:/'] },
    out: overlaps('/list'),
  },
  {
    of: 'an order of a list that has another entry since',
    before: { list: ['a', 'b'] },
    after: { list: ['b', 'a'] },
    present: { list: ['b', 'a', 'c'] },
    out: overlaps('/list'),
  },
  {
    of: 'a list of objects that was changed again',
    before: { l: [{ a: 1 }] },
    after: { l: [{ a: 2 }] },
    present: { l: [{ a: 3 }] },
    out: overlaps('/l'),
  },
  {
    of: 'two fields of which one was changed again: nothing is guessed',
    before: { a: 1, b: 1 },
    after: { a: 2, b: 2 },
    present: { a: 2, b: 3 },
    out: overlaps('/b'),
  },
  {
    of: 'times that the service sets',
    before: { lastModified: '1' },
    after: { lastModified: '2', a: 1 },
    present: { lastModified: '3', a: 1 },
    out: clean({ lastModified: '3' }),
  },
  { of: 'keys that a pointer escapes', before: { 'a/b': 1 }, after: { 'a/b': 2 }, present: { 'a/b': 3 }, out: overlaps('/a~1b') },
];

describe('One change is undone', () => {
  test.each(rows)('of $of', ({ before, after, present, out }) => {
    const undone = undoChange(before, after, present);
    expect(undone).toEqual(out);
    expect(sameValue(undone, out), 'the order where it counts').toBe(true);
  });

  test('of the newest version: it is the state before', () => {
    for (const { before, after } of rows) {
      const { lastModified: _time, ...was } = before;
      expect(undoChange(before, after, after)).toMatchObject({ state: 'clean', document: was });
    }
  });
});
