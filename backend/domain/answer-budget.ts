import { Refusal } from '@repoless/contract/refusal.ts';

/** An answer that is complete before it is sent. The sender calls `left` when it was sent, or when the caller disconnects. */
export interface PrintedAnswer {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  release(): void;
}

export interface Printing extends PrintedAnswer {
  /** Refuses with OVERLOADED if there is no memory left, and releases what it has. */
  add(text: string): void;
}

/** The memory that large answers share from printing until they are sent. */
export interface AnswerBudget {
  /** Takes the organization of the call. */
  open(org: string): Printing;
}

export interface BudgetShare {
  /** Counts bytes that are about to be held. Refuses with OVERLOADED if there is no memory for them, and releases what it has. */
  reserve(bytes: number): void;
  release(): void;
}

/** Memory that answers of one kind share until they are sent. */
export interface SharedBudget {
  open(share: string): BudgetShare;
}

/** Bytes currently held in memory, in total and by share, such as an organization. Takes the limits for all, and for one share. */
export function createMemoryBudget(most: number, mostPerShare: number) {
  const byShare = new Map<string, number>();
  let total = 0;
  return {
    /** What has no memory for this many more bytes; undefined if they fit. */
    full(share: string, bytes: number): 'share' | 'all' | undefined {
      if ((byShare.get(share) ?? 0) + bytes > mostPerShare) return 'share';
      return total + bytes > most ? 'all' : undefined;
    },
    /** Takes bytes that are held from now on; negative ones are released. */
    count(share: string, bytes: number): void {
      total += bytes;
      const release = (byShare.get(share) ?? 0) + bytes;
      if (release === 0) byShare.delete(share);
      else byShare.set(share, release);
    },
  };
}

/**
 * One share gets at most a quarter of it; answers up to `SMALL` do not count. Takes bytes, and for messages the plural name of the answers,
 * and what a share belongs to.
 */
export function createSharedBudget(most: number, { workName, of }: { readonly workName: string; readonly of: string }): SharedBudget {
  const memory = createMemoryBudget(most, most / 4);
  return {
    open(share) {
      let [bytes, counted] = [0, 0];
      const release = () => {
        memory.count(share, -counted);
        [bytes, counted] = [0, 0];
      };
      return {
        reserve(more) {
          bytes += more;
          const added = bytes > SMALL ? bytes - counted : 0;
          const full = memory.full(share, added);
          if (full !== undefined) throw refused(release, full === 'share' ? `${workName} ${of}` : workName);
          memory.count(share, added);
          counted += added;
        },
        release,
      };
    },
  };
}

/** A budget whose shares are organizations. Takes bytes. */
export function createAnswerBudget(most: number): AnswerBudget {
  const budget = createSharedBudget(most, { workName: 'large answers', of: 'of this organization' });
  return {
    open(org) {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      const { reserve, release } = budget.open(org);
      return {
        pieces,
        get bytes() {
          return bytes;
        },
        add(text) {
          const piece = encoder.encode(text);
          reserve(piece.length);
          bytes += piece.length;
          pieces.push(piece);
        },
        release,
      };
    },
  };
}

function refused(release: () => void, what: string): Refusal {
  release();
  return new Refusal('OVERLOADED', `Too many ${what} are being sent right now. Try again in a few seconds.`, { retryAfter: 5 });
}

/** Bytes of answers that count as sent immediately. */
const SMALL = 65_536;
const encoder = new TextEncoder();
