import { difference } from '@repoless/contract/difference.ts';
import fc from 'fast-check';
import { applyPatch, createPatch } from 'rfc6902';
import { expect, it } from 'vitest';

const json = fc
  .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
  .filter((value) => !/"(created|lastModified|__proto__)":/.test(JSON.stringify(value)));

it('applying a difference to one document yields the other', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const patched = structuredClone(before);
      expect(applyPatch(patched, structuredClone(difference(before, after)) as Parameters<typeof applyPatch>[1])).not.toContain(Error);
      expect(patched).toEqual(after);
    }),
  );
});

it('a difference of objects has the library’s operations, in the same order', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      expect(difference(before, after)).toEqual(createPatch(before, after));
    }),
  );
});

it('lists are compared item by item up to a limit, and replaced entirely beyond it', () => {
  const lists = (value: number) =>
    Object.fromEntries(
      Array.from({ length: 110 }, (_, one) => [`list-${one}`, Array.from({ length: 50 }, (_item, other) => value + one * other)]),
    );
  const patch = difference(lists(0), lists(7));
  expect(patch.filter(({ path }) => /^\/list-\d+$/.test(path)).length).toBeGreaterThanOrEqual(108);
  expect(patch.length).toBeLessThan(300);
});
