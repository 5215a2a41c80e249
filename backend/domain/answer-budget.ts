import { Refusal } from '@repoless/contract/refusal.ts';

/** An answer that is there before it is sent. Whoever sends it says when it has left, or nobody waits for it. */
export interface PrintedAnswer {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  left(): void;
}

/** One of JSON while it is being printed. */
export interface Printing extends PrintedAnswer {
  /** Refuses with OVERLOADED where there is no space left, and gives back what it had. */
  add(text: string): void;
}

/** The memory that large answers share from when they are printed until they are sent. */
export interface AnswerBudget {
  /** In: the organization that is asked about. */
  begin(org: string): Printing;
}

/** What one answer has of a budget. */
export interface BudgetShare {
  /** Notes bytes that are about to be kept. Refuses with OVERLOADED where there is no room for them, and gives back what it had. */
  hold(bytes: number): void;
  /** Gives back all of it. */
  left(): void;
}

/** Memory that answers of one kind share until they are sent. */
export interface SharedBudget {
  begin(share: string): BudgetShare;
}

/** Bytes that are held in memory at the moment, all and by each share, such as an organization. In: how many there may be of all, and of one share. */
export function createMemoryBudget(most: number, mostOfOne: number) {
  const byShare = new Map<string, number>();
  let inAll = 0;
  return {
    /** What has no room for so many more; undefined where they fit. */
    full(share: string, bytes: number): 'share' | 'all' | undefined {
      if ((byShare.get(share) ?? 0) + bytes > mostOfOne) return 'share';
      return inAll + bytes > most ? 'all' : undefined;
    },
    /** In: bytes that are held from now on; less than 0, given back. */
    count(share: string, bytes: number): void {
      inAll += bytes;
      const left = (byShare.get(share) ?? 0) + bytes;
      if (left === 0) byShare.delete(share);
      else byShare.set(share, left);
    },
  };
}

/** One share has a quarter of it at the most; answers up to `SMALL` do not count. In: bytes, and for sentences what they are, in the plural, and whose a share is. */
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

/** A budget whose shares are organizations. In: bytes. */
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

/** Bytes of what is on its way as soon as it is sent. */
const SMALL = 65_536;
const encoder = new TextEncoder();
