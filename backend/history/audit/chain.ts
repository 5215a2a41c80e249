import type { AuditVerification } from '@repoless/contract/audit.ts';
import { hash } from 'node:crypto';
import { createTimeSlices } from '../../domain/fair-share.ts';
import type { AuditHead, ChainedEntry, HistoryReads, LinkedEntry } from '../ports.ts';

/** The hash of an entry. PostgreSQL computes the same when it chains the entries (db/triggers.ts). */
export function entryHash(entry: ChainedEntry): string {
  const { previous, id, org, seq, site, time, user, action, requestId, from, to } = entry;
  return linked([previous, id, org, seq, site, time, user, action, requestId, from, to]);
}

/** SHA-256 of values, encoded so that different lists never collide. */
export function linked(values: readonly (string | number | null)[]): string {
  return hash('sha256', joined(values), 'hex');
}

/** Values as one text, each preceded by its length in bytes. */
export function joined(values: readonly (string | number | null)[]): string {
  return values.map(part).join(',');
}

function part(value: string | number | null): string {
  if (value === null) return '-';
  const text = String(value);
  return `${Buffer.byteLength(text)}:${text}`;
}

type Broken = NonNullable<AuditVerification['broken']>;

interface VerifiedChain {
  readonly verified: { readonly from: number; readonly to: number };
  readonly hash: string;
  readonly broken?: Broken;
  /** Whether the chain continues after what was verified. */
  readonly continues: boolean;
}

type TrailReads = Pick<HistoryReads, 'auditHead' | 'auditChain'>;

interface Link {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Walks the audit trail of an organization from the entry after `after`, at most `limit` entries, and reports the first that is not as it
 * was written: altered, moved or removed, inserted, or cut off at the end.
 */
export async function verifyChain(
  reads: TrailReads,
  org: string,
  { after = 0, limit = Infinity }: { readonly after?: number; readonly limit?: number } = {},
): Promise<VerifiedChain> {
  // Entries added in the meantime come after this end.
  const head = await reads.auditHead(org);
  let last = await linkBefore(reads, org, after);
  const ended = (broken?: Broken): VerifiedChain => ({
    verified: { from: after + 1, to: last.seq },
    hash: last.hash,
    ...(broken !== undefined && { broken }),
    continues: broken === undefined && last.seq < head.entries,
  });
  const pause = createTimeSlices();
  while (last.seq < head.entries && last.seq - after < limit) {
    const page = await reads.auditChain(org, { after: last.seq, limit: PAGE });
    for (const entry of page) {
      await pause();
      const problem = problemOf(entry, last);
      if (problem !== undefined) return ended(problem);
      last = entry;
      if (last.seq >= head.entries || last.seq - after >= limit) break;
    }
    if (page.length === 0) return ended(missing(last.seq + 1));
  }
  if (last.seq < head.entries) return ended();
  return ended(problemOfEnd(head, last) ?? (await addedBehind(reads, org, head)));
}

async function linkBefore(reads: TrailReads, org: string, after: number): Promise<Link> {
  if (after === 0) return { seq: 0, hash: '' };
  const [entry] = await reads.auditChain(org, { after: after - 1, limit: 1 });
  return { seq: after, hash: entry?.seq === after ? entry.hash : '' };
}

/** Whether an entry follows the one before it, and is unchanged. */
function problemOf(entry: LinkedEntry, last: Link): Broken | undefined {
  const expected = last.seq + 1;
  if (entry.seq !== expected) return missing(expected);
  if (entry.previous === last.hash && entry.hash === entryHash(entry)) return undefined;
  return {
    entry: expected,
    problem: 'altered',
    sentence: `Entry ${expected} was altered or moved.`,
  };
}

function missing(entry: number): Broken {
  return { entry, problem: 'missing', sentence: `Entry ${entry} is missing: it was removed or moved.` };
}

function problemOfEnd({ entries, hash, unchained }: AuditHead, last: Link): Broken | undefined {
  if (last.hash !== hash) return { entry: entries, problem: 'altered', sentence: `Entry ${entries}, the last one, was altered.` };
  return unchained.length === 0 ? undefined : added(entries + 1);
}

/** The end moves together with each entry: an entry after it was not added by the service. */
async function addedBehind(reads: TrailReads, org: string, { entries }: AuditHead): Promise<Broken | undefined> {
  const [behind] = await reads.auditChain(org, { after: entries, limit: 1 });
  if (behind === undefined) return undefined;
  const now = await reads.auditHead(org);
  return behind.seq > now.entries ? added(now.entries + 1) : undefined;
}

function added(entry: number): Broken {
  return { entry, problem: 'added', sentence: `Entry ${entry} does not belong to the audit trail: the service did not add it.` };
}

const PAGE = 1000;
