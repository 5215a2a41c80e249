import type { Hostile, HostileWorld } from '../faults/hostile-world.ts';

/** What a tenant sends, stores or serves at a limit, as large and as dear to evaluate as the limit lets it be. */
export interface LimitInput extends Hostile {
  /** By which names docs/operations.md tells of the limits that it meets. */
  readonly limits: readonly string[];
  /** What must be there before, and is not measured. */
  prepare?(world: HostileWorld): Promise<unknown>;
}

export function at(limits: readonly string[], input: Hostile, prepare?: LimitInput['prepare']): LimitInput {
  return { ...input, limits, ...(prepare !== undefined && { prepare }) };
}
