import { LIMITS } from '@repoless/contract/limits.ts';
import type { CodeOrigin } from './rules/code-origin.ts';
import type { BranchProbe } from './rules/ports.ts';
import { byogitCalls } from './byogit/byogit-calls.ts';
import { branchOf, listBranches, reachRepository } from './git/list-branches.ts';
import { secretOf } from './open-snapshot.ts';
import type { SnapshotServices } from './open-snapshot.ts';
import { TransientError } from './retry.ts';
import { NothingThere, SyncProblem } from './sync-problem.ts';

/** Asks a repository once, and no longer than a few seconds, whether it has a branch. */
export function branchProbe(services: SnapshotServices): BranchProbe {
  return async (origin, asked) => {
    const signal = AbortSignal.timeout(LIMITS.questionTime);
    try {
      return await Promise.race([look(services, origin, asked, signal), aborted(signal)]);
    } catch (error) {
      if (signal.aborted) {
        const { host } = new URL(origin.type === 'github' ? services.settings.codeHost : origin.url);
        return { state: 'unreachable', sentence: `${host} did not respond within ${LIMITS.questionTime / 1000} seconds.` };
      }
      if (error instanceof NothingThere) return { state: 'missing', sentence: error.answer };
      if (error instanceof SyncProblem) return { state: 'refused', sentence: error.message };
      if (error instanceof TransientError) return { state: 'unreachable', sentence: error.message };
      throw error;
    }
  };
}

async function look(
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
  const around = { signal, waiting: () => undefined, attempts: 1 };
  const calls = byogitCalls(services, origin, await secretOf(services, origin), around);
  return { state: 'found', sha: await calls.commit(branch) };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Out of time.')), { once: true }));
}
