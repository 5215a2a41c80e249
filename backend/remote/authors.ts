import type { Authors } from '#backend/domain/authoring/author.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { RemoteFailure } from './remote.ts';
import type { Remote, RemoteRequest } from './remote.ts';

interface AuthorLimits extends Pick<RemoteRequest, 'goesOn'> {
  readonly timeout: number;
  readonly sizeLimit: number;
}

/** The authoring systems by HTTP. `timeout` in milliseconds, `sizeLimit` in bytes of an answer. */
export function createAuthors(remote: Remote, limits: AuthorLimits): Authors {
  return {
    async send({ method, origin, path, below, headers, body, hold }) {
      try {
        const request = { method, url: `${origin}${path}`, below: `${origin}${below}`, headers, ...limits };
        return await remote.send({ ...request, ...(body !== undefined && { body }), ...(hold !== undefined && { hold }) });
      } catch (error) {
        if (error instanceof RemoteFailure) throw refusal(error, limits);
        throw error;
      }
    },
  };
}

function refusal(failure: RemoteFailure, limits: { timeout: number; sizeLimit: number }): Refusal {
  switch (failure.reason) {
    case 'timeout':
      return new Refusal(
        'AUTHOR_TIMEOUT',
        `The authoring system did not respond within ${limits.timeout / 1000} seconds. The write may still be carried out: read again before you write again.`,
      );
    case 'too-large':
      return new Refusal(
        'AUTHOR_ANSWER_REFUSED',
        `The response of the authoring system is larger than ${limits.sizeLimit} bytes. Request less, level by level.`,
      );
    case 'internal':
    case 'elsewhere':
    case 'unreachable':
      return new Refusal('AUTHOR_UNREACHABLE', `The authoring system cannot be reached: ${failure.message}`, { cause: failure });
    default:
      return failure.reason satisfies never;
  }
}
