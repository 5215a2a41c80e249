import type { Failure } from './situation.ts';

/** The service does not know the caller (any more); what the authoring system refuses is another matter. */
export function isSignedOut({ problem }: Failure): boolean {
  return problem?.code === 'NOT_AUTHENTICATED' || problem?.code === 'TOKEN_REFUSED';
}
