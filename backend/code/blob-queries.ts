import { sql } from 'kysely';
import { type Database, listed } from '../db/queries.ts';
import { type BlobPlace, type CondemnedBlobs, MissingBlob } from './rules/ports.ts';

/** Blobs in parts, so that a range of a large one can be read without all of it. The first part is stored last: it completes the blob. */
export function blobPlace({ read, change }: Database): BlobPlace {
  async function size(hash: string): Promise<number | undefined> {
    return (await read(sql<{ size: number }>`select size from code_blobs where hash = ${hash} and part = 0`))[0]?.size;
  }

  async function* stream(hash: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let part = Math.floor(start / PART); part * PART <= end; part += 1) {
      const [row] = await read(sql<{ bytes: Uint8Array }>`select bytes from code_blobs where hash = ${hash} and part = ${part}`);
      if (row === undefined) throw new MissingBlob(hash);
      yield row.bytes.subarray(Math.max(0, start - part * PART), end + 1 - part * PART);
    }
  }

  return {
    size,
    async write(hash, bytes) {
      if ((await size(hash)) === bytes.length) return;
      // A blob stored under this hash has the same bytes, unless it is damaged.
      for (let part = Math.max(0, Math.ceil(bytes.length / PART) - 1); part >= 0; part -= 1)
        await change(sql`insert into code_blobs (hash, part, size, bytes)
          values (${hash}, ${part}, ${bytes.length}, ${bytes.subarray(part * PART, (part + 1) * PART)})
          on conflict (hash, part) do update set size = excluded.size, bytes = excluded.bytes`);
    },
    async read(hash) {
      const length = await size(hash);
      if (length === undefined) throw new MissingBlob(hash);
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(hash, 0, length - 1)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream: (hash, { start, end }) => stream(hash, start, end),
    // Parts without a first one were left by a killed program.
    async *names() {
      for (let [after, part]: [string, number] = ['', 0]; ;) {
        const rows = await read(sql<{ hash: string; part: number }>`select hash, part from code_blobs
          where (hash, part) > (${after}, ${part}) order by hash, part limit ${PORTION}`);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield [...new Set(rows.map(({ hash }) => hash))];
        [after, part] = [last.hash, last.part];
      }
    },
    async remove(hashes) {
      for (const hash of hashes) await change(sql`delete from code_blobs where hash = ${hash}`);
    },
    // Closed with the store's connections.
    close: async () => undefined,
  };
}

const PART = 256 * 1024;
const PORTION = 1000;

/** `taken` is empty, or when a node started to remove the blob. Each call is one statement, or starts with the one that decides. */
export function condemnedBlobs({ read, change, dialect }: Database): CondemnedBlobs {
  // Sorted, so that two nodes do not deadlock on each other's rows.
  const among = (hashes: readonly string[]) => sql`hash in (select value from ${listed(dialect, hashes.toSorted())})`;
  const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
  return {
    async condemn(hashes, now) {
      if (hashes.length === 0) return;
      // "where true" keeps SQLite from parsing "on" as the condition of a join.
      await change(sql`insert into code_condemned (hash, since, taken) select value, cast(${now.toISOString()} as text), ''
        from ${listed(dialect, hashes.toSorted())} where true on conflict do nothing`);
    },
    async rescue(hashes) {
      if (hashes.length === 0) return [];
      await change(sql`delete from code_condemned where taken = '' and ${among(hashes)}`);
      return hashesOf(await read(sql<{ hash: string }>`select hash from code_condemned where taken <> '' and ${among(hashes)}`));
    },
    async due(before, after, limit) {
      return hashesOf(
        await read(sql<{ hash: string }>`select hash from code_condemned where taken = '' and since <= ${before.toISOString()}
          and hash > ${after} order by hash limit ${limit}`),
      );
    },
    async take(hashes, before, now) {
      if (hashes.length === 0) return [];
      return hashesOf(
        await change(sql<{ hash: string }>`update code_condemned set taken = ${now.toISOString()}
          where taken = '' and since <= ${before.toISOString()} and ${among(hashes)} returning hash`),
      );
    },
    async removed(hashes) {
      if (hashes.length > 0) await change(sql`delete from code_condemned where taken <> '' and ${among(hashes)}`);
    },
    async releaseTaken(before) {
      await change(sql`delete from code_condemned where taken <> '' and taken < ${before.toISOString()}`);
    },
  };
}
