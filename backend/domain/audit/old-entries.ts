import type { LinkedEntry } from './ports.ts';
import type { Reads } from '../ports.ts';
import { problemOf } from './verify-chain.ts';

/**
 * The entries from the beginning of a trail that may be removed, in their order: those before the first that is not older than `before`, and before the
 * newest that is sealed, which always stays. Rejects with a sentence at one that is not as it was written.
 */
export async function* oldEntries(
  reads: Pick<Reads, 'auditAnchor' | 'auditSeal' | 'auditChain'>,
  org: string,
  before: Date,
): AsyncGenerator<LinkedEntry> {
  const anchor = await reads.auditAnchor(org);
  const seal = await reads.auditSeal(org);
  let last = { seq: anchor?.entry ?? 0, hash: anchor?.hash ?? '' };
  for (;;) {
    const page = await reads.auditChain(org, { after: last.seq, limit: PAGE });
    for (const entry of page) {
      if (seal === undefined || entry.seq >= seal.entry) return;
      const problem = problemOf(entry, last);
      if (problem !== undefined) throw new Error(`The audit trail of "${org}" was altered. ${problem.sentence}`);
      if (!(Date.parse(entry.time) < before.getTime())) return;
      yield entry;
      last = entry;
    }
    if (page.length === 0) return;
  }
}

const PAGE = 1000;
