import type { AuditVerification } from '@repoless/contract/audit.ts';
import type { Reads } from '../../domain/ports.ts';
import type { AuditHead, LinkedEntry } from './ports.ts';
import { createTimeSlices } from '../../domain/event-loop.ts';
import { entryHash } from './chain.ts';

export type Broken = NonNullable<AuditVerification['broken']>;

export interface VerifiedChain {
  readonly verified: { readonly from: number; readonly to: number };
  readonly hash: string;
  readonly broken?: Broken;
  /** Whether the chain goes on behind what was looked at. */
  readonly goesOn: boolean;
}

type TrailReads = Pick<Reads, 'auditHead' | 'auditChain'>;

interface Link {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Walks the audit trail of an organization from the entry behind `after`, at most `limit` entries, and names the first that is not
 * as it was written: altered, moved or removed, put in, or cut off at the end.
 */
export async function verifyChain(
  reads: TrailReads,
  org: string,
  { after = 0, limit = Infinity }: { readonly after?: number; readonly limit?: number } = {},
): Promise<VerifiedChain> {
  // What is added meanwhile stands behind this end.
  const head = await reads.auditHead(org);
  let last = await linkBefore(reads, org, after);
  const ended = (broken?: Broken): VerifiedChain => ({
    verified: { from: after + 1, to: last.seq },
    hash: last.hash,
    ...(broken !== undefined && { broken }),
    goesOn: broken === undefined && last.seq < head.entries,
  });
  const turn = createTimeSlices();
  while (last.seq < head.entries && last.seq - after < limit) {
    const page = await reads.auditChain(org, { after: last.seq, limit: PAGE });
    for (const entry of page) {
      await turn();
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

/** Whether an entry follows the one before it, and is as it was written. */
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

/** The end is moved together with each entry: one that stands behind it, as it is then, was put there by something else. */
async function addedBehind(reads: TrailReads, org: string, { entries }: AuditHead): Promise<Broken | undefined> {
  const [behind] = await reads.auditChain(org, { after: entries, limit: 1 });
  if (behind === undefined) return undefined;
  const now = await reads.auditHead(org);
  return behind.seq > now.entries ? added(now.entries + 1) : undefined;
}

function added(entry: number): Broken {
  return { entry, problem: 'added', sentence: `Entry ${entry} does not belong to the audit trail: something else put it there.` };
}

const PAGE = 1000;
