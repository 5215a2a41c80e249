/** The memory that rows which were read before share, whatever they are of. */
export interface RowBudget {
  /**
   * Takes bytes for something of an organization. Out: its place, or undefined where it is larger than the share of one. What was
   * used longest ago makes room, first of the organization itself and then of all; `left` is called for it.
   */
  take(org: string, bytes: number, left: () => void): Place | undefined;
}

/** Where something is kept. */
export interface Place {
  /** It was used just now. */
  use(): void;
  /** It is kept no longer; `left` is not called. */
  free(): void;
}

interface Held {
  readonly org: string;
  readonly bytes: number;
  readonly left: () => void;
}

interface Share {
  bytes: number;
  readonly held: Set<Held>;
}

/** One organization has half of it at the most, so that it never pushes out what all others use. In: bytes. */
export function createRowBudget(most: number): RowBudget {
  const all = new Set<Held>();
  const shares = new Map<string, Share>();
  let inAll = 0;

  function add(share: Share, held: Held): void {
    all.add(held);
    share.held.add(held);
    share.bytes += held.bytes;
    inAll += held.bytes;
  }

  function remove(held: Held): void {
    const share = shares.get(held.org);
    if (share?.held.delete(held) !== true) return;
    all.delete(held);
    share.bytes -= held.bytes;
    inAll -= held.bytes;
    if (share.held.size === 0) shares.delete(held.org);
  }

  function displaceOldest(from: ReadonlySet<Held>, isTooMuch: () => boolean): void {
    for (const held of from) {
      if (!isTooMuch()) return;
      remove(held);
      held.left();
    }
  }

  return {
    take(org, bytes, left) {
      if (bytes > most / 2) return undefined;
      const held = { org, bytes, left };
      const share = shares.get(org) ?? { bytes: 0, held: new Set() };
      shares.set(org, share);
      add(share, held);
      displaceOldest(share.held, () => share.bytes > most / 2);
      displaceOldest(all, () => inAll > most);
      return {
        use() {
          if (!all.delete(held)) return;
          all.add(held);
          share.held.delete(held);
          share.held.add(held);
        },
        free: () => remove(held),
      };
    },
  };
}
