import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { Profile } from '@repoless/contract/session.ts';
import type { Context } from '../../domain/context.ts';
import { keyProfileOf, profileOf } from '../../sessions/profile-of.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { isOwnRequest, presentedToken, sessionCookie } from '../caller.ts';
import type { RequestHeaders } from '../parse-request.ts';
import { html } from './page.ts';
import { isSecure, pageOutcome, type SessionServices, signedInBy, wantsPage } from './services.ts';

/** Call 9: the signed-in person; renews the cookie. */
export function profileOperation(services: SessionServices): HttpOperation<(typeof endpoints)['profile']> {
  return async (context, { headers }) => {
    const found = await signedInBy(services, headers);
    if (found === undefined) return (await keyProfile(services, context, headers)) ?? nobody(services, context, wantsPage(headers));
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

function nobody(services: SessionServices, context: Context, page: boolean): Reply {
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
