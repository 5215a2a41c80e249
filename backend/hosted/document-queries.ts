import { sql } from 'kysely';
import { type Database, insert, upsert } from '../db/queries.ts';
import type { HostedDocuments } from '../domain/ports.ts';

/** The limits, for each organization, of changes whose documents are stored, and of their bytes; who changed what is stored for all. */
const MAX_DOCUMENTS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
const TRAIL = 'audit';
/** Entries are sorted by the digits of their numbers. */
const DIGITS = 12;

/**
 * The documents before and after a change are in separate rows: lists of changes need none of them, and thousands would not fit into
 * memory. Frequent writers displace only their own organization's.
 */
export function hostedDocuments({ read, change }: Database): HostedDocuments {
  const of = (kind: string, org: string) => sql`org = ${org} and kind = ${kind}`;
  const parsed = (row: { readonly value: string }): unknown => JSON.parse(row.value);
  const put = async (kind: string, org: string, id: string, value: object) =>
    void (await change(upsert('hosted_documents', 'org, kind, id', { org, kind, id, value: JSON.stringify(value) })));
  const get = async (kind: string, org: string, id: string): Promise<object | undefined> => {
    const [row] = await read(sql<{ value: string }>`select value from hosted_documents where ${of(kind, org)} and id = ${id}`);
    // Safe: only objects are stored.
    return row && (parsed(row) as object);
  };
  const numbered = (number: number) => String(number).padStart(DIGITS, '0');
  return {
    trail: {
      async add(org, number, value) {
        const row = { org, kind: TRAIL, id: numbered(number), value: JSON.stringify(value) };
        return (await change(sql`${insert('hosted_documents', row)} on conflict (org, kind, id) do nothing returning id`)).length > 0;
      },
      async between(org, { after, before, newestFirst, limit }) {
        const end = Number.isFinite(before) ? sql`and id < ${numbered(before)}` : sql``;
        const order = newestFirst ? sql`desc` : sql`asc`;
        const rows = await read(sql<{ value: string }>`select value from hosted_documents
          where ${of(TRAIL, org)} and id > ${numbered(after)} ${end} order by id ${order} limit ${limit}`);
        return rows.map(parsed);
      },
    },
    async put(kind, org, id, value) {
      if (kind !== 'change') return await put(kind, org, id, value);
      const { before, after, diff, ...facts } = value as { before?: unknown; after?: unknown; diff?: unknown };
      await put(DOCUMENTS, org, id, { before, after, diff });
      await put(kind, org, id, facts);
      const counted = sql`select id, row_number() over newer as place, sum(octet_length(value)) over newer as bytes
        from hosted_documents where ${of(DOCUMENTS, org)} window newer as (order by id desc)`;
      const oldest = sql`select max(id) from (${counted}) as counted where place > ${MAX_DOCUMENTS} or (place > 1 and bytes > ${MAX_BYTES})`;
      await change(sql`delete from hosted_documents where ${of(DOCUMENTS, org)} and id <= (${oldest})`);
    },
    async get(kind, org, id) {
      const facts = await get(kind, org, id);
      return kind === 'change' && facts !== undefined ? { ...facts, ...(await get(DOCUMENTS, org, id)) } : facts;
    },
    async remove(kind, org, id) {
      await change(sql`delete from hosted_documents where ${of(kind, org)} and id = ${id}`);
    },
    async list(kind, org, newest) {
      const limit = newest === undefined ? sql`` : sql`limit ${newest}`;
      const rows = await read(sql<{ value: string }>`select value from hosted_documents where ${of(kind, org)} order by id desc ${limit}`);
      return rows.toReversed().map(parsed);
    },
  };
}

const DOCUMENTS = 'documents';
