import type { Authors } from '../domain/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Remote, RemoteFailure, type RemoteRequest } from './remote.ts';

interface AuthorLimits extends Pick<RemoteRequest, 'continuesTrace'> {
  /** Milliseconds. */
  readonly timeout: number;
  /** Bytes of a response. */
  readonly sizeLimit: number;
}

export function createAuthors(remote: Remote, limits: AuthorLimits): Authors {
  return {
    async send({ origin, path, base, timeout = limits.timeout, ...request }) {
      const limited = { ...limits, timeout: Math.min(timeout, limits.timeout) };
      try {
        return await remote.send({ ...request, ...limited, url: `${origin}${path}`, base: `${origin}${base}` });
      } catch (error) {
        if (error instanceof RemoteFailure) throw refusal(error, limited, request.method);
        throw error;
      }
    },
  };
}

function refusal(failure: RemoteFailure, limits: AuthorLimits, method: string): Refusal {
  const seconds = `${Math.ceil(limits.timeout / 100) / 10}`;
  switch (failure.reason) {
    case 'timeout': {
      const sentence = `The authoring system did not respond within ${seconds} seconds.`;
      if (method === 'GET') return new Refusal('AUTHOR_TIMEOUT', sentence, { data: { seconds } });
      const more = 'The write may still be carried out: read again before you write again.';
      return new Refusal('AUTHOR_TIMEOUT', `${sentence} ${more}`, { data: { seconds, write: 'yes' } });
    }
    case 'too-large':
      return new Refusal(
        'AUTHOR_ANSWER_REFUSED',
        `The response of the authoring system is larger than ${limits.sizeLimit} bytes. Request less, level by level.`,
      );
    case 'internal':
    case 'elsewhere':
    case 'unreachable':
      return new Refusal('AUTHOR_UNREACHABLE', `The authoring system cannot be reached: ${failure.message}`, {
        data: { says: failure.message },
        cause: failure,
      });
    default:
      return failure.reason satisfies never;
  }
}
