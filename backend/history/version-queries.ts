import { sql } from 'kysely';
import { insert, type Query, type WriteQueries } from '../db/queries.ts';
import { printed } from '../domain/documents.ts';
import type { Reads, Subject, VersionEntry, Writes } from '../domain/ports.ts';

interface EntryRow {
  readonly version: number;
  readonly created: string;
  readonly name: string | null;
  readonly changed_by: string | null;
  /** The version that was restored with this one. */
  readonly restored_from: number | null;
}

/** `item` is the name of the profile or site, and empty for the organization itself; `data` null records the deletion. */
export interface VersionRow extends EntryRow {
  readonly org: string;
  readonly kind: Subject['kind'];
  readonly item: string;
  readonly data: string | null;
  /** 1 if the version was removed: the row has its number, which is never reused. */
  readonly gone: number;
}

const ENTRY = sql.raw('version, created, name, changed_by, restored_from');

export function versionReads(query: Query): Pick<Reads, 'versions' | 'version' | 'latestVersion'> {
  return {
    async versions(subject, { before = ALL, limit = ALL } = {}) {
      const rows = await query(sql<EntryRow>`select ${ENTRY} from versions where ${isOf(subject)} and gone = 0 and version < ${before}
        order by version desc limit ${limit}`);
      return rows.map(versionEntry);
    },
    async version(subject, version) {
      const [row] = await query(sql<EntryRow & Pick<VersionRow, 'data'>>`select ${ENTRY}, data from versions
        where ${isOf(subject)} and version = ${version} and gone = 0`);
      if (row === undefined) return undefined;
      return { ...versionEntry(row), data: row.data === null ? null : (JSON.parse(row.data) as Record<string, unknown>) };
    },
    async latestVersion(subject) {
      const [row] = await query(
        sql<{ version: number }>`select version from versions where ${isOf(subject)} order by version desc limit 1`,
      );
      return row?.version ?? 0;
    },
  };
}

export function versionWrites({ must, may }: WriteQueries): Pick<Writes, 'addVersion' | 'nameVersion' | 'deleteVersion'> {
  return {
    async addVersion({ subject, version, created, name = null, user = null, data, restoredFrom = null, forget = 0 }) {
      const row: VersionRow = {
        org: subject.org,
        kind: subject.kind,
        item: itemOf(subject),
        version,
        created: created.toISOString(),
        name,
        changed_by: user,
        data: data === null ? null : printed(data),
        restored_from: restoredFrom,
        gone: 0,
      };
      await must(insert('versions', row));
      if (forget > 0) await may(sql`delete from versions where ${isOf(subject)} and version <= ${forget} and name is null`);
    },
    async nameVersion(subject, version, name) {
      await must(sql`update versions set name = ${name ?? null} where ${isOf(subject)} and version = ${version} and gone = 0`);
    },
    // Its number stays, so that it is never reused; the row is deleted with all versions up to it.
    async deleteVersion(subject, version) {
      await must(sql`update versions set gone = 1, name = null, changed_by = null, data = null, restored_from = null
        where ${isOf(subject)} and version = ${version} and gone = 0`);
    },
  };
}

function isOf(subject: Subject) {
  return sql`org = ${subject.org} and kind = ${subject.kind} and item = ${itemOf(subject)}`;
}

function itemOf(subject: Subject): string {
  return subject.kind === 'org' ? '' : subject.kind === 'profile' ? subject.profile : subject.site;
}

function versionEntry({ version, created, name, changed_by: user, restored_from: restoredFrom }: EntryRow): VersionEntry {
  return {
    version,
    created: new Date(created),
    ...(name !== null && { name }),
    ...(user !== null && { user }),
    ...(restoredFrom !== null && { restoredFrom }),
  };
}

/** Larger than any version number (both engines use 32 bits), and than their count. */
const ALL = 2_147_483_647;
