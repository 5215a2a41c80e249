import type { ServerResponse } from 'node:http';
import { createMemoryBudget } from '../../domain/answer-budget.ts';
import { Refusal } from '../../domain/errors.ts';

/** What the answers with code may take of the memory of this program until they are sent. */
export interface AnswerBudget {
  /** Counts bytes of the answer to a call about a repository of an organization before they are kept. Refuses with OVERLOADED if they do not fit. */
  hold(response: ServerResponse, org: string, bytes: number): void;
}

/**
 * One organization gets at most half of it, so that others always have room; slow readers are cut off. Takes bytes, and the milliseconds that
 * sending an answer may take.
 */
export function createAnswerBudget({ most, sending }: { readonly most: number; readonly sending: number }): AnswerBudget {
  const byResponse = new Map<ServerResponse, number>();
  const held = createMemoryBudget(most, most / 2);
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
      const full = held.full(org, bytes);
      // If the caller has left, nothing would release the bytes.
      if (response.closed || full === 'share') throw overloaded('code of this organization');
      if (full === 'all') throw overloaded('code');
      if (!byResponse.has(response)) follow(response, org);
      byResponse.set(response, (byResponse.get(response) ?? 0) + bytes);
      held.count(org, bytes);
    },
  };
}

function overloaded(what: string): Refusal {
  return new Refusal('OVERLOADED', `Too much ${what} is being read right now. Try again in a few seconds.`, { retryAfter: 5 });
}
