import { entryHash } from '#backend/domain/audit/chain.ts';
import type { LinkedEntry } from '#backend/domain/audit/ports.ts';
import { optionalInteger, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import type { AuditRow, ChainLink } from './write-rows.ts';

/** The hash that belongs to a row of the audit trail. */
export function rowHash(row: AuditRow & Omit<ChainLink, 'hash'>): string {
  const { previous, id, org, seq, site, time, changed_by: user, action, request_id: requestId, from_version: from, to_version: to } = row;
  return entryHash({ previous, id, org, seq, site, time, user, action, requestId, from, to });
}

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
