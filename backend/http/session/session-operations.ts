import type { endpoints } from '@repoless/contract/endpoints.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import {
  type ExtensionMessage,
  type Profile,
  type sessionEndpoints,
  type SessionToken,
  type SignInMessage,
} from '@repoless/contract/session.ts';
import { requirePerson } from '../../access/permit.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createDevicePace, createDeviceSlots, DEVICE_INTERVAL } from '../../sessions/device.ts';
import {
  finishSignIn,
  keyProfileOf,
  profileOf,
  type SignedIn,
  type SignInExtension,
  type SignInPurpose,
  siteTokenOf,
} from '../../sessions/sign-in.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { clearedSessionCookie, isFromOwnPage, isOwnRequest, presentedToken, readCookie, sessionCookie } from '../caller.ts';
import type { RequestHeaders } from '../parse-request.ts';
import { approveDeviceOperation, authorizeDeviceOperation, devicePageOperation, deviceTokenOperation } from './device.ts';
import { commandLinePage, type HandedTokens, KEEP_OPENER, loginOperations, printSignInCookie, signInCookie } from './login.ts';
import {
  html,
  type Page,
  scriptValue,
  isSecure,
  ownPath,
  pageOutcome,
  type SessionServices,
  sessionTallies,
  signedInBy,
  wantsPage,
} from './page.ts';

type SessionOperations = { readonly [Id in keyof typeof sessionEndpoints]: HttpOperation<(typeof sessionEndpoints)[Id]> };

/** The calls of docs/contract.md 4.6. */
export function sessionOperations(parts: Omit<SessionServices, 'tallies' | 'deviceSlots' | 'devicePace'>): SessionOperations {
  const devices = { deviceSlots: createDeviceSlots(), devicePace: createDevicePace(DEVICE_INTERVAL) };
  const services: SessionServices = { ...parts, tallies: sessionTallies(), ...devices };
  return {
    ...loginOperations(services),
    acknowledge: acknowledgeOperation(services),
    profile: profileOperation(services),
    logout: logoutOperation(services),
    endSessions: endSessionsOperation(services),
    keys: () => Promise.resolve({ status: 200, body: services.tokens.keySet() }),
    exchangeToken: exchangeOperation(services),
    authorizeDevice: authorizeDeviceOperation(services),
    deviceToken: deviceTokenOperation(services),
    devicePage: devicePageOperation(services),
    approveDevice: approveDeviceOperation(services),
  };
}

/** Our token expires with the one that it was exchanged for: an exchange must not prolong access. */
function exchangeOperation(services: SessionServices): HttpOperation<(typeof endpoints)['exchangeToken']> {
  return async (_context, { body }) => {
    const { identity, exp } = await services.trustedIssuers.identify(body.token);
    return { status: 200, body: await services.tokens.issue(identity, { notAfter: exp }), user: identity.email };
  };
}

/** The provider's answer: sets the cookie and redirects, or passes the token to the window that opened this one. */
function acknowledgeOperation(services: SessionServices): HttpOperation<(typeof endpoints)['acknowledge']> {
  return async (context, { params, query, headers }) => {
    try {
      if (params.idp !== services.idpName) throw new Refusal('NOT_AUTHENTICATED', 'This address completes no sign-in. Sign in again.');
      const sealed = readCookie(headers['cookie'], signInCookie(services).name);
      const answer = { state: textOf(query['state']), query: queryOf(query), sealed };
      const found = await finishSignIn(context, services, answer);
      return { ...(await signedIn(services, context, found)), user: found.identity.email };
    } catch (error) {
      if (error instanceof Refusal && wantsPage(headers)) return refusedPage(context, error);
      throw error;
    }
  };
}

