import { Refusal } from '@repoless/contract/refusal.ts';

/** An answer that is complete before it is sent. The sender calls `left` when it was sent, or when the caller disconnects. */
export interface PrintedAnswer {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  left(): void;
}

export interface Printing extends PrintedAnswer {
  /** Refuses with OVERLOADED if there is no memory left, and releases what it has. */
  add(text: string): void;
}

/** The memory that large answers share from printing until they are sent. */
export interface AnswerBudget {
  /** Takes the organization of the call. */
  begin(org: string): Printing;
}

export interface BudgetShare {
  /** Counts bytes that are about to be held. Refuses with OVERLOADED if there is no memory for them, and releases what it has. */
  hold(bytes: number): void;
  left(): void;
}

/** Memory that answers of one kind share until they are sent. */
export interface SharedBudget {
  begin(share: string): BudgetShare;
}

/** Bytes currently held in memory, in total and by share, such as an organization. Takes the limits for all, and for one share. */
export function createMemoryBudget(most: number, mostOfOne: number) {
  const byShare = new Map<string, number>();
  let inAll = 0;
  return {
    /** What has no memory for this many more bytes; undefined if they fit. */
    full(share: string, bytes: number): 'share' | 'all' | undefined {
      if ((byShare.get(share) ?? 0) + bytes > mostOfOne) return 'share';
      return inAll + bytes > most ? 'all' : undefined;
    },
    /** Takes bytes that are held from now on; negative ones are released. */
    count(share: string, bytes: number): void {
      inAll += bytes;
      const left = (byShare.get(share) ?? 0) + bytes;
      if (left === 0) byShare.delete(share);
      else byShare.set(share, left);
    },
  };
}

/**
 * One share gets at most a quarter of it; answers up to `SMALL` do not count. Takes bytes, and for messages the plural name of the answers,
 * and what a share belongs to.
 */
export function createSharedBudget(most: number, { called, of }: { readonly called: string; readonly of: string }): SharedBudget {
  const held = createMemoryBudget(most, most / 4);
  return {
    begin(share) {
      let [bytes, counted] = [0, 0];
      const left = () => {
        held.count(share, -counted);
        [bytes, counted] = [0, 0];
      };
      return {
        hold(more) {
          bytes += more;
          const added = bytes > SMALL ? bytes - counted : 0;
          const full = held.full(share, added);
          if (full !== undefined) throw refused(left, full === 'share' ? `${called} ${of}` : called);
          held.count(share, added);
          counted += added;
        },
        left,
      };
    },
  };
}

/** A budget whose shares are organizations. Takes bytes. */
export function createAnswerBudget(most: number): AnswerBudget {
  const budget = createSharedBudget(most, { called: 'large answers', of: 'of this organization' });
  return {
    begin(org) {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      const { hold, left } = budget.begin(org);
      return {
        pieces,
        get bytes() {
          return bytes;
        },
        add(text) {
          const piece = encoder.encode(text);
          hold(piece.length);
          bytes += piece.length;
          pieces.push(piece);
        },
        left,
      };
    },
  };
}

function refused(left: () => void, what: string): Refusal {
  left();
  return new Refusal('OVERLOADED', `Too many ${what} are being sent right now. Try again in a few seconds.`, { retryAfter: 5 });
}

/** Bytes of answers that count as sent immediately. */
const SMALL = 65_536;
const encoder = new TextEncoder();
