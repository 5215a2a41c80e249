import type { endpoints } from '#contract/endpoints.ts';
import type { Context } from '#backend/domain/context.ts';
import { beginSignIn, SIGN_IN_TIME } from '#backend/domain/sessions/sign-in.ts';
import type { Outcome, Verb } from '#backend/domain/verb.ts';
import type { RequestHeaders } from './authenticate.ts';
import { printCookie } from './cookies.ts';
import { isSecure, ownPath, wantsPage } from './services.ts';
import type { SessionServices } from './services.ts';

/** Holds the browser that began a sign-in to finishing it. */
export const SIGN_IN_COOKIE = 'sign_in';
/** Keeps the window that opened ours in reach, so that it can be handed the token. */
export const KEEP_OPENER = { 'cross-origin-opener-policy': 'unsafe-none' };

interface Asked {
  readonly origin?: string | undefined;
  readonly returnTo?: string | undefined;
}

/** Call 8: a browser is sent to the identity provider; a client that asks for JSON gets the links. */
export function loginVerbs(services: SessionServices) {
  const login: Verb<(typeof endpoints)['login']> = (context, { query, headers }) => signIn(services, context, query, headers);
  const loginSite: Verb<(typeof endpoints)['loginSite']> = (context, { query, headers }) => signIn(services, context, query, headers);
  return { login, loginSite };
}

async function signIn(services: SessionServices, context: Context, query: Asked, headers: RequestHeaders): Promise<Outcome> {
  const asked = allowed(services, query);
  if (!wantsPage(headers)) return { status: 200, body: { links: links(services, context, asked) } };
  const begun = await beginSignIn(context, services.identityProvider, { redirect: acknowledgeAddress(services), purpose: asked });
  const cookie = printCookie(SIGN_IN_COOKIE, begun.browser, {
    path: '/auth',
    // The way back from the provider begins on its site: a Strict cookie would stay behind.
    sameSite: 'Lax',
    secure: isSecure(services),
    maxAge: SIGN_IN_TIME / 1000,
  });
  return { status: 302, headers: { location: begun.address, 'set-cookie': cookie, ...KEEP_OPENER } };
}

export function acknowledgeAddress(services: SessionServices): string {
  return `${services.publicAddress}/auth/${services.idpName}/ack`;
}

/** An origin that is not allowed, or a way back that leads elsewhere, is as if it had not been asked for. */
function allowed(services: SessionServices, { origin, returnTo }: Asked): Asked {
  const named = origin === undefined ? undefined : new URL(origin).origin;
  const path = ownPath(services, returnTo);
  return {
    ...(named !== undefined && services.allowedOrigins.includes(named) && { origin: named }),
    ...(path !== undefined && { returnTo: path }),
  };
}

function links(services: SessionServices, context: Context, asked: Asked): Record<string, string> {
  if (context.caller.kind === 'user') return { logout: `${services.publicAddress}/logout` };
  const url = new URL('/login', services.publicAddress);
  for (const [name, value] of Object.entries(asked)) if (typeof value === 'string') url.searchParams.set(name, value);
  return { [`login_${services.idpName}`]: url.href };
}
