import { sql } from 'kysely';
import { type BlobPlace, MissingBlob } from '../code/rules/ports.ts';
import { binary, integer, type Row, serial, text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { type Args, type Compile, slot, type Statement } from './statement.ts';

/**
 * Blobs in the database, in parts, so that nobody holds a large one whole to read a range of it. The first part is stored last:
 * with it the blob is there.
 */
export function sqlBlobs(compile: Compile, read: Query, change: Query): BlobPlace {
  const statements = blobStatements(compile);
  const one = async (statement: Statement, args: Args): Promise<Row | undefined> => (await read(statement, args))[0];

  async function size(hash: string): Promise<number | undefined> {
    const row = await one(statements.size, { hash });
    return row === undefined ? undefined : serial(row, 'size');
  }

  async function* stream(hash: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let part = Math.floor(start / PART); part * PART <= end; part += 1) {
      const row = await one(statements.part, { hash, part });
      if (row === undefined) throw new MissingBlob(hash);
      yield binary(row, 'bytes').subarray(Math.max(0, start - part * PART), end + 1 - part * PART);
    }
  }

  return {
    size,
    async write(hash, bytes) {
      if ((await size(hash)) === bytes.length) return;
      for (let part = Math.max(0, Math.ceil(bytes.length / PART) - 1); part >= 0; part -= 1)
        await change(statements.put, { hash, part, size: bytes.length, bytes: bytes.subarray(part * PART, (part + 1) * PART) });
    },
    async read(hash) {
      const length = await size(hash);
      if (length === undefined) throw new MissingBlob(hash);
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(hash, 0, length - 1)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream: (hash, { start, end }) => stream(hash, start, end),
    async *names() {
      for (let [after, part]: [string, number] = ['', 0]; ;) {
        const rows = await read(statements.names, { after, part, limit: PORTION });
        const last = rows.at(-1);
        if (last === undefined) return;
        yield [...new Set(rows.map((row) => text(row, 'hash')))];
        [after, part] = [text(last, 'hash'), integer(last, 'part')];
      }
    },
    async remove(hashes) {
      for (const hash of hashes) await change(statements.remove, { hash });
    },
    // The store ends with its own connections.
    close: async () => undefined,
  };
}

function blobStatements(compile: Compile) {
  const hash = slot<string>('hash');
  const part = slot<number>('part');
  return {
    size: compile('blob-size', (db) => db.selectFrom('code_blobs').select('size').where('hash', '=', hash).where('part', '=', 0)),
    part: compile('blob-part', (db) => db.selectFrom('code_blobs').select('bytes').where('hash', '=', hash).where('part', '=', part)),
    // What is there under this name has the same bytes, unless somebody damaged it.
    put: compile('put-blob-part', (db) =>
      db
        .insertInto('code_blobs')
        .values({ hash, part, size: slot('size'), bytes: slot('bytes') })
        .onConflict((conflict) => conflict.columns(['hash', 'part']).doUpdateSet({ size: slot('size'), bytes: slot('bytes') })),
    ),
    // Parts without a first one are those of a program that was killed.
    names: compile('blob-names', (db) =>
      db
        .selectFrom('code_blobs')
        .select(['hash', 'part'])
        .where(sql<boolean>`(hash, part) > (${slot<string>('after')}, ${part})`)
        .orderBy('hash')
        .orderBy('part')
        .limit(slot<number>('limit')),
    ),
    remove: compile('remove-blob', (db) => db.deleteFrom('code_blobs').where('hash', '=', hash)),
  };
}

const PART = 256 * 1024;
const PORTION = 1000;
