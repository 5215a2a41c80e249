import { LIMITS } from '@repoless/contract/limits.ts';
import { entryHash, verifyChain } from '@repoless/service/history/audit/chain.ts';
import { expect, it } from 'vitest';
import { turnsDuring } from '../support/loop-delay.ts';
import type { LinkedEntry } from '@repoless/service/history/ports.ts';

function trail(length: number): LinkedEntry[] {
  const entries: LinkedEntry[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const about = { org: 'wknd', site: null, time: '2026-01-01T00:00:00.000Z', user: 'ada@example.com', action: 'look' };
    const entry = { ...about, id: seq, seq, requestId: `request-${seq}`, from: null, to: null, previous: entries.at(-1)?.hash ?? '' };
    entries.push({ ...entry, hash: entryHash(entry) });
  }
  return entries;
}

it('verifying the maximum number of entries of the audit trail yields to the event loop, however fast the storage answers', async () => {
  const entries = trail(LIMITS.verifiedEntries);
  const reads: Parameters<typeof verifyChain>[0] = {
    auditHead: () => Promise.resolve({ entries: entries.length, hash: entries.at(-1)?.hash ?? '', unchained: [] }),
    auditChain: (_org, { after, limit }) => Promise.resolve(entries.slice(after, after + limit)),
  };
  let verified = 0;
  const turns = await turnsDuring(async () => {
    const chain = await verifyChain(reads, 'wknd', { limit: LIMITS.verifiedEntries });
    expect(chain.broken).toBeUndefined();
    verified = chain.verified.to;
  });
  expect(verified).toBe(LIMITS.verifiedEntries);
  expect(turns).toBeGreaterThan(2);
});
