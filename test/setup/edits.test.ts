import { expect, test } from 'vitest';
import { addEdits, editsOf, withoutStored } from '#extension/setup/edit-choices.ts';
import { NO_EDITS, withEdits } from '#extension/setup/edits.ts';
import type { Choices } from '#extension/setup/settings.ts';

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

test('What nobody edited follows what is proposed by now', () => {
  const edits = editsOf(proposed, { ...proposed, technicalAccount: 'mine@example.com' });
  const code = { type: 'github', owner: 'wknd', repo: 'theirs' } as const;
  expect(withEdits({ ...proposed, code }, edits)).toEqual({ ...proposed, code, technicalAccount: 'mine@example.com' });
  expect(withEdits(proposed, NO_EDITS)).toEqual(proposed);
});

test('Of a list who was added and who was removed is kept, whatever the case, until it is taken back', () => {
  const without = editsOf(proposed, { ...proposed, administrators: ['ada@example.com'] });
  const added = addEdits(without, editsOf(proposed, { ...proposed, administrators: [...proposed.administrators, 'zoe@example.com'] }));
  const theirs = { ...proposed, administrators: ['Otto@example.com', 'eve@example.com'] };
  expect(withEdits(theirs, added).administrators).toEqual(['eve@example.com', 'zoe@example.com']);
  const back = addEdits(added, { administrators: { added: ['otto@example.com'], removed: ['ZOE@example.com'] } });
  expect(withEdits(theirs, back).administrators).toEqual(['eve@example.com', 'otto@example.com']);
  expect(withEdits(theirs, { administrators: ['ada@example.com'] }).administrators).toEqual(['ada@example.com']);
});

test('A site name that was typed stays, although it is what is proposed once it is read', () => {
  const edits = editsOf(proposed, { ...proposed, siteName: 'other' });
  const again = addEdits(edits, editsOf({ ...proposed, siteName: 'other' }, { ...proposed, siteName: 'other', technicalAccount: '' }));
  expect(withEdits(proposed, withoutStored(again))).toMatchObject({ siteName: 'other', technicalAccount: '' });
});
