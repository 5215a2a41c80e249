import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';
import { SessionNotFound } from 'oidc-provider/lib/helpers/errors.js';
import { faultSwitch } from '../faults.ts';
import { listen, type Running } from '../web.ts';
import { accountByEmail, ACCOUNTS, PASSWORD } from './accounts.ts';
import { createProvider, persistedKeys, persistedState } from './provider.ts';

export interface IdentityProviderOptions {
  readonly port: number;
  /** The address of the service, which its sign-ins redirect to. */
  readonly backend: string;
  /** The address of the authoring system's console, which its sign-ins redirect to. */
  readonly console: string;
  /** Folder of keys and sessions. */
  readonly dataDir: string;
  /** Lifetime of a token for the authoring system, in seconds; defaults to a day. */
  readonly tokenLifetime?: number;
}

const DAY = 86_400;

/** Starts the identity provider of the sandbox: OpenID Connect for people, client credentials for technical accounts. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<Running> {
  const [keys, state] = await Promise.all([persistedKeys(options.dataDir), persistedState(options.dataDir)]);
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const faults = faultSwitch();
  const running = await listen(options.port, (request, response) => faults.handle(request, response, () => answer(request, response)));
  const { backend, console: consoleAddress, tokenLifetime = DAY } = options;
  const provider = createProvider({
    issuer: running.address,
    backend,
    console: consoleAddress,
    keys,
    adapter: state.adapter,
    tokenLifetime,
  });
  const callback = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith('/sign-in/') === true)
      void signIn(provider, request, response).catch((error: unknown) => fail(error, response));
    else void callback(request, response);
  };
  return {
    address: running.address,
    async stop() {
      faults.stop();
      await running.stop();
      await state.settled();
    },
  };
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') return sendPage(request, response, { email: '' });
  const form = new URLSearchParams(await text(request));
  const email = form.get('email') ?? '';
  const account = accountByEmail(email);
  if (account === undefined)
    return sendPage(request, response, { email, problem: 'This account does not exist. Choose one from the list.' });
  if (form.get('password') !== PASSWORD)
    return sendPage(request, response, { email, problem: `The password is wrong: it is "${PASSWORD}".` });
  await provider.interactionFinished(request, response, { login: { accountId: account.sub }, select_account: {} });
}

function sendPage(request: IncomingMessage, response: ServerResponse, entered: { email: string; problem?: string }): void {
  const nonce = randomBytes(16).toString('base64url');
  const [action = ''] = (request.url ?? '').split('?');
  response.writeHead(entered.problem === undefined ? 200 : 401, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`,
  });
  response.end(signInPage(action, nonce, entered));
}

function fail(error: unknown, response: ServerResponse): void {
  const gone = error instanceof SessionNotFound;
  response.writeHead(gone ? 400 : 500, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(
    gone
      ? 'This sign-in has expired or was used already. Go back to where you came from and sign in again.\n'
      : 'The sandbox’s identity provider failed.\n',
  );
}

/** The page for choosing an account. Takes the form's target, the entered e-mail address, and the problem with it. */
function signInPage(action: string, nonce: string, entered: { email: string; problem?: string }): string {
  const accounts = ACCOUNTS.map(
    ({ email, name, role }) =>
      `<li><button type="button" class="account" data-email="${escaped(email)}"><strong>${escaped(name)}</strong><span>${escaped(email)}</span><span>${escaped(role)}</span></button></li>`,
  );
  const problem = entered.problem === undefined ? '' : `<p role="alert" id="problem">${escaped(entered.problem)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in – sandbox identity provider</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in to the sandbox</h1>
<p>Choose an account to fill in the form. Every password is <code>${PASSWORD}</code>.</p>
<ul>${accounts.join('')}</ul>
<form method="post" action="${escaped(action)}">
${problem}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escaped(entered.email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
</main>
<script nonce="${nonce}">
for (const account of document.querySelectorAll('.account')) account.addEventListener('click', () => {
  document.getElementById('email').value = account.dataset.email;
  document.getElementById('password').value = '${PASSWORD}';
  document.querySelector('form button').focus();
});
</script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --text: #222; --quiet: #555; --ground: #eef1f4; --card: #fff; --line: #767676; --accent: #6b2fb3; --on-accent: #fff; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --quiet: #b8b8b8; --ground: #17151a; --card: #242128; --line: #8f8f8f; --accent: #c8a6f5; --on-accent: #1b1320; --wrong: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
main { max-width: 30rem; margin: 4vh auto; padding: 2rem; background: var(--card); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
ul { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .5rem; }
button { font: inherit; cursor: pointer; border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); padding: .5rem 1.1rem; }
.account { width: 100%; display: grid; text-align: start; background: transparent; color: var(--text); border-color: var(--line); }
.account span { color: var(--quiet); font-size: .9rem; }
label { display: block; margin-top: .75rem; font-weight: 600; }
input { width: 100%; font: inherit; padding: .5rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
form button { margin-top: 1.25rem; width: 100%; }
[role=alert] { color: var(--wrong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
