import { sameValue } from '@repoless/contract/json.ts';
import {
  asVariant,
  configurationKind,
  draftOf,
  fieldAt,
  FORMS,
  inheritedOf,
  renamed,
  SECTIONS,
  withMember,
  withSection,
} from '@repoless/core/configuration/configuration-kind.ts';
import { type FormNode, formOf } from '@repoless/core/configuration/form-node.ts';
import { mergeValue, overlaps } from '@repoless/core/history/json-values.ts';
import { HIDDEN, hideCredentials, revealCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const one = { key: 'x-one', value: '1' };
const two = { key: 'x-two', value: '2' };
const prod = { type: 'fastly', host: 'www.example.com', serviceId: 'service', authToken: 'first-token' };

describe('a form', () => {
  test('is generated from the schema, with its limits', () => {
    expect(FORMS.headers).toEqual({
      kind: 'record',
      longestKey: 250,
      value: {
        kind: 'list',
        max: 100,
        item: {
          kind: 'object',
          fields: [
            { name: 'key', isRequired: true, node: { kind: 'text', maxLength: 100 } },
            { name: 'value', isRequired: true, node: { kind: 'text', maxLength: 66_560 } },
          ],
        },
      },
    });
  });

  test('edits as JSON what it has no messages for', () => {
    expect(formOf({ type: 'object', additionalProperties: {} })).toEqual({ kind: 'record', value: { kind: 'json' } });
    expect(formOf({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toEqual({ kind: 'json' });
    expect(formOf({ type: 'integer', minimum: 1, maximum: 5 })).toEqual({ kind: 'number', min: 1, max: 5 });
  });

  test.each(['en', 'de'])('has messages for every field of the contract (%s)', async (locale) => {
    const { form } = await createCatalogues()(locale).read('configuration');
    const places = SECTIONS.flatMap((name) => [...placesOf(name, FORMS[name])]);
    expect(places.length).toBeGreaterThan(60);
    expect([...places].toSorted()).toEqual(Object.keys(form.fields).toSorted());
  });
});

describe('a draft', () => {
  const kind = configurationKind('wknd', 'first');
  const site = { version: 1, code: { repo: 'x' }, headers: { '/**': [one] }, query: { yaml: 'indices: {}' } };

  test('replaces the parts that have a form, and nothing else', () => {
    const draft = withSection(withSection(draftOf(site), 'robots', { txt: 'a' }), 'headers', undefined);
    expect(kind.valueOf(site, draft)).toEqual({ version: 1, code: { repo: 'x' }, query: site.query, robots: { txt: 'a' } });
  });

  test('sends an emptied file for a removed one, because a missing one is preserved', () => {
    expect(kind.valueOf(site, withSection(draftOf(site), 'query', undefined))).toMatchObject({ query: { yaml: '' } });
    expect(kind.valueOf({}, {})).toEqual({});
  });

  test('is merged with what another person stored, field by field, and wins if both changed the same', () => {
    const base = { headers: { '/**': [one] }, robots: { txt: 'a' } };
    const mine = { headers: { '/**': [one], '/mine': [two] }, robots: { txt: 'mine' } };
    const theirs = { headers: { '/**': [one, two], '/theirs': [one] }, robots: { txt: 'theirs' }, folders: { '/a': '/b' } };
    expect(kind.merge(base, mine, theirs)).toEqual({
      headers: { '/**': [one, two], '/theirs': [one], '/mine': [two] },
      robots: { txt: 'mine' },
      folders: { '/a': '/b' },
    });
    expect(mergeValue({ a: 1, b: 2 }, { b: 2 }, { a: 1, b: 3 })).toEqual({ b: 3 });
  });

  test('overlaps if the result depends on which of two changes is merged into the other', () => {
    const leaf = fc.constantFrom<unknown>(1, 2, ['a'], ['b']);
    const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(leaf, fc.dictionary(fc.constantFrom('x', 'y'), leaf)));
    fc.assert(
      fc.property(value, value, value, (base, mine, theirs) => {
        const isEither = sameValue(mergeValue(base, mine, theirs), mergeValue(base, theirs, mine));
        expect(overlaps(base, mine, theirs)).toBe(!isEither);
      }),
    );
  });

  test('reports a changed credential without its value', () => {
    const sentences = JSON.stringify(
      kind.changes({ cdn: { prod } }, { cdn: { prod: { ...prod, authToken: 'second-token', host: 'b.example.com' } } }),
    );
    expect(sentences).toContain(HIDDEN);
    expect(sentences).not.toMatch(/first-token|second-token/);
    expect(kind.changes({ cdn: { prod } }, { cdn: { prod } })).toEqual([expect.objectContaining({ kind: 'same' })]);
  });
});

const draft = { headers: { '/**': [one] }, cdn: { prod }, robots: {} };

test.each([
  ['/headers/~1**/0/value', '/headers/~1**/0/value'],
  ['/headers/~1**/7/value', '/headers/~1**'],
  ['/headers/~1none', '/headers'],
  ['/cdn/prod/type', '/cdn/prod/type'],
  ['/cdn/prod/unknown', '/cdn/prod'],
  ['/robots/txt', '/robots/txt'],
  ['/access/admin', undefined],
  ['', undefined],
])('the field for a problem at %s is %s', (pointer, field) => {
  expect(fieldAt(draft, pointer)).toBe(field);
});

test.each([
  ['a part that the site lacks', undefined, { txt: 'a' }, { txt: 'a' }],
  ['members that it lacks', { '/a': [one] }, { '/a': [one], '/b': [two] }, { '/b': [two] }],
  ['headers that are merged with its own', { '/a': [one] }, { '/a': [two, one] }, { '/a': [two] }],
  ['nothing if it has its own value', { txt: 'mine' }, { txt: 'mine' }, undefined],
  ['nothing of a list that replaces another', [], [], undefined],
])('a site inherits from its profile: %s', (_, own, aggregate, inherited) => {
  expect(inheritedOf(own, aggregate)).toEqual(inherited);
});

describe('credentials', () => {
  test('are hidden when shown, and restored when sent back hidden', () => {
    const shown = hideCredentials({ prod });
    expect(shown).toEqual({ prod: { ...prod, authToken: HIDDEN } });
    expect(revealCredentials(shown, { prod })).toEqual({ prod });
    expect(revealCredentials(shown, undefined)).toEqual({ prod: { type: 'fastly', host: prod.host, serviceId: prod.serviceId } });
    expect(revealCredentials({ prod: { ...prod, authToken: 'new' } }, { prod })).toEqual({ prod: { ...prod, authToken: 'new' } });
  });

  test('are preserved while another kind of CDN is selected', () => {
    const { cdn } = FORMS;
    const node = cdn.kind === 'object' ? cdn.fields.find(({ name }) => name === 'prod')?.node : undefined;
    if (node?.kind !== 'variants') throw new Error('The production CDN has no kinds.');
    const other = asVariant(node, 'cloudflare', prod, prod);
    expect(other).toEqual({ type: 'cloudflare', host: prod.host, plan: '', zoneId: '', apiToken: '' });
    expect(asVariant(node, 'fastly', other, prod)).toEqual(prod);
    expect(asVariant(node, undefined, prod, prod)).toEqual({ host: prod.host });
  });
});

test('an object is removed with its last value, unless it is required', () => {
  expect(withMember({ host: 'a' }, 'host', '', false)).toBeUndefined();
  expect(withMember({ key: 'a' }, 'key', '', true)).toEqual({ key: '' });
  expect(withMember(undefined, 'txt', 'a', false)).toEqual({ txt: 'a' });
});

test('a renamed entry keeps its position', () => {
  expect(
    Object.keys(
      renamed(
        [
          ['/a', 1],
          ['/b', 2],
        ],
        '/a',
        '/c',
      ),
    ),
  ).toEqual(['/c', '/b']);
});

/** Every field of a form, as its messages name it. */
function* placesOf(path: string, node: FormNode): Generator<string> {
  yield path;
  if (node.kind === 'list') yield* placesOf(`${path}/*`, node.item);
  if (node.kind === 'record') yield* placesOf(`${path}/*`, node.value);
  if (node.kind === 'object') for (const field of node.fields) yield* placesOf(`${path}/${field.name}`, field.node);
  if (node.kind === 'variants') {
    const names = node.variants.flatMap((variant) => variant.node.fields);
    yield `${path}/${node.by}`;
    const once = new Map(names.map((field) => [field.name, field.node]));
    for (const [name, inner] of once) yield* placesOf(`${path}/${name}`, inner);
  }
}
