import type { AuditVerification } from '#contract/audit.ts';
import type { Reads } from '../ports.ts';
import type { AuditAnchor, AuditHead, AuditSeal, LinkedEntry } from './ports.ts';
import { createTurns } from '../turn.ts';
import { entryHash } from './chain.ts';

export type Broken = NonNullable<AuditVerification['broken']>;

export interface VerifiedChain {
  readonly verified: { readonly from: number; readonly to: number };
  readonly hash: string;
  readonly broken?: Broken;
  /** The entry up to which it is sealed, and since which one it was sealed as it grew; absent where it is not, or not found to be. */
  readonly sealed?: { readonly since: number; readonly entry: number };
  /** What the trail begins behind, where its beginning was removed. */
  readonly removed?: { readonly entry: number; readonly hash: string; readonly time: string };
  /** Whether the chain goes on behind what was looked at. */
  readonly goesOn: boolean;
}

type TrailReads = Pick<Reads, 'auditHead' | 'auditChain' | 'auditSeal' | 'auditAnchor'>;

interface Link {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Walks the audit trail of an organization from the entry behind `after`, at most `limit` entries, and names the first that is not
 * as it was written: altered, moved or removed, put in, or cut off at the end. A trail that was written anew does not fit its seal. One
 * whose beginning was removed is walked from its anchor.
 */
export async function verifyChain(
  reads: TrailReads,
  org: string,
  { after: asked = 0, limit = Infinity }: { readonly after?: number; readonly limit?: number } = {},
): Promise<VerifiedChain> {
  // What was removed stands before what is sealed, that before the end, and what is added meanwhile behind it.
  const anchor = await reads.auditAnchor(org);
  const seal = await reads.auditSeal(org);
  const head = await reads.auditHead(org);
  const after = Math.max(asked, anchor?.entry ?? 0);
  let last = after === anchor?.entry ? { seq: anchor.entry, hash: anchor.hash } : await linkBefore(reads, org, after);
  const ended = (broken?: Broken): VerifiedChain => ({
    verified: { from: after + 1, to: last.seq },
    hash: last.hash,
    ...(broken !== undefined && { broken }),
    ...(anchor !== undefined && { removed: { entry: anchor.entry, hash: anchor.hash, time: anchor.removed } }),
    ...(broken === undefined && seal !== undefined && { sealed: { since: seal.since, entry: seal.entry } }),
    goesOn: broken === undefined && last.seq < head.entries,
  });
  const unfounded = anchor === undefined ? undefined : problemOfAnchor(anchor, seal);
  if (unfounded !== undefined) return ended(unfounded);
  const turn = createTurns();
  while (last.seq < head.entries && last.seq - after < limit) {
    const page = await reads.auditChain(org, { after: last.seq, limit: PAGE });
    for (const entry of page) {
      await turn();
      const problem = problemOf(entry, last) ?? problemOfSeal(seal, entry);
      if (problem?.problem === 'missing') return (await removedMeanwhile(last)) ?? ended(problem);
      if (problem !== undefined) return ended(problem);
      last = entry;
      if (last.seq >= head.entries || last.seq - after >= limit) break;
    }
    if (page.length === 0) return (await removedMeanwhile(last)) ?? ended(missing(last.seq + 1));
  }
  if (last.seq < head.entries) return ended();
  if (seal !== undefined && seal.entry > head.entries) return ended(missing(head.entries + 1));
  return ended(problemOfEnd(head, last) ?? (await addedBehind(reads, org, head)));

  /** Entries that are not there may have been removed since the anchor was read: the walk goes on behind the new one. */
  async function removedMeanwhile({ seq }: Link): Promise<VerifiedChain | undefined> {
    const now = await reads.auditAnchor(org);
    return now !== undefined && now.entry > seq ? verifyChain(reads, org, { after: now.entry, limit }) : undefined;
  }
}

/** Only what is sealed is ever removed, and never the newest sealed entry: the seal lies behind the anchor. */
function problemOfAnchor({ entry, trust }: AuditAnchor, seal: AuditSeal | undefined): Broken | undefined {
  const removed = entry === 1 ? 'Entry 1 is missing' : `Entries 1 to ${entry} are missing`;
  const lost = (sentence: string): Broken => ({ entry: 1, problem: 'missing', sentence: `${removed}, and ${sentence}` });
  switch (trust) {
    case 'forged':
      return lost('the note of their removal was not made by the service.');
    case 'unknown-key':
      return lost(
        'the note of their removal was sealed with a key that is not in the secret key file. Put the key back, and verify again.',
      );
    case 'genuine':
    case 'unchecked':
      if (seal !== undefined && seal.entry > entry) return undefined;
      return {
        entry: entry + 1,
        problem: 'altered',
        sentence: `The seal of the entries from ${entry + 1} on was removed, or an older one put in its place.`,
      };
    default:
      return trust satisfies never;
  }
}

async function linkBefore(reads: TrailReads, org: string, after: number): Promise<Link> {
  if (after === 0) return { seq: 0, hash: '' };
  const [entry] = await reads.auditChain(org, { after: after - 1, limit: 1 });
  return { seq: after, hash: entry?.seq === after ? entry.hash : '' };
}

/** Whether an entry follows the one before it, and is as it was written. */
export function problemOf(entry: LinkedEntry, last: Link): Broken | undefined {
  const expected = last.seq + 1;
  if (entry.seq !== expected) return missing(expected);
  if (entry.previous === last.hash && entry.hash === entryHash(entry)) return undefined;
  return {
    entry: expected,
    problem: 'altered',
    sentence: `Entry ${expected} was altered or moved.`,
  };
}

function problemOfSeal(seal: AuditSeal | undefined, { seq: entry, hash }: LinkedEntry): Broken | undefined {
  if (seal?.entry !== entry) return undefined;
  const altered = (sentence: string): Broken => ({ entry, problem: 'altered', sentence });
  switch (seal.trust) {
    case 'forged':
      return altered(`The seal of entry ${entry} was not made by the service: somebody altered it, and may have written the trail anew.`);
    case 'unknown-key':
      return altered(
        `The seal of entry ${entry} was made with a key that is not in the secret key file. Put the key back, and verify again.`,
      );
    case 'removed':
      return altered(`The seal of entry ${entry} was removed, or an older one put in its place.`);
    case 'genuine':
    case 'unchecked':
      return hash === seal.hash
        ? undefined
        : altered(`Entry ${entry} is not the one that was sealed: the trail up to it was written anew.`);
    default:
      return seal.trust satisfies never;
  }
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
