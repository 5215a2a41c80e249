import type { endpoints } from '@repoless/contract/endpoints.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import {
  DEVICE_GRANT,
  type ExtensionMessage,
  type sessionEndpoints,
  type SessionToken,
  type SignInMessage,
} from '@repoless/contract/session.ts';
import { requirePerson } from '../../access/permit.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import {
  askDevice,
  createDevicePace,
  createDeviceSlots,
  DEVICE_INTERVAL,
  DEVICE_TIME,
  type DeviceAnswer,
  startDeviceAuthorization,
} from '../../sessions/device.ts';
import type { SignedIn } from '../../sessions/identity.ts';
import { siteTokenOf } from '../../sessions/profile-of.ts';
import { finishSignIn, type SignInExtension, type SignInPurpose } from '../../sessions/sign-in.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { clearedSessionCookie, isFromOwnPage, presentedToken, readCookie, sessionCookie, widerNetworkOf } from '../caller.ts';
import type { RequestHeaders } from '../parse-request.ts';
import { approveDeviceOperation, devicePageOperation } from './device-page.ts';
import { commandLinePage, type HandedTokens, KEEP_OPENER, loginOperations, printSignInCookie, signInCookie } from './login.ts';
import { html, type Page, scriptValue } from './page.ts';
import { profileOperation } from './profile.ts';
import { isSecure, ownPath, pageOutcome, type SessionServices, sessionTallies, wantsPage } from './services.ts';

export type SessionOperations = { readonly [Id in keyof typeof sessionEndpoints]: HttpOperation<(typeof sessionEndpoints)[Id]> };

/** The calls of docs/contract.md 4.6. */
export function sessionOperations(given: Omit<SessionServices, 'tallies' | 'deviceSlots' | 'devicePace'>): SessionOperations {
  const devices = { deviceSlots: createDeviceSlots(), devicePace: createDevicePace(DEVICE_INTERVAL) };
  const services: SessionServices = { ...given, tallies: sessionTallies(), ...devices };
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
  const handed = async (place: NamedPlace) => ({ token, exp, siteToken: await siteTokenFor(services, context, place, token) });
  // Neither an extension nor a command line requested a session of this browser.
  const { extension, commandLine } = found;
  if (extension !== undefined)
    return pageOutcome(context, extensionPage(extension, await handed(extension)), 200, { 'set-cookie': ended, ...KEEP_OPENER });
  if (commandLine !== undefined)
    return pageOutcome(context, commandLinePage(commandLine, found.identity, await handed(commandLine)), 200, { 'set-cookie': ended });
  const session = sessionCookie(token, exp, { now: context.now(), secure: isSecure(services) });
  const cookies = { 'set-cookie': [session, ended], ...KEEP_OPENER };
  if (found.origin === undefined) {
    const goOn = ownPath(services, found.returnTo) ?? '/profile';
    return pageOutcome(context, { title: 'Signed in', goOn, main: html`<p><a href="${goOn}">Go on</a></p>` }, 200, cookies);
  }
  const { authoringToken } = found;
  const message: SignInMessage = { type: 'repoless-sign-in', token, exp, ...(authoringToken !== undefined && { authoringToken }) };
  const main = html`<p>You can close this window and go back to where you came from.</p>
    <p class="quiet">Nothing happened there? <a href="/profile">Open your profile</a>, or sign in there with the code that it shows.</p>`;
  return pageOutcome(context, { title: 'Signed in', main, script: handOver(message, found.origin) }, 200, cookies);
}

/** The site that an extension or command line named, if any. */
type NamedPlace = Pick<SignInExtension, 'org' | 'site'>;

/** For the named site, if the person may read its guarded hosts. */
async function siteTokenFor(
  { tokens }: SessionServices,
  { store }: Context,
  { org, site }: NamedPlace,
  session: string,
): Promise<SessionToken | undefined> {
  if (org === undefined || site === undefined) return undefined;
  return await siteTokenOf(tokens, store.reads, { session, org, site });
}

function extensionPage({ id, org, site }: SignInExtension, { token, exp, siteToken }: HandedTokens): Page {
  const place = { ...(org !== undefined && { org, owner: org }), ...(site !== undefined && { site, repo: site }) };
  const ofSite = siteToken && { siteToken: siteToken.token, siteTokenExpiry: siteToken.exp * 1000 };
  const message: ExtensionMessage = { action: 'updateAuthToken', authToken: token, exp: exp * 1000, ...ofSite, ...place };
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

/** Starts a device authorization (RFC 8628, section 3.1). */
function authorizeDeviceOperation(services: SessionServices): HttpOperation<(typeof endpoints)['authorizeDevice']> {
  return async (context, { body }) => {
    const { deviceAuthorizations, beginningsOfNetwork } = services.tallies;
    const network = widerNetworkOf(context.address);
    deviceAuthorizations.take(context.address, context.now());
    beginningsOfNetwork.take(network, context.now());
    const { deviceCode, userCode } = await startDeviceAuthorization(context, services.deviceSlots, { client: body?.client_id, network });
    const page = `${services.publicAddress}/device`;
    const answer = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_TIME,
      interval: DEVICE_INTERVAL,
    };
    return { status: 200, body: answer };
  };
}

/** The device requests its token (RFC 8628, section 3.4). */
function deviceTokenOperation(services: SessionServices): HttpOperation<(typeof endpoints)['deviceToken']> {
  return async (context, { body }) => {
    if (body.grant_type !== DEVICE_GRANT) return refused('unsupported_grant_type', `Send grant_type=${DEVICE_GRANT}.`);
    if (body.device_code === undefined) return refused('invalid_request', 'Send the device_code that the authorization began with.');
    const { guesses } = services.tallies;
    if (guesses.isFull(context.address, context.now())) return refused('slow_down', SENTENCES.slow_down);
    const answer = await askDevice(context, services.devicePace, body.device_code);
    if (answer.kind === 'invalid_grant') guesses.take(context.address, context.now());
    if (answer.kind !== 'allowed') return refused(answer.kind, SENTENCES[answer.kind]);
    // The person who allowed it has since ended all sessions, which includes this one.
    if (answer.issuedAfter < (await services.tokens.lastEnd(answer.identity.email))) return refused('access_denied', SENTENCES.ended);
    const seconds = Math.floor(context.now().getTime() / 1000);
    // What a session allows lasts no longer than the session itself (docs/contract.md 4.7).
    const { notAfter = Infinity } = answer;
    if (notAfter <= seconds) return refused('access_denied', SENTENCES.ended);
    const { token, exp } = await services.tokens.issue(answer.identity, { notAfter });
    const expiresIn = exp - seconds;
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: expiresIn }, user: answer.identity.email };
  };
}

const SENTENCES: Record<Exclude<DeviceAnswer['kind'], 'allowed'> | 'ended', string> = {
  authorization_pending: 'The user has not decided yet. Request again after the interval.',
  slow_down: 'The request came too soon. Increase the interval between requests by five seconds.',
  access_denied: 'The user denied the device.',
  ended: 'The session that allowed the device has ended. Start again.',
  expired_token: 'The code has expired. Start again.',
  invalid_grant: 'The device code is unknown or was already used. Start again.',
};

function refused(error: string, sentence: string): Reply {
  const code = error === 'authorization_pending' || error === 'slow_down' ? 'DEVICE_PENDING' : 'BODY_INVALID';
  return { status: 400, body: { error, error_description: sentence }, headers: { 'x-error': sentence, 'x-error-code': code } };
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
