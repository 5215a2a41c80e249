import type { endpoints } from '#contract/endpoints.ts';
import type { sessionEndpoints } from '#contract/session-endpoints.ts';
import type { Verb } from '#backend/domain/verb.ts';
import { acknowledgeVerb } from './acknowledge.ts';
import { presentedToken } from './authenticate.ts';
import { approveDeviceVerb, devicePageVerb } from './device-page.ts';
import { authorizeDeviceVerb, deviceTokenVerb } from './device-token.ts';
import { loginVerbs } from './login.ts';
import { isOwnRequest } from './own-request.ts';
import { profileVerb } from './profile.ts';
import { isSecure } from './services.ts';
import type { SessionServices } from './services.ts';
import { clearedSessionCookie } from './session-cookie.ts';

export type SessionVerbs = { readonly [Id in keyof typeof sessionEndpoints]: Verb<(typeof sessionEndpoints)[Id]> };

/** The calls of service contract, section 3. */
export function sessionVerbs(services: SessionServices): SessionVerbs {
  return {
    ...loginVerbs(services),
    acknowledge: acknowledgeVerb(services),
    profile: profileVerb(services),
    logout: logoutVerb(services),
    keys: () => Promise.resolve({ status: 200, body: services.tokens.keySet() }),
    exchangeToken: exchangeVerb(services),
    authorizeDevice: authorizeDeviceVerb(services),
    deviceToken: deviceTokenVerb(services),
    devicePage: devicePageVerb(services),
    approveDevice: approveDeviceVerb(services),
  };
}

/** An image or a frame of another origin signs nobody out: it is answered the same way, and nothing changes. */
function logoutVerb(services: SessionServices): Verb<(typeof endpoints)['logout']> {
  return async (_context, { headers }) => {
    const presented = presentedToken(headers);
    const isForeign = presented?.credential !== 'header' && !isOwnRequest(headers, services.publicAddress);
    if (isForeign) return { status: 302, headers: { location: '/profile' } };
    if (presented !== undefined) await services.tokens.revoke(presented.token);
    return { status: 302, headers: { location: '/profile', 'set-cookie': clearedSessionCookie(isSecure(services)) } };
  };
}

/** Our token ends with the one that it was exchanged for: an exchange must not prolong somebody's access. */
function exchangeVerb(services: SessionServices): Verb<(typeof endpoints)['exchangeToken']> {
  return async (_context, { body }) => {
    const { identity, exp } = await services.trustedIssuers.identify(body.token);
    return { status: 200, body: await services.tokens.issue(identity, { notAfter: exp }) };
  };
}
