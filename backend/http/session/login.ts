import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { CommandLineMessage, SessionToken } from '@repoless/contract/session.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Identity } from '../../sessions/identity.ts';
import { SIGN_IN_TIME, type SignInCommandLine, type SignInPurpose, startSignIn } from '../../sessions/sign-in.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { printCookie } from '../caller.ts';
import type { RequestHeaders } from '../parse-request.ts';
import { html, type Page, scriptValue, isSecure, ownPath, type SessionServices, wantsPage } from './page.ts';

/** Preserves the reference to our opener, so that it can receive the token. */
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

/** Call 8: redirects a browser to the identity provider; a client that requests JSON gets the links. */
export function loginOperations(services: SessionServices) {
  const login: HttpOperation<(typeof endpoints)['login']> = (context, { query, headers }) => signIn(services, context, query, headers);
  const loginSite: HttpOperation<(typeof endpoints)['loginSite']> = (context, { params, query, headers }) =>
    signIn(services, context, { ...query, org: params.org, site: params.site }, headers);
  return { login, loginSite };
}

async function signIn(services: SessionServices, context: Context, query: LoginRequest, headers: RequestHeaders): Promise<Reply> {
  const purpose = allowed(services, query);
  if (!wantsPage(headers)) return { status: 200, body: { links: links(services, context, purpose) } };
  const { selectAccount = false } = query;
  const redirect = `${services.publicAddress}/auth/${services.idpName}/ack`;
  const { address, sealed } = await startSignIn(context, services, { redirect, purpose, selectAccount });
  const cookie = printSignInCookie(services, sealed, SIGN_IN_TIME / 1000);
  return { status: 302, headers: { location: address, 'set-cookie': cookie, ...KEEP_OPENER } };
}
/** A disallowed origin, or a redirect to elsewhere, is ignored. */
function allowed(services: SessionServices, query: LoginRequest): SignInPurpose {
  const commandLine = waitingCommandLine(query);
  if (commandLine !== undefined) return { commandLine };
  const { origin, returnTo, extensionId, org, site } = query;
  if (extensionId !== undefined) {
    // An extension would wait for a token that never comes: report it before anyone signs in.
    if (!services.extensionIds.includes(extensionId))
      throw refused(
        'This browser extension is not allowed to receive a sign-in. Ask the operator of the service to add it to EXTENSION_IDS.',
      );
    return { extension: { id: extensionId, ...(org !== undefined && { org }), ...(site !== undefined && { site }) } };
  }
  const named = origin === undefined ? undefined : new URL(origin).origin;
  const path = ownPath(services, returnTo);
  return {
    ...(named !== undefined && services.allowedOrigins.includes(named) && { origin: named }),
    ...(path !== undefined && { returnTo: path }),
  };
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
  const parameters = { origin, returnTo, extensionId: extension?.id, ...client, org, site };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  const other = new URL(url);
  other.searchParams.set('selectAccount', 'true');
  return { [`login_${services.idpName}`]: url.href, [`login_${services.idpName}_sa`]: other.href };
}

/** The Set-Cookie of a sign-in in progress. Takes the sealed value, and its lifetime in seconds; 0 removes it. */
export function printSignInCookie(services: SessionServices, sealed: string, maxAge: number): string {
  const { name, path } = signInCookie(services);
  // The redirect back comes from the provider's site: a Strict cookie would not be sent.
  return printCookie(name, sealed, { path, sameSite: 'lax', secure: isSecure(services), maxAge });
}

/**
 * Binds a sign-in to the browser that started it. Over HTTPS with a name that browsers accept only from this very host: otherwise a page of
 * a neighboring host could set one, and finish its own sign-in in someone else's browser.
 */
export function signInCookie(services: SessionServices): { readonly name: string; readonly path: string } {
  return isSecure(services) ? { name: '__Host-sign_in', path: '/' } : { name: 'sign_in', path: '/auth' };
}

/** The name of the command line among clients of the public API. */
const COMMAND_LINE = 'aem-cli';

/**
 * The command line that waits for a sign-in; undefined if none does. Refuses every other client, and every address other than the one where
 * it waits, before anyone signs in: an address that is not on this machine could be anyone's.
 */
function waitingCommandLine({
  client_id: client,
  redirect_uri: redirect,
  state,
  extensionId,
  org,
  site,
}: LoginRequest): SignInCommandLine | undefined {
  if (client === undefined && redirect === undefined) return undefined;
  if (client !== COMMAND_LINE) throw refused(`The only client that can be signed in this way is client_id=${COMMAND_LINE}.`);
  if (extensionId !== undefined) throw refused('Send either client_id or extensionId: only one of them can receive the sign-in.');
  const address = redirect ?? DEFAULT_ADDRESS;
  const port = Number(ADDRESS.exec(address)?.[1]);
  if (!(port > 0 && port < 65_536)) {
    throw refused('The redirect_uri of a command line is http://localhost:<port>/.aem/cli/login/ack, with nothing before or after it.');
  }
  return {
    address,
    ...(state !== undefined && { state }),
    ...(org !== undefined && { org }),
    ...(site !== undefined && { site }),
  };
}

const DEFAULT_ADDRESS = 'http://localhost:3000/.aem/cli/login/ack';
/** In its exact spelling, not as parsed as a URL: no user, query or fragment, and no other spelling of the host. */
const ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1):(\d{1,5})\/\.aem\/cli\/login\/ack$/;

function refused(sentence: string): Refusal {
  return new Refusal('QUERY_INVALID', sentence);
}

export interface HandedTokens extends SessionToken {
  readonly siteToken: SessionToken | undefined;
}

/**
 * The page that sends the tokens to a command line once the person confirms: any program, and any page that knows the port, can request it.
 * Its script may call only that address, and the tokens are in no address.
 */
export function commandLinePage({ address, state }: SignInCommandLine, { email }: Identity, { token, exp, siteToken }: HandedTokens): Page {
  const message: CommandLineMessage = {
    ...(state !== undefined && { state }),
    ...(siteToken !== undefined && { siteToken: siteToken.token }),
    authToken: token,
  };
  const main = html`<p>
      <strong>${COMMAND_LINE}</strong> at <code>${address}</code> asks to be signed in as <strong>${email}</strong>. Until
      ${new Date(exp * 1000).toUTCString()}, it could then do everything that you may do on this service.
    </p>
    <p class="quiet">Send only if you started this yourself, on this computer. Otherwise close this page.</p>
    <p class="actions">
      <button type="button" id="send">Send</button>
      <span role="status" id="sent"></span>
    </p>`;
  const script = `const TO = ${scriptValue(address)}, MESSAGE = ${scriptValue(JSON.stringify(message))};${SEND}`;
  return { title: 'Sign in a command line', main, script, connectsTo: address };
}

const SEND = `
const button = document.getElementById('send');
const said = document.getElementById('sent');
button.addEventListener('click', async () => {
  button.disabled = true;
  said.textContent = 'Sending\u2026';
  try {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: MESSAGE, credentials: 'omit', redirect: 'error' };
    const answer = await fetch(TO, options);
    if (answer.ok) {
      said.textContent = 'Sent. You can close this page.';
      window.location.replace(TO);
      return;
    }
    said.textContent = 'The command line refused the sign-in (' + answer.status + '). Start again there.';
  } catch {
    said.textContent = 'The command line did not answer. It must still be running, and accept requests from ' + window.location.origin + '. Then send again.';
    button.disabled = false;
  }
});`;
