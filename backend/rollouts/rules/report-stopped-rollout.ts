import type { Writes } from '../../domain/ports.ts';
import type { RolloutRecord } from './ports.ts';

/** A rollout that stopped by itself is wrong until somebody decides whether it goes on (docs/contract.md 9.1). */
export async function reportStoppedRollout(
  writes: Writes,
  { org, id, title }: RolloutRecord,
  { isOpen, now }: { isOpen: boolean; now: Date },
): Promise<void> {
  await writes.setCause({ kind: 'rollout-stopped', cause: `rollout:${id}`, org, about: title, isOpen, time: now.toISOString() });
}
