import type { ServerResponse } from 'node:http';
import { createBytesHeld } from '#backend/domain/bytes-held.ts';
import { Refusal } from '#backend/domain/errors.ts';

/** What the answers with code may take of the memory of this program until they are sent. */
export interface AnswerBudget {
  /**
   * Notes bytes that are about to be kept for the answer to a call about a repository of an organization. Refuses with OVERLOADED where
   * there is no room for them.
   */
  hold(response: ServerResponse, org: string, bytes: number): void;
}

/**
 * One organization has half of it at the most, so that there is always room for the code of others; whoever reads too slowly is cut
 * off. In: bytes, and the milliseconds of sending an answer.
 */
export function createAnswerBudget({ most, sending }: { readonly most: number; readonly sending: number }): AnswerBudget {
  const byResponse = new Map<ServerResponse, number>();
  const held = createBytesHeld();
  const follow = (response: ServerResponse, org: string) => {
    const late = setTimeout(() => response.destroy(), sending);
    late.unref();
    response.once('close', () => {
      clearTimeout(late);
      held.count(org, -(byResponse.get(response) ?? 0));
      byResponse.delete(response);
    });
  };
  return {
    hold(response, org, bytes) {
      // Where the caller has left nobody waits for the answer, and nothing would give the bytes back.
      if (response.closed || held.of(org) + bytes > most / 2) throw overloaded('code of this organization');
      if (held.inAll + bytes > most) throw overloaded('code');
      if (!byResponse.has(response)) follow(response, org);
      byResponse.set(response, (byResponse.get(response) ?? 0) + bytes);
      held.count(org, bytes);
    },
  };
}

function overloaded(what: string): Refusal {
  return new Refusal('OVERLOADED', `Too much ${what} is being read right now. Try again in a few seconds.`, { retryAfter: 5 });
}
