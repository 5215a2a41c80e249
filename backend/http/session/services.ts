import type { Context } from '#backend/domain/context.ts';
import type { IdentityProvider, TrustedIssuers } from '#backend/domain/sessions/ports.ts';
import type { TokenClaims } from '#backend/domain/sessions/token-claims.ts';
import type { Tokens } from '#backend/domain/sessions/tokens.ts';
import type { Outcome } from '#backend/domain/verb.ts';
import { presentedToken } from './authenticate.ts';
import type { RequestHeaders } from './authenticate.ts';
import { isOwnRequest } from './own-request.ts';
import { printPage } from './page.ts';
import type { Page } from './page.ts';

/** What signing in needs. */
export interface SessionServices {
  readonly tokens: Tokens;
  readonly identityProvider: IdentityProvider;
  readonly trustedIssuers: TrustedIssuers;
  /** Name of the identity provider in addresses: `/auth/{idpName}/ack`. */
  readonly idpName: string;
  /** Scheme, host and port of the service, without a trailing slash. */
  readonly publicAddress: string;
  /** Origins whose windows may be handed a token. */
  readonly allowedOrigins: readonly string[];
}

/** Browsers ask for pages by name; everything else, `*` + `/*` included, is answered as JSON. */
export function wantsPage(headers: RequestHeaders): boolean {
  return (headers['accept'] ?? '').includes('text/html');
}

/** Who is signed in, and by which token. A cookie that another origin makes the browser send counts as none. */
export async function signedInBy(
  services: SessionServices,
  headers: RequestHeaders,
): Promise<{ token: string; claims: TokenClaims } | undefined> {
  const presented = presentedToken(headers);
  if (presented === undefined) return undefined;
  if (presented.credential === 'cookie' && !isOwnRequest(headers, services.publicAddress)) return undefined;
  const claims = await services.tokens.read(presented.token);
  return claims && { token: presented.token, claims };
}

export function isSecure(services: SessionServices): boolean {
  return services.publicAddress.startsWith('https:');
}

export function pageOutcome(context: Context, page: Page, status = 200, headers: Outcome['headers'] = {}): Outcome {
  const printed = printPage(page, context.newId());
  return { status, body: printed.body, headers: { ...printed.headers, ...headers } };
}

/** A path of this service, or undefined where the text would lead anywhere else. */
export function ownPath(services: SessionServices, text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text, services.publicAddress)) return undefined;
  const url = new URL(text, services.publicAddress);
  return url.origin === new URL(services.publicAddress).origin ? `${url.pathname}${url.search}` : undefined;
}
