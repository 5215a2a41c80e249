import { LEASE } from '../hearing.ts';
import { payloadOf } from '../news.ts';
import type { Change } from '../news.ts';

/** What a process that reads beside the one that writes is told. */
export type ToldReader =
  | { readonly kind: 'news'; readonly number: number; readonly changes: readonly string[] }
  /** `missed`: news were not told before it. */
  | { readonly kind: 'answer'; readonly number: number; readonly missed: boolean };

/** What it says: that it dropped what some news were of, or whether it hears of all. */
export type SaidByReader = { readonly kind: 'heard'; readonly number: number } | { readonly kind: 'ask'; readonly number: number };

export interface Reader {
  said(message: SaidByReader): void;
  /** Its process ended, and with it all that it kept. */
  leave(): void;
}

/** The processes that read the embedded database beside this one, which writes. */
export interface Readers {
  /** In: its name for the log, and what sends it messages in their order. */
  join(name: string, send: (message: ToldReader) => void): Reader;
  /**
   * To be called after a commit, before anything else is sent to anybody. Out: what settles when no reader answers as it was before; undefined
   * where none is to be waited for. It never rejects.
   */
  tell(changes: readonly Change[]): Promise<void> | undefined;
  /** Settles when no reader answers as it was before what was told by now; never rejects. */
  known(): Promise<void>;
}

interface Seat {
  readonly name: string;
  send(message: ToldReader): void;
  /** How to end the waiting for it, by the number of the news. */
  readonly waiting: Map<number, () => void>;
  /** Until when it may use what it keeps, by the steady clock of this process. */
  until: number;
  missed: boolean;
  silent: boolean;
}

/**
 * The rule of decision 0067 between processes of one machine. A reader uses what it keeps for one lease from the moment of a question that was answered;
 * here the lease begins later, when the question came. It gets news before the answers that come after them, so that who confirms nothing is waited for until the
 * lease that it had at the commit ran out. Nothing is sent to a reader without a lease: it learns with its next answer that it missed something.
 */
export function createReaders(log: (message: string, error: unknown) => void): Readers {
  const seats = new Set<Seat>();
  const spreading = new Set<Promise<void>>();
  let last = 0;

  function told(seat: Seat, changes: readonly string[]): Promise<void> | undefined {
    const remaining = seat.until - performance.now();
    if (remaining <= 0) {
      seat.missed = true;
      return undefined;
    }
    const number = last;
    seat.send({ kind: 'news', number, changes });
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(lapse);
        seat.waiting.delete(number);
        resolve();
      };
      const lapse = setTimeout(() => {
        if (!seat.silent) log(`The process "${seat.name}" does not confirm writes; one write waited until its lease expired.`, undefined);
        seat.silent = true;
        end();
      }, remaining + TICK);
      seat.waiting.set(number, end);
    });
  }

  return {
    join(name, send) {
      // Before its first answer it may have read anything.
      const seat: Seat = { name, send, waiting: new Map(), until: 0, missed: true, silent: false };
      seats.add(seat);
      return {
        said({ kind, number }) {
          seat.silent = false;
          if (kind === 'heard') return seat.waiting.get(number)?.();
          seat.until = performance.now() + LEASE;
          seat.send({ kind: 'answer', number, missed: seat.missed });
          seat.missed = false;
        },
        leave() {
          seats.delete(seat);
          for (const end of seat.waiting.values()) end();
        },
      };
    },
    tell(changes) {
      if (changes.length === 0 || seats.size === 0) return undefined;
      last += 1;
      const payloads = changes.map(payloadOf);
      const waits = [...seats].flatMap((seat) => told(seat, payloads) ?? []);
      if (waits.length === 0) return undefined;
      const everywhere = Promise.all(waits).then(() => void spreading.delete(everywhere));
      spreading.add(everywhere);
      return everywhere;
    },
    async known() {
      await Promise.all(spreading);
    },
  };
}

/** A timer may ring a little too early. */
const TICK = 2;
