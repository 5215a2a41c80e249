import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { startSignIn, SIGN_IN_TIME } from '../../sessions/sign-in.ts';
import type { SignInPurpose } from '../../sessions/sign-in.ts';
import type { RequestHeaders } from '../ports.ts';
import { printCookie } from './cookies.ts';
import { COMMAND_LINE, waitingCommandLine } from './command-line.ts';
import { isSecure, ownPath, wantsPage } from './services.ts';
import type { SessionServices } from './services.ts';
import type { HttpOperation, Reply } from '../answer.ts';

/** Keeps the window that opened ours in reach, so that it can be handed the token. */
export const KEEP_OPENER = { 'cross-origin-opener-policy': 'unsafe-none' };

interface LoginRequest {
  readonly origin?: string | undefined;
  readonly returnTo?: string | undefined;
  readonly extensionId?: string | undefined;
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly state?: string | undefined;
  readonly selectAccount?: boolean | undefined;
  readonly org?: string | undefined;
  readonly site?: string | undefined;
}

/** Call 8: a browser is sent to the identity provider; a client that asks for JSON gets the links. */
export function loginOperations(services: SessionServices) {
  const login: HttpOperation<(typeof endpoints)['login']> = (context, { query, headers }) => signIn(services, context, query, headers);
  const loginSite: HttpOperation<(typeof endpoints)['loginSite']> = (context, { params, query, headers }) =>
    signIn(services, context, { ...query, org: params.org, site: params.site }, headers);
  return { login, loginSite };
}

async function signIn(services: SessionServices, context: Context, query: LoginRequest, headers: RequestHeaders): Promise<Reply> {
  const asked = allowed(services, query);
  if (!wantsPage(headers)) return { status: 200, body: { links: links(services, context, asked) } };
  const { selectAccount = false } = query;
  const begun = await startSignIn(context, services, { redirect: acknowledgeAddress(services), purpose: asked, selectAccount });
  const cookie = printSignInCookie(services, begun.sealed, SIGN_IN_TIME / 1000);
  return { status: 302, headers: { location: begun.address, 'set-cookie': cookie, ...KEEP_OPENER } };
}

export function acknowledgeAddress(services: SessionServices): string {
  return `${services.publicAddress}/auth/${services.idpName}/ack`;
}

/** An origin that is not allowed, or a way back that leads elsewhere, is as if it had not been asked for. */
function allowed(services: SessionServices, query: LoginRequest): SignInPurpose {
  const commandLine = waitingCommandLine(query);
  if (commandLine !== undefined) return { commandLine };
  const { origin, returnTo, extensionId, org, site } = query;
  if (extensionId !== undefined) {
    requireListed(services, extensionId);
    return { extension: { id: extensionId, ...(org !== undefined && { org }), ...(site !== undefined && { site }) } };
  }
  const named = origin === undefined ? undefined : new URL(origin).origin;
  const path = ownPath(services, returnTo);
  return {
    ...(named !== undefined && services.allowedOrigins.includes(named) && { origin: named }),
    ...(path !== undefined && { returnTo: path }),
  };
}

/** An extension would wait for the token in vain: report it before anybody signs in. */
function requireListed({ extensionIds }: SessionServices, id: string): void {
  if (extensionIds.includes(id)) return;
  throw new Refusal(
    'QUERY_INVALID',
    'This browser extension is not allowed to receive a sign-in. Ask the operator of the service to add it to EXTENSION_IDS.',
  );
}

function links(
  services: SessionServices,
  context: Context,
  { origin, returnTo, extension, commandLine }: SignInPurpose,
): Record<string, string> {
  if (context.caller.kind === 'user') return { logout: `${services.publicAddress}/logout` };
  const url = new URL('/login', services.publicAddress);
  const { org, site } = extension ?? commandLine ?? {};
  const client = commandLine && { client_id: COMMAND_LINE, redirect_uri: commandLine.address, state: commandLine.state };
  const asked = { origin, returnTo, extensionId: extension?.id, ...client, org, site };
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  const other = new URL(url);
  other.searchParams.set('selectAccount', 'true');
  return { [`login_${services.idpName}`]: url.href, [`login_${services.idpName}_sa`]: other.href };
}

/** The Set-Cookie of a sign-in in progress. Takes the sealed value, and the seconds that it lasts; 0 removes it. */
export function printSignInCookie(services: SessionServices, sealed: string, maxAge: number): string {
  const { name, path } = signInCookie(services);
  // The redirect back comes from the provider's site: a Strict cookie would not be sent.
  return printCookie(name, sealed, { path, sameSite: 'lax', secure: isSecure(services), maxAge });
}

/**
 * Binds a sign-in to the browser that started it. Over HTTPS with a name that browsers accept only from this very host: otherwise a page of a
 * neighboring host could set one, and finish its own sign-in in somebody else's browser.
 */
export function signInCookie(services: SessionServices): { readonly name: string; readonly path: string } {
  return isSecure(services) ? { name: '__Host-sign_in', path: '/' } : { name: 'sign_in', path: '/auth' };
}
