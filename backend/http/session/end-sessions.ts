import type { endpoints } from '@repoless/contract/endpoints.ts';
import { Refusal } from '../../domain/errors.ts';
import { requirePerson } from '../../access/permit.ts';
import { presentedToken } from './authenticate.ts';
import type { RequestHeaders } from '../ports.ts';
import { isFromOwnPage } from './own-request.ts';
import { isSecure } from './services.ts';
import type { SessionServices } from './services.ts';
import { clearedSessionCookie } from './cookies.ts';
import type { HttpOperation, Reply } from '../answer.ts';

/**
 * By its token, or from a page of the service: whoever is led to this address from elsewhere, or types it, goes on to the profile,
 * which has the link, and nothing changes.
 */
export function logoutOperation(services: SessionServices): HttpOperation<(typeof endpoints)['logout']> {
  return async (_context, { query, headers }) => {
    const presented = presentedToken(headers);
    const isForeign = presented?.credential !== 'header' && !isFromOwnPage(headers, services.publicAddress);
    if (isForeign) return { status: 302, headers: { location: '/profile' } };
    const out: Reply = { status: 302, headers: { location: '/profile', 'set-cookie': clearedSessionCookie(isSecure(services)) } };
    if (query.everywhere === true) return { ...out, ...(await endOwn(services, headers)) };
    if (presented !== undefined) await services.tokens.revoke(presented.token);
    return out;
  };
}

/** An invalid token ends nothing: a script is told so, and a browser by the profile page that it is redirected to. */
async function endOwn({ tokens }: SessionServices, headers: RequestHeaders): Promise<Pick<Reply, 'event'>> {
  const presented = presentedToken(headers);
  const claims = presented && (await tokens.read(presented.token));
  if (claims !== undefined) {
    await tokens.endSessions(claims.identity.email);
    return ENDED;
  }
  if (presented?.credential !== 'header') return {};
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'No session was ended: the token is an API key, or its session has ended. Sign in at /login and send that token.',
  });
}

/** docs/contract.md 4.6: sessions are of a person in every organization, so nobody but the person and the operators end them. */
export function endSessionsOperation({ tokens }: SessionServices): HttpOperation<(typeof endpoints)['endSessions']> {
  return async ({ caller, settings }, { params }) => {
    const { email, names } = requirePerson(caller, 'Ending sessions');
    const isOwn = email.toLowerCase() === params.email.toLowerCase();
    if (!isOwn && !names.some((name) => settings.operators.includes(name))) {
      throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
        detail: `You are signed in as ${email}. You can end your own sessions. Only the operators of the service (OPERATORS) can end those of others.`,
      });
    }
    await tokens.endSessions(params.email);
    return { status: 204, ...ENDED };
  };
}

const ENDED = { event: 'sessions-ended' } as const satisfies Pick<Reply, 'event'>;
