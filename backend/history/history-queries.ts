import { type RawBuilder, sql } from 'kysely';
import { MAX_CLOCK_SKEW, insert, type Query, storableText, upsert, type WriteQueries } from '../db/queries.ts';
import { printed } from '../domain/documents.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { entryHash } from './audit/chain.ts';
import type { AuditEntry, LinkedEntry, StoredAuditEntry, Subject, VersionEntry } from './ports.ts';

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
  readonly removed: number;
}

const ENTRY = sql.raw('version, created, name, changed_by, restored_from');

export function versionReads(query: Query): Pick<Reads, 'versions' | 'version' | 'latestVersion'> {
  return {
    async versions(subject, { before = ALL, limit = ALL } = {}) {
      const rows = await query(sql<EntryRow>`select ${ENTRY} from versions where ${isOf(subject)} and removed = 0 and version < ${before}
        order by version desc limit ${limit}`);
      return rows.map(versionEntry);
    },
    async version(subject, version) {
      const [row] = await query(sql<EntryRow & Pick<VersionRow, 'data'>>`select ${ENTRY}, data from versions
        where ${isOf(subject)} and version = ${version} and removed = 0`);
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
    async addVersion({ subject, version, created, name = null, user = null, data, restoredFrom = null, removedUpTo = 0 }) {
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
        removed: 0,
      };
      await must(insert('versions', row));
      if (removedUpTo > 0) await may(sql`delete from versions where ${isOf(subject)} and version <= ${removedUpTo} and name is null`);
    },
    async nameVersion(subject, version, name) {
      await must(sql`update versions set name = ${name ?? null} where ${isOf(subject)} and version = ${version} and removed = 0`);
    },
    // Its number stays, so that it is never reused; the row is deleted with all versions up to it.
    async deleteVersion(subject, version) {
      await must(sql`update versions set removed = 1, name = null, changed_by = null, data = null, restored_from = null
        where ${isOf(subject)} and version = ${version} and removed = 0`);
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

interface LoggedRow {
  readonly org: string;
  readonly site: string | null;
  readonly time: string;
  readonly changed_by: string;
  readonly action: string;
  readonly request_id: string;
  readonly from_version: number | null;
  readonly to_version: number | null;
}

/** `seq` is the position in the organization's chain, from 1; `previous` the hash of the entry before, empty for the first. */
interface AuditRow extends LoggedRow {
  readonly id: number;
  readonly seq: number;
  readonly previous: string | null;
  readonly hash: string | null;
}

/** How many entries an organization has, and the hash of the newest. */
export interface AuditHeadRow {
  readonly org: string;
  readonly entries: number;
  readonly hash: string;
}

export function auditReads(query: Query): Pick<Reads, 'audits' | 'siteAudits' | 'auditHead' | 'auditChain'> {
  const page = async (org: string, condition: RawBuilder<unknown>, { before = LAST_ID, limit }: { before?: number; limit: number }) => {
    const rows = await query(sql<AuditRow>`select * from audit where org = ${org} and ${condition} and id < ${before}
      order by id desc limit ${limit}`);
    return rows.map(storedEntry);
  };
  return {
    audits: (org, { site, since, ...rest }) => {
      const ofSite = site === undefined ? sql`true` : sql`site = ${site}`;
      return page(org, since === undefined ? ofSite : sql`${ofSite} and ${isSince(org, since)}`, rest);
    },
    siteAudits: (org, site, { since, until, ...rest }) =>
      page(org, sql`site = ${site} and ${isSince(org, since)} and ${isUntil(org, until)}`, rest),
    async auditHead(org) {
      const [[head], unchained] = await Promise.all([
        query(sql<AuditHeadRow>`select entries, hash from audit_heads where org = ${org}`),
        query(sql<{ id: number }>`select id from audit where org = ${org} and seq is null order by id limit 1`),
      ]);
      return { entries: head?.entries ?? 0, hash: head?.hash ?? '', unchained: unchained.map(({ id }) => id) };
    },
    async auditChain(org, { after, limit }) {
      const rows = await query(sql<AuditRow>`select * from audit where org = ${org} and seq > ${after} order by seq limit ${limit}`);
      return rows.map(linkedEntry);
    },
  };
}

/**
 * Ids grow with time, except for differences between the clocks of nodes: entries older than a margin have ids below the span, and newer
 * ones above. So a page is found by ids only. (Not from the first entry of a time on: a later id may have an earlier time.)
 */
function isSince(org: string, since: Date) {
  const margin = new Date(since.getTime() - MAX_CLOCK_SKEW).toISOString();
  return sql`time >= ${since.toISOString()} and id > coalesce((select older.id from audit as older where older.org = ${org}
    and older.time < ${margin} order by older.time desc limit 1), 0)`;
}

function isUntil(org: string, until: Date) {
  const lead = new Date(Math.min(until.getTime() + MAX_CLOCK_SKEW, LAST_TIME)).toISOString();
  return sql`time <= ${until.toISOString()} and id < coalesce((select newer.id from audit as newer where newer.org = ${org}
    and newer.time > ${lead} order by newer.time limit 1), ${sql.lit(LAST_ID)})`;
}

function storedEntry(row: AuditRow): StoredAuditEntry {
  const { id, org, site, time, changed_by: user, action, request_id: requestId, from_version: from, to_version: to, hash } = row;
  return {
    id,
    org,
    time: new Date(time),
    user,
    action,
    requestId,
    hash: hash ?? '',
    ...(site !== null && { site }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

/** A row with its position in the chain, not verified yet. */
function linkedEntry(row: AuditRow): LinkedEntry {
  const { id, org, seq, site, time, changed_by: user, action, request_id: requestId, from_version: from, to_version: to } = row;
  return { id, org, seq, site, time, user, action, requestId, from, to, previous: row.previous ?? '', hash: row.hash ?? '' };
}

export function auditWrites({ dialect, rows, may }: WriteQueries): Pick<Writes, 'addAudit'> {
  return {
    async addAudit(entry) {
      const row = entryRow(entry);
      // A trigger of PostgreSQL chains the entries: only the database sees those of all nodes in order.
      if (dialect === 'postgres') return await may(insert('audit', row));
      const [end] = await rows(sql<{ last_id: number | null; entries: number | null; hash: string | null }>`
        select (select seq from sqlite_sequence where name = 'audit') as last_id, heads.entries, heads.hash
        from (select 1) left join audit_heads as heads on heads.org = ${row.org}`);
      const seq = (end?.entries ?? 0) + 1;
      const chained = { id: (end?.last_id ?? 0) + 1, seq, previous: end?.hash ?? '', ...row };
      const hash = entryHash(linkedEntry({ hash: '', ...chained }));
      await may(insert('audit', { hash, ...chained }));
      await may(upsert('audit_heads', 'org', { org: row.org, entries: seq, hash } satisfies AuditHeadRow));
    },
  };
}

/** Texts as they will be read again, because the hash covers what is read. */
function entryRow({ org, site, time, user, action, requestId, from, to }: AuditEntry): LoggedRow {
  return {
    org,
    site: site ?? null,
    time: time.toISOString(),
    changed_by: storableText(user),
    action: storableText(action),
    request_id: storableText(requestId),
    from_version: from ?? null,
    to_version: to ?? null,
  };
}

const LAST_ID = Number.MAX_SAFE_INTEGER;

/** Beyond it the text of a time starts with a sign, and no longer sorts by time. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
