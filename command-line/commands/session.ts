import { CommandLineMessage, sessionEndpoints } from '@repoless/contract/session.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { pollDeviceSignIn, startDeviceSignIn } from '@repoless/core/api/sign-in.ts';
import { exchange, parseJson } from '@repoless/core/api/exchange.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { readCredential } from '@repoless/upstream/credential.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must, openTokenStore } from '../connect.ts';
import { failureLine, notKnown } from '../explain.ts';
import { hostedPath } from '@repoless/upstream/call.ts';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Signs in by a device authorization (RFC 8628) and stores the token. The token itself is never shown. */
export async function login(context: CliContext, options: Options): Promise<CommandResult> {
  const { service, hosted } = await connect(context, options);
  if (hosted !== undefined) return await loginAtHosted(context, options, { service, page: service });
  const { fetch, signal, wait, now } = context;
  const anonymous = createClient({ service, token: async () => undefined, fetch });
  const behind = must(await createServicePort(anonymous).info(), notKnown).hosted;
  if (behind !== undefined) return await loginAtHosted(context, options, { service, page: behind });
  const device = must(await startDeviceSignIn(anonymous), notKnown);
  context.err(`${messages.login.open(device.verification_uri_complete, device.user_code)}\n`);
  const signIn = await pollDeviceSignIn(anonymous, device, { signal, wait, now });
  switch (signIn.outcome) {
    case 'denied':
    case 'expired':
    case 'stopped':
      throw new CommandFailure(messages.login[signIn.outcome]);
    case 'failed':
      throw new CommandFailure(failureLine(signIn.failure));
    case 'signed-in':
      break;
    default:
      signIn satisfies never;
      throw new CommandFailure(messages.login.stopped);
  }
  const { token, exp } = signIn.token;
  await openTokenStore(context.configDirectory).put(service, { token, exp });
  const client = createClient({ service, token: async () => token, fetch });
  const { email } = must(await createServicePort(client).profile(), notKnown);
  const expires = new Date(exp * 1000).toISOString();
  return { code: 0, json: { service, email, expires }, lines: [messages.login.done(email, service)] };
}

/**
 * The hosted service has no device codes: its page posts the token here, also for a service in front of it. With `--paste`, reads a token
 * or an API key from standard input. Takes the service that the token is stored for, and the address of the page.
 */
async function loginAtHosted(
  context: CliContext,
  options: Options,
  { service, page }: { readonly service: string; readonly page: string },
): Promise<CommandResult> {
  const [site] = options.sites;
  if (!options.paste && (options.organization === undefined || site === undefined)) throw new UsageProblem(messages.login.whichSite);
  const token = options.paste
    ? (await context.readIn()).trim()
    : await signInAtHosted(context, page, { org: options.organization ?? '', site: site ?? '' });
  const { kind, expires } = readCredential(token);
  if (token === '' || kind === 'site-token') throw new CommandFailure(messages.login.siteTokenOnly);
  const exp = expires ?? Math.floor(context.now().getTime() / 1000) + 24 * 3600;
  await openTokenStore(context.configDirectory).put(service, { token, exp });
  const signedIn = await connect(context, options);
  const { email } = must(await createServicePort(signedIn.client).profile(), notKnown);
  return { code: 0, json: { service, email, expires: new Date(exp * 1000).toISOString() }, lines: [messages.login.done(email, service)] };
}

/** Ends the session, or with `--everywhere` every session of the person, and deletes the stored token. */
export async function logout(context: CliContext, options: Options): Promise<CommandResult> {
  const { service, client, signedIn, token, notAccepted, hosted } = await connect(context, options);
  const signOut = async () => {
    await openTokenStore(context.configDirectory).remove(service);
    return { code: 0, json: { service }, lines: [messages.logout.forgotten(service)] } as const;
  };
  // The hosted service has no call to end a session of a command line.
  if (hosted !== undefined) return await signOut();
  if (!signedIn || token === undefined) throw new CommandFailure(messages.login.needed);
  if (must(await createServicePort(client).info(), notKnown).hosted !== undefined) return await signOut();
  const answer = await client.call(sessionEndpoints.profile, { params: {} });
  if (!answer.ok) throw new CommandFailure(answer.failure.status === 401 ? notAccepted : failureLine(answer.failure));
  const { email } = answer.value.profile;
  if (options.everywhere) {
    const ended = await client.call(sessionEndpoints.endSessions, { params: { email } });
    if (!ended.ok) throw new CommandFailure(failureLine(ended.failure));
  } else {
    // Redirects to a page; only the status matters here.
    const left = await exchange(context.fetch, `${service}/logout`, { headers: { 'x-auth-token': token } });
    if (!left.ok) throw new CommandFailure(failureLine(left.failure));
    if (left.received.status !== 302) throw new CommandFailure(messages.logout.failed(left.received.status));
  }
  const tokens = openTokenStore(context.configDirectory);
  // A token from the environment may belong to someone else, whose session continues.
  if (options.everywhere || (await tokens.get(service))?.token === token) await tokens.remove(service);
  const sentence = options.everywhere ? messages.logout.everywhere : messages.logout.done;
  return { code: 0, json: { service, email, everywhere: options.everywhere }, lines: [sentence(email, service)] };
}

