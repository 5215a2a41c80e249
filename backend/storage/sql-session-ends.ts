import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { SessionEndStore } from '#backend/domain/short-lived.ts';
import { serial } from './row.ts';
import type { TellingEngine } from './short-lived.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Tables } from './tables.ts';
import { tellingOfToken } from './telling-of-token.ts';

export function sqlSessionEnds(compile: Compile, { read, change, tell, channel }: TellingEngine): SessionEndStore {
  // Of two that end them at once, and where a clock was set back, each is later than the one before.
  const put = (db: Kysely<Tables>) =>
    db
      .insertInto('session_ends')
      .values({ person: slot<string>('person'), ended: slot<number>('now') })
      .onConflict((conflict) =>
        conflict.column('person').doUpdateSet({
          ended: sql<number>`case when session_ends.ended < excluded.ended then excluded.ended else session_ends.ended + 1 end`,
        }),
      )
      .returning('person as key');
  const statements = {
    end: compile('session-ends-put', (db) => (channel === undefined ? put(db) : tellingOfToken(db, put(db), channel))),
    last: compile('session-ends-last', (db) => db.selectFrom('session_ends').select('ended').where('person', '=', slot<string>('person'))),
  };
  return {
    async last(person) {
      const [row] = await read(statements.last, { person });
      return row === undefined ? 0 : serial(row, 'ended');
    },
    end: (person, now) => tell({ kind: 'token', id: person }, (mark) => change(statements.end, { person, now: now.getTime(), mark })),
  };
}
