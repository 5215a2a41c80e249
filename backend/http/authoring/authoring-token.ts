import { AUTHORING_TOKEN_HEADER } from '@repoless/contract/authoring.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RequestHeaders } from '../ports.ts';

/** The caller's own token of the authoring system. Refuses with NOT_AUTHENTICATED where it is sent in another form. */
export function authoringToken(headers: RequestHeaders): string | undefined {
  const sent = headers[AUTHORING_TOKEN_HEADER];
  const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(sent ?? '') ?? [];
  if (sent === undefined || token !== undefined) return token;
  throw new Refusal('NOT_AUTHENTICATED', `Send the authoring token as "${AUTHORING_TOKEN_HEADER}: Bearer <token>".`);
}
