import { refusal } from '#extension/api/exchange.ts';
import type { Relay, Relayed } from '#extension/api/relay.ts';
import { wait } from '#extension/api/wait.ts';
import { isPassing, pause } from '#extension/setup/retry.ts';
import type { Failure } from '#extension/setup/situation.ts';

/** How often a read is made at most: two to three seconds in all. */
const ATTEMPTS = 4;

/**
 * Reads again what was refused for a moment. A large level of the tree takes hundreds of reads, of which one that fails
 * spoils all: it must not begin from the start because of that. Writes pass as they are.
 */
export function patientRelay(relay: Relay): Relay {
  const { signal } = new AbortController();
  return {
    ...relay,
    read: async (path) => {
      for (let attempt = 1; ; attempt++) {
        const answer = await relay.read(path);
        const failure = failureIn(answer);
        if (failure === undefined || !isPassing(failure) || attempt === ATTEMPTS) return answer;
        await wait(pause(attempt, failure.retryAfter), signal);
      }
    },
  };
}

function failureIn(answer: Relayed): Failure | undefined {
  if (!answer.ok) return answer.failure;
  return answer.received.status >= 400 ? refusal(answer.received) : undefined;
}
