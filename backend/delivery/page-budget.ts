import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '#contract/limits.ts';
import { Refusal } from '#backend/domain/errors.ts';

/** What pages may take of the memory of a node, over all requests for them. */
export interface PageBudget {
  /** What a request holds is given back when its answer has left, or its caller. */
  follow(request: IncomingMessage, response: ServerResponse): void;
  /** The room for the page of an organization that a request asks for. */
  roomFor(request: IncomingMessage, org: string): PageRoom;
}

/** Where the bytes of a page are kept until they are sent. */
export interface PageRoom {
  /** Notes bytes that are about to be kept. Refuses with OVERLOADED where there is no room for them. */
  hold(bytes: number): void;
  /** Gives the bytes back that are not answered with. */
  drop(): void;
}

interface Held {
  readonly org: string;
  bytes: number;
}

/** One organization has half of it at the most, so that there is always room for the pages of others. In: the milliseconds of sending one. */
export function createPageBudget(sending: number = LIMITS.pageSending): PageBudget {
  let inAll = 0;
  const byOrg = new Map<string, number>();
  const answers = new WeakMap<IncomingMessage, ServerResponse>();
  const rooms = new WeakMap<IncomingMessage, Held>();

  const count = (held: Held, bytes: number) => {
    held.bytes += bytes;
    inAll += bytes;
    const left = (byOrg.get(held.org) ?? 0) + bytes;
    if (left === 0) byOrg.delete(held.org);
    else byOrg.set(held.org, left);
  };
  const begin = (request: IncomingMessage, org: string): Held => {
    const held = { org, bytes: 0 };
    const response = answers.get(request);
    rooms.set(request, held);
    // Whoever reads too slowly is cut off.
    const late = setTimeout(() => response?.destroy(), sending);
    late.unref();
    response?.once('close', () => {
      clearTimeout(late);
      count(held, -held.bytes);
      answers.delete(request);
    });
    return held;
  };
  return {
    follow: (request, response) => void answers.set(request, response),
    roomFor(request, org) {
      const held = rooms.get(request) ?? begin(request, org);
      return {
        hold(bytes) {
          const { pageBytes: most } = LIMITS;
          // Where the caller has left nobody waits for the answer.
          const isGone = answers.get(request)?.closed !== false;
          if (isGone || inAll + bytes > most || (byOrg.get(org) ?? 0) + bytes > most / 2) throw overloaded();
          count(held, bytes);
        },
        drop: () => count(held, -held.bytes),
      };
    },
  };
}

function overloaded(): Refusal {
  return new Refusal('OVERLOADED', 'Too many pages are being read at this moment. Try again in a moment.', { retryAfter: 1 });
}
