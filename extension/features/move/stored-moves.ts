import { z } from 'zod';

/** Which sites move from where to where: all that a plan is made of, together with what is read. */
export const MoveTarget = z.object({
  from: z.string(),
  to: z.string(),
  names: z.array(z.string()).min(1),
  paths: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Typed, because the new environment shows none. */
  account: z.string().optional(),
  keepsAccount: z.boolean(),
});
export type MoveTarget = z.infer<typeof MoveTarget>;

const StoredMove = z.object({ target: MoveTarget, begun: z.string() });
/** A move that was started and is not known to be done. */
export type StoredMove = z.infer<typeof StoredMove>;

/** Keeps one unfinished move of an organization, so that it can be gone on with after the tab was closed. */
export interface StoredMoves {
  get(): StoredMove | undefined;
  keep(move: StoredMove): void;
  forget(): void;
}

export function storedMoves(storage: Storage | undefined, service: string, organization: string): StoredMoves {
  const key = `repoless.move ${service} ${organization}`;
  return {
    get: () => {
      try {
        return StoredMove.safeParse(JSON.parse(storage?.getItem(key) ?? '')).data;
      } catch {
        return undefined;
      }
    },
    keep: (move) => {
      try {
        storage?.setItem(key, JSON.stringify(move));
      } catch {
        // If storage is full, the move just can't be continued after the tab is closed.
      }
    },
    forget: () => storage?.removeItem(key),
  };
}

/** The way back of sites that moved. */
export function reversed({ from, to, paths }: MoveTarget, names: readonly string[]): MoveTarget {
  return { from: to, to: from, names: [...names], paths: paths.map((path) => ({ from: path.to, to: path.from })), keepsAccount: false };
}
