import { refusal } from '../api/exchange.ts';
import type { AuthoringProxy, Proxied } from '../api/authoring-proxy.ts';
import { wait } from '../api/wait.ts';
import { isTransient, pause } from '../run/retry.ts';
import type { Failure } from '../situation/situation.ts';

/** Maximum attempts of a read: two to three seconds in total. */
const ATTEMPTS = 4;

/**
 * Retries reads that were refused temporarily. A large level of the tree takes hundreds of reads, and one failure must not restart all of them.
 * Writes are not retried.
 */
export function patientProxy(proxy: AuthoringProxy): AuthoringProxy {
  const { signal } = new AbortController();
  return {
    ...proxy,
    read: async (path, query) => {
      for (let attempt = 1; ; attempt++) {
        const answer = await proxy.read(path, query);
        const failure = failureIn(answer);
        if (failure === undefined || !isTransient(failure) || attempt === ATTEMPTS) return answer;
        await wait(pause(attempt, failure.retryAfter), signal);
      }
    },
  };
}

function failureIn(answer: Proxied): Failure | undefined {
  if (!answer.ok) return answer.failure;
  return answer.received.status >= 400 ? refusal(answer.received) : undefined;
}
