import { sql } from 'kysely';
import { type Database, upsert } from '../db/queries.ts';
import type { HostedDocuments } from '../domain/ports.ts';

export function hostedDocuments({ read, change }: Database): HostedDocuments {
  const of = (kind: string, org: string) => sql`org = ${org} and kind = ${kind}`;
  const parsed = (row: { readonly value: string }): unknown => JSON.parse(row.value);
  return {
    async put(kind, org, id, value) {
      await change(upsert('hosted_documents', 'org, kind, id', { org, kind, id, value: JSON.stringify(value) }));
    },
    async get(kind, org, id) {
      const [row] = await read(sql<{ value: string }>`select value from hosted_documents where ${of(kind, org)} and id = ${id}`);
      return row && parsed(row);
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
