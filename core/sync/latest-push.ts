import type { Delivery } from '@repoless/contract/build-management-deliveries.ts';
import type { Push } from './old-code.ts';

/** The latest push of a branch among the deliveries (newest first), and why it was not taken where it was not. */
export function latestPush(deliveries: readonly Delivery[], branch: string): Push | undefined {
  for (const { changes, received, outcome, detail } of deliveries) {
    const change = changes.find((candidate) => candidate.branch === branch && candidate.type === 'updated');
    const refused = outcome === 'refused' || outcome === 'failed';
    if (change?.commit !== undefined) {
      return { sha: change.commit, time: received, ...(refused ? { refusal: detail ?? outcome } : {}) };
    }
    // A delivery whose signature was wrong is not read, so that its branch is not known.
    if (outcome === 'refused' && changes.length === 0) return { sha: '', time: received, refusal: detail ?? outcome };
  }
  return undefined;
}
