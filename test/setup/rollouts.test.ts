import type { Rollout } from '@repoless/contract/rollout.ts';
import { replaceVariables } from '@repoless/core/rollouts/edit-variables.ts';
import { EDIT_KINDS, type EditDraft, type EditKind, newDraft, readDraft } from '@repoless/core/rollouts/edit-draft.ts';
import { profileText, readJson, readProfile } from '@repoless/core/rollouts/read-json.ts';
import { ordersOf, progressOf, undoable } from '@repoless/core/rollouts/rollouts-port.ts';
import { describe, expect, test } from 'vitest';

const EXAMPLE = { org: 'wknd', site: 'ch-de', contentRoot: '/content/wknd/ch/de', country: 'ch', language: 'de' };

function draft(kind: EditKind, values: Partial<EditDraft['values']> = {}): EditDraft {
  const empty = newDraft(1, kind);
  return { ...empty, values: { ...empty.values, ...values } };
}

describe('an edit in a form', () => {
  test.each([
    [
      'header',
      { name: ' x-from ', value: '{site}' },
      { op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site}' }, by: 'key' },
    ],
    ['headerRemoved', { name: 'x-from' }, { op: 'remove', path: '/headers/~1**', value: { key: 'x-from' }, by: 'key' }],
    ['headerRemoved', { pattern: '/a' }, { op: 'remove', path: '/headers/~1a' }],
    ['member', { member: 'ada@example.com' }, { op: 'add', path: '/access/admin/role/admin', value: 'ada@example.com' }],
    [
      'memberRemoved',
      { role: 'author', member: '{language}@example.com' },
      { op: 'remove', path: '/access/admin/role/author', value: '{language}@example.com' },
    ],
    [
      'mapping',
      { content: '{contentRoot}/shop/', public: '/shop/' },
      { op: 'add', path: '/public/paths/mappings', value: '{contentRoot}/shop/:/shop/' },
    ],
    ['mappingRemoved', {}, { op: 'remove', path: '/public/paths/mappings', value: '{contentRoot}/:/' }],
    ['profile', { profile: 'shared' }, { op: 'set', path: '/extends/profile', value: 'shared' }],
    ['other', { pointer: '/public/shop', json: '{"id": 1}' }, { op: 'set', path: '/public/shop', value: { id: 1 } }],
    ['other', { pointer: '/public/shop', action: 'remove' }, { op: 'remove', path: '/public/shop' }],
    ['other', { pointer: '/robots/txt', action: 'remove', json: '1' }, { op: 'remove', path: '/robots/txt', value: 1 }],
  ] as const)('of the kind %s is an edit of the contract: %o', (kind, values, edit) => {
    expect(readDraft(draft(kind, values), EXAMPLE)).toEqual({ edit });
  });

  test.each([
    ['header', {}, ['name', 'value']],
    ['header', { pattern: 'a b', name: 'x y', value: '日' }, ['pattern', 'name', 'value']],
    ['header', { name: 'connection', value: 'close' }, ['name']],
    ['member', {}, ['member']],
    ['member', { member: 'no address' }, ['member']],
    ['mapping', { content: 'content', public: 'shop' }, ['content', 'public']],
    ['profile', {}, ['profile']],
    ['profile', { profile: 'a b' }, ['profile']],
    ['other', {}, ['pointer', 'json']],
    ['other', { pointer: '/cdn/prod', json: '{}' }, ['pointer']],
    ['other', { pointer: 'public', json: '{' }, ['json']],
  ] as const)('of the kind %s with %o is invalid in the fields %o', (kind, values, fields) => {
    expect(Object.keys(readDraft(draft(kind, values), EXAMPLE).problems ?? {})).toEqual(fields);
  });

  test('is checked with the variables of the example, and only by the service if they have no value', () => {
    const values = { content: '{contentRoot}/{country}', public: '/{country}' };
    expect(readDraft(draft('mapping', values), EXAMPLE).problems).toBeUndefined();
    expect(readDraft(draft('mapping', values), { org: 'wknd', site: 'plain' }).problems).toBeUndefined();
    expect(readDraft(draft('mapping', { content: '{{site}}' }), EXAMPLE).problems).toHaveProperty('content');
  });

  test('of every kind starts incomplete, except the root mapping', () => {
    const complete = EDIT_KINDS.filter((kind) => readDraft(newDraft(1, kind), EXAMPLE).edit !== undefined);
    expect(complete).toEqual(['headerRemoved', 'mapping', 'mappingRemoved']);
  });
});

