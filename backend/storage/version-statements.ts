import { VERSION_SLOTS } from './row-slots.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const ORG = slot<string>('org');
const KIND = slot<string>('kind');
const ITEM = slot<string>('item');
const VERSION = slot<number>('version');

/** Every query that changes versions. */
export function versionStatements(compile: Compile) {
  return {
    addVersion: compile('add-version', (db) => db.insertInto('versions').values(VERSION_SLOTS)),
    forgetVersions: compile('forget-versions', (db) =>
      db
        .deleteFrom('versions')
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '<=', slot<number>('forget'))
        .where('name', 'is', null),
    ),
    nameVersion: compile('name-version', (db) =>
      db
        .updateTable('versions')
        .set({ name: slot<string>('name') })
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', VERSION)
        .where('gone', '=', 0),
    ),
    // Its number stays, so that it is never given again; the row goes when versions up to it are forgotten.
    deleteVersion: compile('delete-version', (db) =>
      db
        .updateTable('versions')
        .set({ gone: 1, name: null, changed_by: null, data: null, restored_from: null })
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', VERSION)
        .where('gone', '=', 0),
    ),
  };
}