async function signedIn(services: SessionServices, context: Context, found: SignedIn & SignInPurpose): Promise<Reply> {
  const { token, exp } = await services.tokens.issue(found.identity);
  const ended = printSignInCookie(services, '', 0);
  const handed = async (named: NamedSite) => ({ token, exp, siteToken: await siteTokenFor(services, context, named, token) });
  // Neither an extension nor a command line requested a session of this browser.
  const { extension, commandLine } = found;
  if (extension !== undefined)
    return pageOutcome(context, extensionPage(extension, await handed(extension)), 200, { 'set-cookie': ended, ...KEEP_OPENER });
  if (commandLine !== undefined)
    return pageOutcome(context, commandLinePage(commandLine, found.identity, await handed(commandLine)), 200, { 'set-cookie': ended });
  const session = sessionCookie(token, exp, { now: context.now(), secure: isSecure(services) });
  const cookies = { 'set-cookie': [session, ended], ...KEEP_OPENER };
  if (found.origin === undefined) {
    const redirectTo = ownPath(services, found.returnTo) ?? '/profile';
    return pageOutcome(context, { title: 'Signed in', redirectTo, main: html`<p><a href="${redirectTo}">Go on</a></p>` }, 200, cookies);
  }
  const { authoringToken } = found;
  const message: SignInMessage = { type: 'repoless-sign-in', token, exp, ...(authoringToken !== undefined && { authoringToken }) };
  const main = html`<p>You can close this window and go back to where you came from.</p>
    <p class="quiet">Nothing happened there? <a href="/profile">Open your profile</a>, or sign in there with the code that it shows.</p>`;
  return pageOutcome(context, { title: 'Signed in', main, script: handOver(message, found.origin) }, 200, cookies);
}

/** For the site that an extension or command line named, if any, if the person may read its guarded hosts. */
async function siteTokenFor(
  { tokens }: SessionServices,
  { store }: Context,
  { org, site }: NamedSite,
  session: string,
): Promise<SessionToken | undefined> {
  if (org === undefined || site === undefined) return undefined;
  return await siteTokenOf(tokens, store.reads, { session, org, site });
}

type NamedSite = Pick<SignInExtension, 'org' | 'site'>;

function extensionPage({ id, org, site }: SignInExtension, { token, exp, siteToken }: HandedTokens): Page {
  const named = { ...(org !== undefined && { org, owner: org }), ...(site !== undefined && { site, repo: site }) };
  const ofSite = siteToken && { siteToken: siteToken.token, siteTokenExpiry: siteToken.exp * 1000 };
  const message: ExtensionMessage = { action: 'updateAuthToken', authToken: token, exp: exp * 1000, ...ofSite, ...named };
  const main = html`<p>You can close this window and go back to where you came from.</p>
    <p class="quiet">
      Nothing happened there? The extension does not take messages of this service. <a href="/profile">Open your profile</a>.
    </p>`;
  const send = `chrome.runtime.sendMessage(${scriptValue(id)}, ${scriptValue(message)}, () => window.close())`;
  const script = `if (window.chrome && chrome.runtime && chrome.runtime.sendMessage) { ${send}; }`;
  return { title: 'Signed in', main, script };
}

/** The message goes to exactly that origin: a window that has navigated elsewhere gets nothing. */
function handOver(message: SignInMessage, origin: string): string {
  return `if (window.opener) { window.opener.postMessage(${scriptValue(message)}, ${scriptValue(origin)}); window.close(); }`;
}

