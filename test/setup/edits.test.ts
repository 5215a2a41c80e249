import { addEdits, editsOf, NO_EDITS, withEdits, withoutStored } from '@repoless/core/plan/choices.ts';
import type { Choices } from '@repoless/core/situation/situation.ts';
import { expect, test } from 'vitest';

const proposed: Choices = {
  organization: 'wknd',
  siteName: 'summit',
  configurationPage: '/content/summit/configuration',
  code: { type: 'github', owner: 'wknd', repo: 'wknd' },
  administrators: ['ada@example.com', 'otto@example.com'],
  technicalAccount: 'account@example.com',
  mappings: ['/content/summit/:/'],
  includes: ['/content/summit/'],
};

test('What nobody edited follows what is proposed now', () => {
  const edits = editsOf(proposed, { ...proposed, technicalAccount: 'mine@example.com' });
  const code = { type: 'github', owner: 'wknd', repo: 'theirs' } as const;
  expect(withEdits({ ...proposed, code }, edits)).toEqual({ ...proposed, code, technicalAccount: 'mine@example.com' });
  expect(withEdits(proposed, NO_EDITS)).toEqual(proposed);
});

test('Additions to a list and removals from it are kept in any spelling, until they are reverted', () => {
  const without = editsOf(proposed, { ...proposed, administrators: ['ada@example.com'] });
  const added = addEdits(
    without,
    editsOf(proposed, { ...proposed, administrators: [...proposed.administrators, 'zoe@example.com'] }),
    proposed.administrators,
  );
  const theirs = { ...proposed, administrators: ['Otto@example.com', 'eve@example.com'] };
  expect(withEdits(theirs, added).administrators).toEqual(['eve@example.com', 'zoe@example.com']);
  const back = addEdits(added, { administrators: { added: ['otto@example.com'], removed: ['ZOE@example.com'] } }, theirs.administrators);
  expect(withEdits(theirs, back).administrators).toEqual(theirs.administrators);
  expect(withEdits(theirs, { administrators: ['ada@example.com'] }).administrators).toEqual(['ada@example.com']);
});

test('A site name that was typed stays, although it is what is proposed once it is read', () => {
  const edits = editsOf(proposed, { ...proposed, siteName: 'other' });
  const again = addEdits(
    edits,
    editsOf({ ...proposed, siteName: 'other' }, { ...proposed, siteName: 'other', technicalAccount: '' }),
    proposed.administrators,
  );
  expect(withEdits(proposed, withoutStored(again))).toMatchObject({ siteName: 'other', technicalAccount: '' });
});

test('Who was added by mistake and taken out again is nobody’s edit, unless somebody else has added them by then', () => {
  const [eve, otto] = ['eve@example.com', 'Otto@example.com'];
  const added = addEdits(NO_EDITS, { administrators: { added: [eve], removed: [] } }, proposed.administrators);
  const out = addEdits(added, { administrators: { added: [], removed: [eve] } }, proposed.administrators);
  const theirs = { ...proposed, administrators: [...proposed.administrators, eve] };
  expect(withEdits(theirs, out).administrators).toEqual(theirs.administrators);
  const removed = addEdits(added, { administrators: { added: [], removed: [eve] } }, theirs.administrators);
  expect(withEdits(theirs, removed).administrators).toEqual(proposed.administrators);

  const without = addEdits(NO_EDITS, { administrators: { added: [], removed: [otto] } }, proposed.administrators);
  const back = addEdits(without, { administrators: { added: [otto], removed: [] } }, proposed.administrators);
  const leftOut = { ...proposed, administrators: ['ada@example.com'] };
  expect(withEdits(leftOut, back).administrators).toEqual(['ada@example.com']);
  const again = addEdits(without, { administrators: { added: [otto], removed: [] } }, leftOut.administrators);
  expect(withEdits(leftOut, again).administrators).toEqual(['ada@example.com', otto]);
});