describe('a JSON text', () => {
  test.each([
    ['', 1],
    ['{\n  "a": 1,\n}', 3],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": [1, 2,\n  "b": 2\n}', 3],
    ['{\n  "a": "one\ntwo"\n}', 2],
    ['{\n  a: 1\n}', 2],
    ['{\n  "a": \'b\'\n}', 2],
    ['{\n  "a": 01\n}', 2],
    ['{"a": 1}\n}', 2],
    ['{\n  "a": {\n    "b": [true]\n  }\n', 5],
    ['[1\n,\n,2]', 3],
  ])('that is invalid is reported with its line: %j', (text, line) => {
    expect(readJson(text)).toEqual({ state: 'broken', line });
  });

  test.each(['null', ' [ ] ', '{"a": {"b": [1, -2.5e3, "\\u00e9\\n", {}]}, "c": false}'])('that is valid is parsed: %s', (text) => {
    expect(readJson(text)).toEqual({ state: 'read', value: JSON.parse(text) });
  });
});

test('a profile that is edited as text contains nothing that the service sets, and is parsed as the contract requires', () => {
  const text = profileText({ version: 1, name: 'shared', created: 'x', lastModified: 'y', headers: {} });
  expect(JSON.parse(text)).toEqual({ headers: {} });
  expect(readProfile(text)).toEqual({ state: 'read', config: { headers: {} } });
  expect(readProfile('{"robot": {}}')).toMatchObject({ state: 'refused' });
  expect(readProfile('{\n')).toEqual({ state: 'broken', line: 2 });
});

describe('the progress of a rollout', () => {
  const rollout = (more: Partial<Rollout>): Rollout => ({
    id: 'a',
    title: 'A',
    state: 'running',
    waves: [1, '100%'],
    wave: 1,
    total: 10,
    sites: { waiting: 4, changed: 5, refused: 1 },
    worse: 0,
    started: '2026-01-01T00:00:00.000Z',
    startedBy: 'ada@example.com',
    ...more,
  });

  test.each([
    [{ state: 'running' }, ['stop']],
    [{ state: 'stopped' }, ['resume', 'undo']],
    [{ state: 'stopped', stopped: { reason: 'profile-changed' }, profile: 'shared', sites: { waiting: 10 } }, ['undo']],
    [{ state: 'stopped', sites: { waiting: 10 } }, ['resume']],
    [{ state: 'done' }, ['undo']],
    [{ state: 'done', sites: { changed: 10 } }, ['undo']],
    [{ state: 'done', sites: { unchanged: 10 } }, []],
    [{ state: 'undoing' }, []],
    [{ state: 'undone' }, []],
    [{ state: 'stopped', stopped: { reason: 'blocked', undoing: true } }, ['undo']],
  ] as const)('%o allows the commands %o', (more, orders) => {
    expect(ordersOf(rollout(more as Partial<Rollout>))).toEqual(orders);
  });

  test('counts sites up, and down during an undo', () => {
    expect(progressOf(rollout({}))).toEqual({ done: 6, of: 10 });
    expect(undoable(rollout({}))).toBe(5);
    expect(progressOf(rollout({ state: 'undoing', sites: { undone: 2, kept: 1, changed: 2, refused: 5 } }))).toEqual({ done: 3, of: 5 });
    const stopped = { state: 'stopped', stopped: { reason: 'blocked', undoing: true }, stuck: 2 } as const;
    expect(progressOf(rollout({ ...stopped, sites: { undone: 3, changed: 2 } }))).toEqual({ done: 3, of: 5 });
  });
});

test.each([
  ['{site}', 'ch-de'],
  ['{{site}}', '{site}'],
  ['{site}}', 'ch-de}'],
  ['{{site}', '{ch-de'],
  ['{{{site}}}', '{{site}}'],
  ['{"a": {"b": "{site}"}}', '{"a": {"b": "ch-de"}}'],
  ['{a-b} {} { site }', '{a-b} {} { site }'],
])('the text %s is %s for the site', (text, filled) => {
  expect(replaceVariables(text, (name) => (name === 'site' ? 'ch-de' : '?'))).toBe(filled);
});
