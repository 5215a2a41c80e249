import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { REPOSITORY_SECRET, type SealedValue } from '@repoless/contract/secret.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import { setImmediate } from 'node:timers/promises';
import type { Reads } from '../domain/ports.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { byogitCalls, type ByogitOrigin, byogitSnapshot } from './byogit-snapshot.ts';
import { type GitServices, gitSnapshot, branchOf, listBranches, reachRepository } from './git-snapshot.ts';
import { originOf, shareOfOrigin } from './rules/code-origin.ts';
import type { BranchProbe, BranchState, CodeOrigin } from './rules/ports.ts';
import { SourceMissing, type Snapshot, type SyncContext, SyncProblem, TransientError } from './snapshot.ts';

export interface SnapshotServices extends GitServices {
  readonly reads: Pick<Reads, 'secretHolder' | 'secret' | 'site'>;
  readonly box: SecretBox;
}

export async function openSnapshot(
  services: SnapshotServices,
  origin: CodeOrigin,
  requested: { readonly ref: string; readonly branch: string },
  context: SyncContext,
): Promise<Snapshot> {
  switch (origin.type) {
    case 'github':
      return await gitSnapshot(services, origin, requested, context);
    case 'byogit':
      return await byogitSnapshot(services, origin, requested.branch, await secretOf(services, origin), context);
    default:
      return origin satisfies never;
  }
}

/**
 * The secret of an external repository, opened for this one sync. It is sent only to the addresses that its holder has set: another site
 * with different addresses for the same repository gets nothing. No other secret of the holder is ever sent, whatever the code source names
 * (docs/contract.md 3.7).
 */
async function secretOf({ reads, box }: SnapshotServices, origin: ByogitOrigin): Promise<SealedValue | undefined> {
  const holder = await reads.secretHolder(origin.org, origin.repository);
  if (holder === undefined) return undefined;
  const site = await reads.site(holder.org, holder.site);
  if (originOf(holder.org, site?.aggregate.code)?.key !== origin.key) {
    throw new SyncProblem(codeSentence('addressesDiffer', { site: `${holder.org}/${holder.site}` }));
  }
  const { secretId = REPOSITORY_SECRET } = externalSource(site?.aggregate.code) ?? {};
  if (secretId !== REPOSITORY_SECRET)
    throw new SyncProblem(codeSentence('secretOther', { name: secretId, secret: REPOSITORY_SECRET, _secret: REPOSITORY_SECRET }));
  const stored = await reads.secret(holder.org, holder.site, REPOSITORY_SECRET);
  if (stored === undefined) return undefined;
  try {
    return box.open(stored.sealed, stored);
  } catch (cause) {
    const data = { secret: REPOSITORY_SECRET, site: `${holder.org}/${holder.site}` };
    throw new SyncProblem(codeSentence('secretUnreadable', data), { cause });
  }
}

/** Checks once whether a repository has a branch, for a few seconds at most. */
export function branchProbe(services: SnapshotServices): BranchProbe {
  return async (origin, branch) => {
    const signal = AbortSignal.timeout(LIMITS.probeTime);
    try {
      return await Promise.race([probe(services, origin, branch, signal), aborted(signal)]);
    } catch (error) {
      if (signal.aborted) {
        const { host } = new URL(origin.type === 'github' ? services.settings.codeHost : origin.url);
        return { state: 'unreachable', sentence: codeSentence('hostSlow.limit', { host, _seconds: LIMITS.probeTime / 1000 }) };
      }
      if (error instanceof SourceMissing) return { state: 'missing', sentence: error.answer };
      if (error instanceof SyncProblem) return { state: 'refused', sentence: error.message };
      if (error instanceof TransientError) return { state: 'unreachable', sentence: error.message };
      throw error;
    }
  };
}

async function probe(
  services: SnapshotServices,
  origin: CodeOrigin,
  { ref, branch }: { readonly ref: string; readonly branch: string },
  signal: AbortSignal,
): ReturnType<BranchProbe> {
  if (origin.type === 'github') {
    const branches = await listBranches(services, origin, await reachRepository(services, origin), signal);
    branchOf(branches, origin, { ref, branch });
    return { state: 'found' };
  }
  const context = { signal, waiting: () => undefined, attempts: 1 };
  const calls = byogitCalls(services, origin, await secretOf(services, origin), context);
  return { state: 'found', sha: (await calls.commit(branch)).sha };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Out of time.')), { once: true }));
}

interface OpenQueries {
  /** Queries of this repository that are waiting or in progress. */
  open: number;
  /** The newest query at the time when the repository was last found unreachable, and the answer. */
  unreachable?: { readonly upTo: number; readonly answer: BranchState };
}

/**
 * Queues the probes. If a repository is found unreachable while other probes of it wait, they get that answer; later ones probe it again.
 */
export function shareUnreachable(probe: BranchProbe, enqueue: <T>(share: string, work: () => Promise<T>) => Promise<T>): BranchProbe {
  const repositories = new Map<string, OpenQueries>();
  let count = 0;
  return async (origin, branch) => {
    const number = (count += 1);
    const known = repositories.get(origin.key) ?? { open: 0 };
    repositories.set(origin.key, known);
    known.open += 1;
    try {
      return await enqueue(shareOfOrigin(origin, branch.org), async () => {
        if (known.unreachable !== undefined && number <= known.unreachable.upTo) {
          // All of them would otherwise be answered in one turn of the event loop.
          await setImmediate();
          return known.unreachable.answer;
        }
        const answer = await probe(origin, branch);
        if (answer.state === 'unreachable') known.unreachable = { upTo: count, answer };
        return answer;
      });
    } finally {
      known.open -= 1;
      if (known.open === 0) repositories.delete(origin.key);
    }
  };
}
