import { LIMITS } from '@repoless/contract/limits.ts';
import { storedDocument } from '@repoless/service/domain/documents.ts';
import { expect, it, describe, test } from 'vitest';
import { createChangeAwareCache } from '@repoless/service/domain/change-aware-cache.ts';
import type { RepositoryAvailability } from '@repoless/service/code/rules/ports.ts';
import { createCodeSources } from '@repoless/service/remote/code-sources.ts';

const jsonOf = (name: string, length: number) => JSON.stringify({ name, text: 'x'.repeat(length) });

it('the same JSON gives the same document, which is frozen', () => {
  const json = jsonOf('one', 10);
  const document = storedDocument<{ name: string }>(json);
  expect(storedDocument(`${json}`)).toBe(document);
  expect(Object.isFrozen(document)).toBe(true);
  expect(storedDocument(jsonOf('other', 10))).not.toBe(document);
});

it('at most LIMITS.parsedDocuments characters are cached, and no larger document', () => {
  const first = storedDocument(jsonOf('first', 10));
  const half = Math.floor(LIMITS.parsedDocuments / 2);
  const large = storedDocument(jsonOf('large', half));
  expect([storedDocument(jsonOf('first', 10)) === first, storedDocument(jsonOf('large', half)) === large]).toEqual([true, true]);
  storedDocument(jsonOf('larger', half));
  expect(storedDocument(jsonOf('large', half))).not.toBe(large);
  const largest = storedDocument(jsonOf('largest', LIMITS.parsedDocuments));
  expect(storedDocument(jsonOf('largest', LIMITS.parsedDocuments))).not.toBe(largest);
});
describe('a briefly cached value', () => {
  it('is read again after a change, after a second, and if the clock was set back', async () => {
    let [reads, time] = [0, 10_000];
    const cache = createChangeAwareCache({ now: () => new Date(time), read: () => Promise.resolve((reads += 1)) });
    expect([await cache.get('token'), await cache.get('token')]).toEqual([1, 1]);
    cache.invalidate('token');
    expect(await cache.get('token')).toBe(2);
    time += 999;
    expect(await cache.get('token')).toBe(2);
    time += 1;
    expect(await cache.get('token')).toBe(3);
    time -= 5000;
    expect(await cache.get('token')).toBe(4);
  });
});
test('a repository that was found remains cached while many others are requested', async () => {
  const found: RepositoryAvailability = { repository: 'found', detail: 'It is there.' };
  const sources = createCodeSources({
    codeHost: { repository: async () => found, head: async () => undefined, probe: async () => ({ ...found, branch: 'found' }) },
    buildManagement: { address: undefined, key: undefined },
    remote: { send: () => Promise.reject(new Error('No request is sent here.')), close: async () => undefined },
    now: () => new Date(0),
  });
  const repository = (index: number) => ({ org: 'acme', type: 'github' as const, owner: 'acme', repo: `code-${index}` });
  for (let index = 0; index < 1_500; index += 1) await sources.repository(repository(index));
  for (let index = 501; index < 1_500; index += 1) expect(sources.wasFound(repository(index)), `code-${index}`).toBe(true);
});