function refusedPage(context: Context, error: Refusal): Reply {
  const { status, title } = ERRORS[error.code];
  const main = html`<p>${error.message}</p>
    <p class="actions"><a href="/login">Sign in again</a></p>`;
  const headers = { 'x-error': error.message, 'x-error-code': error.code };
  return pageOutcome(context, { title, main }, status, headers);
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]);
  return `?${new URLSearchParams(entries).toString()}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Call 9: the signed-in person; renews the cookie. */
function profileOperation(services: SessionServices): HttpOperation<(typeof endpoints)['profile']> {
  return async (context, { headers }) => {
    const found = await signedInBy(services, headers);
    if (found === undefined)
      return (await keyProfile(services, context, headers)) ?? answerSignedOut(services, context, wantsPage(headers));
    const { token, claims } = found;
    const profile = profileOf(claims, context.now());
    // A page of another origin could sign the browser in with a token of its choice.
    const isOwn = isOwnRequest(headers, services.publicAddress);
    const cookie = isOwn ? { 'set-cookie': sessionCookie(token, claims.exp, { now: context.now(), secure: isSecure(services) }) } : {};
    if (wantsPage(headers)) return profilePage(context, profile, token, cookie);
    return { status: 200, body: { status: 200, profile, links: { logout: `${services.publicAddress}/logout` } }, headers: cookie };
  };
}

/** An API key gets a description of itself, but no cookie: it is accepted only in a header. */
async function keyProfile(services: SessionServices, context: Context, headers: RequestHeaders): Promise<Reply | undefined> {
  const presented = presentedToken(headers);
  const known = presented?.credential === 'header' ? await services.tokens.readKey(presented.token) : undefined;
  if (known === undefined) return undefined;
  const profile = keyProfileOf(known.claims, known.grant, context.now());
  return { status: 200, body: { status: 200, profile, links: {} } };
}

function answerSignedOut(services: SessionServices, context: Context, page: boolean): Reply {
  const headers = { 'x-error': 'not authenticated.', 'x-error-code': 'NOT_AUTHENTICATED' };
  if (!page) {
    return { status: 401, body: { status: 401, error: 'unauthorized', links: { login: `${services.publicAddress}/login` } }, headers };
  }
  const main = html`<p>You are not signed in, or your sign-in has ended.</p>
    <p class="actions"><a href="/login">Sign in</a></p>`;
  return pageOutcome(context, { title: 'Not signed in', main }, 401, headers);
}

function profilePage(context: Context, profile: Profile, token: string, cookie: Readonly<Record<string, string>>): Reply {
  const main = html`<dl>
      ${
        profile.name === undefined
          ? ''
          : html`<dt>Name</dt>
              <dd>${profile.name}</dd>`
      }
      <dt>E-mail</dt>
      <dd>${profile.email}</dd>
      <dt>Signed in until</dt>
      <dd>${new Date(profile.exp * 1000).toUTCString()}</dd>
    </dl>
    <p>
      For calls from a command line, send the token as the header <code>x-auth-token</code>. Whoever has it can do what you may: keep it to
      yourself.
    </p>
    <details>
      <summary>Show the token</summary>
      <label for="token">Token</label>
      <textarea id="token" rows="6" readonly spellcheck="false">${token}</textarea>
    </details>
    <p class="actions">
      <button type="button" id="copy">Copy token</button>
      <a href="/logout">Sign out</a>
      <a href="/logout?everywhere=true">Sign out everywhere</a>
      <span role="status" id="copied"></span>
    </p>`;
  return pageOutcome(context, { title: profile.name ?? profile.email, main, script: COPY }, 200, cookie);
}

/**
 * Works with a token, or from a page of the service: everyone who is redirected to this address from elsewhere, or types it, is sent to the
 * profile, which has the link, and nothing changes.
 */
function logoutOperation(services: SessionServices): HttpOperation<(typeof endpoints)['logout']> {
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

/** An invalid token ends nothing: a script gets an error, and a browser the profile page that it is redirected to. */
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

/** docs/contract.md 4.6: a person's sessions are valid in every organization, so only the person and the operators may end them. */
function endSessionsOperation({ tokens }: SessionServices): HttpOperation<(typeof endpoints)['endSessions']> {
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

const COPY = `
document.getElementById('copy').addEventListener('click', async () => {
  const field = document.getElementById('token');
  const said = document.getElementById('copied');
  try {
    await navigator.clipboard.writeText(field.value);
    said.textContent = 'Copied.';
  } catch {
    document.querySelector('details').open = true;
    field.focus();
    field.select();
    said.textContent = 'The browser does not let this page copy. The token is selected: copy it with the keyboard.';
  }
});`;
