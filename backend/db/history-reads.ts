import type { LinkedEntry, StoredAuditEntry } from '../history/audit/ports.ts';
import type { Reads, VersionData, VersionEntry } from '../domain/ports.ts';
import { CLOCKS_APART } from './clocks-apart.ts';
import { subjectKey } from './write-rows.ts';
import type { ReadStatements } from './read-statements.ts';
import { document, integer, optionalInteger, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import type { Query } from './sql-reads.ts';

/** The versions of subjects, and the audit trail. */
export function historyReads(
  statements: ReadStatements,
  query: Query,
): Pick<Reads, 'versions' | 'version' | 'latestVersion' | 'audits' | 'siteAudits' | 'auditHead' | 'auditChain'> {
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
    async auditHead(org) {
      const [[head], unchained] = await Promise.all([query(statements.auditHead, { org }), query(statements.unchainedAudits, { org })]);
      const end = head === undefined ? { entries: 0, hash: '' } : { entries: serial(head, 'entries'), hash: text(head, 'hash') };
      return { ...end, unchained: unchained.map((row) => serial(row, 'id')) };
    },
    async auditChain(org, { after, limit }) {
      return (await query(statements.auditChain, { org, after, limit })).map(linkedEntry);
    },
    async audits(org, { site, since, before = Number.MAX_SAFE_INTEGER, limit }) {
      const [all, late] =
        site === undefined ? [statements.audits, statements.auditsSince] : [statements.siteAudits, statements.siteAuditsSince];
      const page = { org, before, limit, ...(site === undefined ? {} : { site }) };
      if (since === undefined) return (await query(all, page)).map(auditEntry);
      const margin = new Date(since.getTime() - CLOCKS_APART).toISOString();
      return (await query(late, { ...page, since: since.toISOString(), margin })).map(auditEntry);
    },
    async siteAudits(org, site, { since, until, before = Number.MAX_SAFE_INTEGER, limit }) {
      const margin = new Date(since.getTime() - CLOCKS_APART).toISOString();
      const lead = new Date(Math.min(until.getTime() + CLOCKS_APART, LAST_TIME)).toISOString();
      const span = { since: since.toISOString(), until: until.toISOString(), margin, lead };
      return (await query(statements.siteAuditsWithin, { org, site, before, limit, ...span })).map(auditEntry);
    },
  };
}

function versionEntry(row: Row): VersionEntry {
  const name = optionalText(row, 'name');
  const user = optionalText(row, 'changed_by');
  const restoredFrom = optionalInteger(row, 'restored_from');
  return {
    version: integer(row, 'version'),
    created: new Date(text(row, 'created')),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
    ...(restoredFrom === undefined ? {} : { restoredFrom }),
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
    hash: optionalText(row, 'hash') ?? '',
    requestId: text(row, 'request_id'),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** More than any number of a version (both engines count them in 32 bits), and than there are. */
const ALL = 2_147_483_647;
/** Beyond it the text of a time begins with a sign, and no longer sorts by time. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A row with its place in the chain, as it is read; nothing of it is trusted yet. */
export function linkedEntry(row: Row): LinkedEntry {
  return {
    id: serial(row, 'id'),
    org: text(row, 'org'),
    seq: serial(row, 'seq'),
    site: optionalText(row, 'site') ?? null,
    time: text(row, 'time'),
    user: text(row, 'changed_by'),
    action: text(row, 'action'),
    requestId: text(row, 'request_id'),
    from: optionalInteger(row, 'from_version') ?? null,
    to: optionalInteger(row, 'to_version') ?? null,
    previous: optionalText(row, 'previous') ?? '',
    hash: optionalText(row, 'hash') ?? '',
  };
}
