import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';
import { SessionNotFound } from 'oidc-provider/lib/helpers/errors.js';
import { faultSwitch } from '../faults.ts';
import type { Running } from '../running.ts';
import { listen } from '../web/listen.ts';
import { accountByEmail, PASSWORD } from './accounts.ts';
import { persistedKeys, persistedState } from './persisted-state.ts';
import { createProvider } from './provider.ts';
import { signInPage } from './sign-in-page.ts';

export interface IdentityProviderOptions {
  readonly port: number;
  /** The address of the service, where its sign-ins come back to. */
  readonly backend: string;
  /** The address of the authoring system's console, where its sign-ins come back to. */
  readonly console: string;
  /** Keys and sessions are kept here. */
  readonly dataDir: string;
  /** Seconds that a token for the authoring system lives; a day unless set. */
  readonly tokenLifetime?: number;
}

const DAY = 86_400;

/** Starts the identity provider of the sandbox: OpenID Connect for people, client credentials for technical accounts. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<Running> {
  const [keys, state] = await Promise.all([persistedKeys(options.dataDir), persistedState(options.dataDir)]);
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const faults = faultSwitch();
  const running = await listen(options.port, (request, response) => faults.stand(request, response, () => answer(request, response)));
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
