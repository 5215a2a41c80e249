import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { ExtensionMessage, SessionToken, SignInMessage } from '@repoless/contract/session.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { finishSignIn } from '../../sessions/sign-in.ts';
import type { SignInExtension, SignInPurpose } from '../../sessions/sign-in.ts';
import type { SignedIn } from '../../sessions/ports.ts';
import { siteTokenOf } from '../../sessions/site-token-of.ts';
import { commandLinePage } from './command-line.ts';
import type { HandedTokens } from './command-line.ts';
import { readCookie, sessionCookie } from './cookies.ts';
import { KEEP_OPENER, printSignInCookie, signInCookie } from './login.ts';
import { html, scriptValue } from './page.ts';
import type { Page } from './page.ts';
import { isSecure, ownPath, pageOutcome, wantsPage } from './services.ts';
import type { SessionServices } from './services.ts';
import type { HttpOperation, Reply } from '../answer.ts';

/** The provider's answer: sets the cookie and goes on, or hands the token to the window that opened this one. */
export function acknowledgeOperation(services: SessionServices): HttpOperation<(typeof endpoints)['acknowledge']> {
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
  // Neither an extension nor a command line asked for a session of this browser.
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

/** The site that an extension or command line asked at, if it named one. */
type NamedPlace = Pick<SignInExtension, 'org' | 'site'>;

/** Of the site that was named, if one was and the person may read its guarded hosts. */
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

/** The message goes to exactly that origin: a window that went elsewhere meanwhile gets nothing. */
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
