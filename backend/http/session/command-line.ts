import type { CommandLineMessage, SessionToken } from '@repoless/contract/session.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Identity } from '../../sessions/identity.ts';
import type { SignInCommandLine } from '../../sessions/sign-in.ts';
import { html, scriptValue } from './page.ts';
import type { Page } from './page.ts';

/** What clients of the public API call their command line. */
export const COMMAND_LINE = 'aem-cli';

interface AskedClient {
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly state?: string | undefined;
  readonly extensionId?: string | undefined;
  readonly org?: string | undefined;
  readonly site?: string | undefined;
}

/**
 * The command line that waits for a sign-in; undefined where none does. Refuses every other client, and every other place than the one
 * where it waits, before anybody signs in: what has no address of this machine could be anybody's.
 */
export function waitingCommandLine({
  client_id: client,
  redirect_uri: redirect,
  state,
  extensionId,
  org,
  site,
}: AskedClient): SignInCommandLine | undefined {
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
/** As it is written, not as a URL reads it: no user, query or fragment, and no other spelling of the host. */
const ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1):(\d{1,5})\/\.aem\/cli\/login\/ack$/;

function refused(sentence: string): Refusal {
  return new Refusal('QUERY_INVALID', sentence);
}

/** What somebody who signed in hands on. */
export interface HandedTokens extends SessionToken {
  readonly siteToken: SessionToken | undefined;
}

/**
 * The page that sends the tokens to a command line once the person says so: any program, and any page that knows the port, can ask.
 * Its script may call that address alone, and the tokens are in no address.
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
