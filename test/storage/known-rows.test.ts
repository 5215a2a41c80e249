import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { siteDigest } from '@repoless/service/db/digest.ts';
import { createRowBudget } from '@repoless/service/db/row-budget.ts';
import { listedSite, storedSite } from '@repoless/service/db/row.ts';
import type { Row } from '@repoless/service/db/row.ts';

/** A row of a site whose configuration has about so many characters. */
function siteRow({ org = 'acme', site = 'large', characters = 1_700_000, title = 'One' } = {}): Row {
  const mapping = (index: number) => `/content/${site}/page-${index}/${'z'.repeat(250)}:/page-${index}`;
  const mappings = Array.from({ length: Math.ceil(characters / 290) }, (_, index) => mapping(index));
  const row = { org, site, config: JSON.stringify({ name: site, title, public: { paths: { mappings } } }), etag: '"1"', version: 1 };
  return { ...row, digest: siteDigest(row), aggregate: null, aggregate_digest: null };
}

describe('A row that was read before', () => {
  it.each([2000, 300_000, 1_700_000])('gives the same document again, with a configuration of %d characters', (characters) => {
    const document = storedSite(siteRow({ characters }));
    expect(storedSite(siteRow({ characters }))).toBe(document);
    expect([document, document.config, document.aggregate.public].every(Object.isFrozen)).toBe(true);
  });

  it('gives another document once it was changed', () => {
    storedSite(siteRow());
    expect(storedSite(siteRow({ title: 'Two' })).config.title).toBe('Two');
    expect(storedSite(siteRow()).config.title).toBe('One');
  });

  it('is verified again once somebody else wrote in it', () => {
    const row = siteRow();
    storedSite(row);
    expect(() => storedSite({ ...row, config: String(row['config']).replace('One', 'Two') })).toThrow('is damaged');
  });
});

describe('What was read before', () => {
  it('stays known while another organization reads more than there is room for', () => {
    const document = storedSite(siteRow());
    const read = Array.from({ length: 10 }, (_, index) => siteRow({ org: 'flood', site: `site-${index}` }));
    const first = read.map(storedSite)[0];
    expect(storedSite(siteRow())).toBe(document);
    expect(storedSite(read[0] ?? {})).not.toBe(first);
  });

  it('stays known while a list of the same organization reads more than there is room for', () => {
    const document = storedSite(siteRow({ org: 'lister' }));
    const list = Array.from({ length: 10 }, (_, index) => siteRow({ org: 'lister', site: `site-${index}` }));
    list.map(listedSite);
    expect(storedSite(siteRow({ org: 'lister' }))).toBe(document);
    expect(listedSite(siteRow({ org: 'lister' }))).toBe(document);
    expect(listedSite(list.at(-1) ?? {})).not.toBe(listedSite(list.at(-1) ?? {}));
  });

  it('is known to lists that are asked for again, where sites are small', () => {
    const row = siteRow({ org: 'lister', site: 'small', characters: 2000 });
    expect(listedSite({ ...row })).toBe(listedSite({ ...row }));
  });

  it('takes `knownBytes` at the most, half of it for one organization', () => {
    const { budget, left, take } = budgeted();
    const half = LIMITS.knownBytes / 2;
    expect(budget.take('acme', half + 1, () => undefined)).toBeUndefined();
    take('acme', 'one', half - 1);
    take('acme', 'two', 1);
    take('wknd', 'three', half);
    expect(left).toEqual([]);
    take('acme', 'four', 1);
    expect(left).toEqual(['one']);
    take('globex', 'five', half - 2);
    expect(left).toEqual(['one']);
    take('globex', 'six', 1);
    expect(left).toEqual(['one', 'two']);
  });

  it('makes room by what was used longest ago, and gives bytes back once', () => {
    const { left, take } = budgeted();
    const third = Math.floor(LIMITS.knownBytes / 3);
    const [one, two] = [take('a', 'one', third), take('b', 'two', third)];
    take('c', 'three', third);
    one?.use();
    take('d', 'four', third);
    expect(left).toEqual(['two']);
    // It has left already: neither comes it back, nor are its bytes counted again.
    two?.use();
    two?.free();
    one?.free();
    take('e', 'five', third);
    expect(left).toEqual(['two']);
    take('f', 'six', third);
    expect(left).toEqual(['two', 'three']);
  });
});

function budgeted() {
  const budget = createRowBudget(LIMITS.knownBytes);
  const left: string[] = [];
  return { budget, left, take: (org: string, name: string, bytes: number) => budget.take(org, bytes, () => left.push(name)) };
}
