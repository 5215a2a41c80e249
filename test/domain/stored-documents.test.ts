import { LIMITS } from '@repoless/contract/limits.ts';
import { storedDocument } from '@repoless/service/domain/documents.ts';
import { expect, it } from 'vitest';

const jsonOf = (name: string, length: number) => JSON.stringify({ name, text: 'x'.repeat(length) });

it('the same JSON gives the same document, which nobody can change', () => {
  const json = jsonOf('one', 10);
  const document = storedDocument<{ name: string }>(json);
  expect(storedDocument(`${json}`)).toBe(document);
  expect(Object.isFrozen(document)).toBe(true);
  expect(storedDocument(jsonOf('other', 10))).not.toBe(document);
});

it('no more than LIMITS.parsedDocuments characters are remembered, and one document of more not at all', () => {
  const first = storedDocument(jsonOf('first', 10));
  const half = Math.floor(LIMITS.parsedDocuments / 2);
  const large = storedDocument(jsonOf('large', half));
  expect([storedDocument(jsonOf('first', 10)) === first, storedDocument(jsonOf('large', half)) === large]).toEqual([true, true]);
  storedDocument(jsonOf('larger', half));
  expect(storedDocument(jsonOf('large', half))).not.toBe(large);
  const largest = storedDocument(jsonOf('largest', LIMITS.parsedDocuments));
  expect(storedDocument(jsonOf('largest', LIMITS.parsedDocuments))).not.toBe(largest);
});
