import type { Kysely } from 'kysely';
import { SECRET_SLOTS } from './row-slots.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Tables } from './tables.ts';
import { must } from './write-set.ts';
import type { EffectStep, WriteSet } from './write-set.ts';

/** Every query that changes secrets. `seen_time`: when the value that a write saw was written. */
export function secretStatements(compile: Compile) {
  const { org, site, name } = SECRET_SLOTS;
  const ofSecret = (db: Kysely<Tables>) =>
    db.updateTable('secrets').set(SECRET_SLOTS).where('org', '=', org).where('site', '=', site).where('name', '=', name);
  const removed = (db: Kysely<Tables>) => db.deleteFrom('secrets').where('org', '=', org).where('site', '=', site).where('name', '=', name);
  return {
    insertSecret: compile('insert-secret', (db) =>
      db
        .insertInto('secrets')
        .values(SECRET_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site', 'name']).doNothing()),
    ),
    updateSecret: compile('update-secret', (db) => ofSecret(db).where('last_modified', '=', slot<string>('seen_time'))),
    putSecret: compile('put-secret', (db) =>
      db
        .insertInto('secrets')
        .values(SECRET_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site', 'name']).doUpdateSet(SECRET_SLOTS)),
    ),
    deleteSecret: compile('delete-secret', (db) => removed(db)),
    deleteSeenSecret: compile('delete-seen-secret', (db) => removed(db).where('last_modified', '=', slot<string>('seen_time'))),
    resealSecret: compile('reseal-secret', (db) =>
      db
        .updateTable('secrets')
        .set({ sealed: SECRET_SLOTS.sealed, digest: SECRET_SLOTS.digest })
        .where('org', '=', org)
        .where('site', '=', site)
        .where('name', '=', name)
        .where('last_modified', '=', SECRET_SLOTS.last_modified)
        .where('sealed', '=', slot<string>('before')),
    ),
    deleteSecretsOfSite: compile('delete-secrets-of-site', (db) =>
      db.deleteFrom('secrets').where('org', '=', slot<string>('org')).where('site', '=', slot<string>('site')),
    ),
  };
}

/** Stores a secret, or removes it, where it still is as it was seen: of two changes of one version the second is decided again. */
export function secretStep(statements: ReturnType<typeof secretStatements>, change: WriteSet['secrets'][number]): EffectStep {
  const { was } = change;
  if (change.kind === 'delete') {
    const { org, site, name } = change;
    if (typeof was !== 'string') return must(statements.deleteSecret, { org, site, name });
    return must(statements.deleteSeenSecret, { org, site, name, seen_time: was });
  }
  if (was === undefined) return must(statements.putSecret, change.row);
  return was === null ? must(statements.insertSecret, change.row) : must(statements.updateSecret, { ...change.row, seen_time: was });
}
