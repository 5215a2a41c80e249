import type { Authors } from '../domain/ports.ts';
import { authorTimeout, authorUnreachable } from '@repoless/contract/authoring.ts';
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
  switch (failure.reason) {
    case 'timeout':
      return authorTimeout(`${Math.ceil(limits.timeout / 100) / 10}`, method !== 'GET');
    case 'too-large':
      return new Refusal(
        'AUTHOR_ANSWER_REFUSED',
        `The response of the authoring system is larger than ${limits.sizeLimit} bytes. Request less, level by level.`,
      );
    case 'internal':
    case 'elsewhere':
    case 'unreachable':
      return authorUnreachable(failure.message, failure);
    default:
      return failure.reason satisfies never;
  }
}
