/** What was seen of a site's number, which one writer raises by one with each write. */
interface Seen {
  /** Acknowledged writes by their numbers, and when; in order. */
  readonly acknowledged: { readonly value: number; readonly at: number }[];
  /** The last number that each reader got; it asks one node, one question after the other. */
  readonly byReader: Map<string, number>;
  /** The highest number that anybody has seen, each with when that was. */
  readonly shown: { readonly value: number; readonly at: number }[];
}

export interface Figures {
  reads: number;
  refused: number;
  writes: number;
  unknown: number;
  /** The longest time, in milliseconds, that a write took that was acknowledged. */
  slowest: number;
  /** The longest time, in milliseconds, that an acknowledged write was not seen by a read that began after it. */
  longest: number;
}

export interface History {
  acknowledged(site: string, value: number, took: number): void;
  unknown(): void;
  refused(): void;
  /** A read that began at `invoked` got this number. Throws where that must not be. */
  read(reader: string, site: string, invoked: number, value: number): void;
  /** What happened since it was asked before. */
  figures(): Figures;
}

/**
 * Checks a history as it is recorded: no node goes back behind what it has answered to a read that ended before; and no read misses a write that
 * was acknowledged, or a number that was seen, more than `bound` milliseconds earlier.
 */
export function createHistory(bound: number, now: () => number): History {
  const sites = new Map<string, Seen>();
  let figures = none();
  const seenOf = (site: string): Seen => {
    const seen = sites.get(site) ?? { acknowledged: [], byReader: new Map(), shown: [] };
    sites.set(site, seen);
    return seen;
  };

  return {
    acknowledged(site, value, took) {
      figures.writes += 1;
      figures.slowest = Math.max(figures.slowest, took);
      seenOf(site).acknowledged.push({ value, at: now() });
    },
    unknown: () => void (figures.unknown += 1),
    refused: () => void (figures.refused += 1),
    read(reader, site, invoked, value) {
      figures.reads += 1;
      const { acknowledged, shown, byReader } = seenOf(site);
      const missed = acknowledged.findLast((write) => write.at < invoked);
      if (missed !== undefined && missed.value > value) {
        const first = acknowledged.find((write) => write.value > value) ?? missed;
        const stale = invoked - first.at;
        figures.longest = Math.max(figures.longest, stale);
        if (stale > bound)
          throw new Error(`${reader} got ${value} of ${site}, ${Math.round(stale)} ms after ${first.value} was acknowledged.`);
      }
      const before = shown.findLast((one) => one.at < invoked - bound);
      if (before !== undefined && before.value > value)
        throw new Error(`${reader} got ${value} of ${site}, where ${before.value} was seen ${Math.round(invoked - before.at)} ms before.`);
      const own = byReader.get(reader);
      if (own !== undefined && own > value) throw new Error(`${reader} got ${value} of ${site}, and had got ${own} before.`);
      byReader.set(reader, value);
      if (value > (shown.at(-1)?.value ?? 0)) shown.push({ value, at: now() });
    },
    figures() {
      const past = figures;
      figures = none();
      return past;
    },
  };
}

function none(): Figures {
  return { reads: 0, refused: 0, writes: 0, unknown: 0, slowest: 0, longest: 0 };
}
