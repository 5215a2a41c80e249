import { createBytesHeld } from './bytes-held.ts';
import { Refusal } from './errors.ts';

/** An answer of JSON that was printed before it is sent. Whoever sends it says when it has left, or nobody waits for it. */
export interface PrintedAnswer {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  left(): void;
}

/** The same while it is being printed. */
export interface Printing extends PrintedAnswer {
  /** Refuses with OVERLOADED where there is no room for it, and gives back what it had. */
  add(text: string): void;
}

/** The memory that large answers share from when they are printed until they are sent. Rule: decision record 0153. */
export interface AnswerRoom {
  /** In: the organization that is asked about. */
  begin(org: string): Printing;
}

/** One organization has a quarter of it at the most; answers up to `SMALL` do not count. In: bytes. */
export function createAnswerRoom(most: number): AnswerRoom {
  const held = createBytesHeld();
  return {
    begin(org) {
      const pieces: Uint8Array[] = [];
      let [bytes, counted] = [0, 0];
      const left = () => {
        held.count(org, -counted);
        counted = 0;
      };
      return {
        pieces,
        get bytes() {
          return bytes;
        },
        add(text) {
          const piece = encoder.encode(text);
          bytes += piece.length;
          const added = bytes > SMALL ? bytes - counted : 0;
          if (held.of(org) + added > most / 4) throw refused(left, 'large answers of this organization');
          if (held.inAll + added > most) throw refused(left, 'large answers');
          held.count(org, added);
          counted += added;
          pieces.push(piece);
        },
        left,
      };
    },
  };
}

function refused(left: () => void, what: string): Refusal {
  left();
  return new Refusal('OVERLOADED', `Too many ${what} are being sent at this moment. Try again in a few seconds.`, { retryAfter: 5 });
}

/** Bytes of what is on its way as soon as it is sent. */
const SMALL = 65_536;
const encoder = new TextEncoder();