/** The only path that the hosted service's sign-in page posts to on a command line. */
const PATH = '/.aem/cli/login/ack';

const CLIENT = 'aem-cli';

const TIME = 300_000;

const LARGEST_BODY = 100_000;

/**
 * Signs in at the hosted service: its page posts the token to this machine after the person has pressed "Send" there. Takes the service,
 * and a site to sign in for; returns the token. Throws if the page sent none, or nothing came within five minutes.
 */
async function signInAtHosted(
  context: CliContext,
  service: string,
  site: { readonly org: string; readonly site: string },
): Promise<string> {
  const state = randomBytes(24).toString('base64url');
  let resolve: (message: CommandLineMessage) => void = () => undefined;
  const sent = new Promise<CommandLineMessage>((received) => (resolve = received));
  const { port, close } = await listening((request, response) => {
    // A client that disconnects while sending does not make the sign-in fail.
    answer(request, response, { service, state, resolve }).catch(() => response.destroy());
  });
  const redirect = `http://localhost:${port}${PATH}`;
  const query = { client_id: CLIENT, redirect_uri: redirect, state, selectAccount: 'true' };
  context.err(`${messages.login.openHosted(`${service}${hostedPath('login', 5, { ...site, ref: 'main' }, query)}`)}\n`);
  try {
    const pasted = await Promise.race([sent, context.wait(TIME, context.signal).then(() => undefined)]);
    if (pasted === undefined) throw new CommandFailure(context.signal.aborted ? messages.login.stopped : messages.login.notSent);
    if (pasted.authToken === '') throw new CommandFailure(messages.login.siteTokenOnly);
    return pasted.authToken;
  } finally {
    close();
  }
}

/** The addresses of `localhost` in a browser: if one were left free, another program on this machine could receive the token there. */
const ADDRESSES = ['127.0.0.1', '::1'];

/** How often another program may have the same port on the other address. */
const ATTEMPTS = 10;

/** Listens on one port of all addresses of `localhost` that this machine has. */
async function listening(listener: RequestListener): Promise<{ readonly port: number; close(): void }> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = [];
    const close = () =>
      servers.forEach((server) => {
        server.close();
        server.closeAllConnections();
      });
    try {
      let port = 0;
      for (const address of ADDRESSES) {
        const server = createServer(listener);
        servers.push(server);
        port = (await listens(server, port, address)) ?? port;
      }
      return { port, close };
    } catch (error) {
      close();
      if (codeOf(error) !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Returns the port; undefined if this machine does not have the address. */
function listens(server: Server, port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (ABSENT.has(codeOf(error)) ? resolve(undefined) : reject(error)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

const ABSENT: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

interface Expected {
  readonly service: string;
  readonly state: string;
  resolve(message: CommandLineMessage): void;
}

/** Other pages that post here do not know the state. Older versions of the hosted service send only a site token. */
async function answer(request: IncomingMessage, response: ServerResponse, { service, state, resolve }: Expected): Promise<void> {
  response.setHeader('access-control-allow-origin', new URL(service).origin);
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader('access-control-allow-headers', 'content-type');
  response.setHeader('access-control-allow-private-network', 'true');
  if (request.url !== PATH) return void response.writeHead(404).end();
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > LARGEST_BODY) return void response.writeHead(413).end();
  }
  const body: unknown = parseJson(text);
  const parsed = CommandLineMessage.safeParse({ authToken: '', ...Object(body) });
  if (!parsed.success || parsed.data.state !== state) return void response.writeHead(403).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  resolve(parsed.data);
}
