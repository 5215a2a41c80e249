import type { Database as Connection } from 'better-sqlite3';
import { MIGRATED, movedMark, movedTo } from '../db/migrate.ts';
import { migrationsIn } from '../db/verify/open-copy.ts';
import { holdAlone } from './hold-database.ts';
import { namedAddress } from './named-place.ts';

/** Marks an embedded database as moved: services and commands refuse it from now on. In: a connection that has it alone, and the address of where it is now. */
export function markMoved(alone: Connection, address: string): void {
  alone.prepare(`insert into ${MIGRATED} (name, applied) values (?, ?)`).run(movedMark(namedAddress(address)), new Date().toISOString());
}

/** Removes the mark. Returns where the database was moved to. Rejects if it was not moved, or if another program has it open. */
export async function unmarkMoved(file: string): Promise<string> {
  const to = movedTo(await migrationsIn(file));
  if (to === undefined) throw new Error(`${file} was not moved.`);
  const alone = holdAlone(file);
  if (alone === undefined) throw new Error(`Another program has ${file} open. Try again when it has ended.`);
  try {
    alone.prepare(`delete from ${MIGRATED} where name = ?`).run(movedMark(to));
  } finally {
    alone.close();
  }
  return to;
}
