import type { Reads, StoredAuditEntry, VersionData, VersionEntry } from '#backend/domain/ports.ts';
import type { ReadStatements } from './read-statements.ts';
import { document, integer, optionalInteger, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import type { Query } from './sql-reads.ts';
import { subjectKey } from './write-rows.ts';

/** The versions of subjects, and the audit trail. */
export function historyReads(statements: ReadStatements, query: Query): Pick<Reads, 'versions' | 'version' | 'latestVersion' | 'audits'> {
  return {
    async versions(subject, { before = ALL, limit = ALL } = {}) {
      return (await query(statements.versions, { ...subjectKey(subject), before, limit })).map(versionEntry);
    },
    async version(subject, version) {
      const [row] = await query(statements.version, { ...subjectKey(subject), version });
      return row === undefined ? undefined : versionData(row);
    },
    async latestVersion(subject) {
      const [row] = await query(statements.latestVersion, subjectKey(subject));
      return row === undefined ? 0 : integer(row, 'version');
    },
    async audits(org, { site, since, before = Number.MAX_SAFE_INTEGER, limit }) {
      const [all, late] =
        site === undefined ? [statements.audits, statements.auditsSince] : [statements.siteAudits, statements.siteAuditsSince];
      const page = { org, before, limit, ...(site === undefined ? {} : { site }) };
      if (since === undefined) return (await query(all, page)).map(auditEntry);
      const margin = new Date(since.getTime() - CLOCKS_APART).toISOString();
      return (await query(late, { ...page, since: since.toISOString(), margin })).map(auditEntry);
    },
  };
}

function versionEntry(row: Row): VersionEntry {
  const name = optionalText(row, 'name');
  const user = optionalText(row, 'changed_by');
  return {
    version: integer(row, 'version'),
    created: new Date(text(row, 'created')),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
  };
}

function versionData(row: Row): VersionData {
  const data = optionalText(row, 'data');
  return { ...versionEntry(row), data: data === undefined ? null : document<Record<string, unknown>>(data) };
}

function auditEntry(row: Row): StoredAuditEntry {
  const site = optionalText(row, 'site');
  const from = optionalInteger(row, 'from_version');
  const to = optionalInteger(row, 'to_version');
  return {
    id: serial(row, 'id'),
    org: text(row, 'org'),
    ...(site === undefined ? {} : { site }),
    time: new Date(text(row, 'time')),
    user: text(row, 'changed_by'),
    action: text(row, 'action'),
    requestId: text(row, 'request_id'),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** More than any number of a version (both engines count them in 32 bits), and than there are. */
const ALL = 2_147_483_647;
/** The clocks of two nodes never differ by more: an hour. */
const CLOCKS_APART = 3_600_000;
