import type { ServerResponse } from 'node:http';
import { Refusal } from '#backend/domain/errors.ts';

/** What the bodies of callers that nobody knows yet may take of the memory of a node, all together. */
export interface ByteRoom {
  /** Notes bytes that are kept until a request is answered. Refuses with OVERLOADED where there is no room for them. */
  hold(response: ServerResponse, bytes: number): void;
}

/** `most`: bytes. */
export function createByteRoom(most: number): ByteRoom {
  const held = new Map<ServerResponse, number>();
  let inAll = 0;
  return {
    hold(response, bytes) {
      if (inAll + bytes > most)
        throw new Refusal('OVERLOADED', 'Too many bodies are being received at this moment. Try again in a moment.', { retryAfter: 1 });
      if (!held.has(response)) {
        response.once('close', () => {
          inAll -= held.get(response) ?? 0;
          held.delete(response);
        });
      }
      held.set(response, (held.get(response) ?? 0) + bytes);
      inAll += bytes;
    },
  };
}
