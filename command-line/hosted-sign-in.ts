import { CommandLineMessage } from '@repoless/contract/session.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { hostedPath } from '@repoless/upstream/addresses.ts';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CliContext, CommandFailure } from './cli-context.ts';

/** The only path that the hosted service's sign-in page posts to on a command line. */
const PATH = '/.aem/cli/login/ack';
const CLIENT = 'aem-cli';
/** Milliseconds to sign in. */
const TIME = 300_000;
const LARGEST_BODY = 100_000;

/**
 * Signs in at the hosted service: its page posts the token to this machine after the person has pressed "Send" there. Takes the service,
 * and a site to sign in for; returns the token. Throws if the page sent none, or nothing came within five minutes.
 */
export async function signInAtHosted(
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
    const given = await Promise.race([sent, context.wait(TIME, context.signal).then(() => undefined)]);
    if (given === undefined) throw new CommandFailure(context.signal.aborted ? messages.login.stopped : messages.login.notSent);
    if (given.authToken === '') throw new CommandFailure(messages.login.siteTokenOnly);
    return given.authToken;
  } finally {
    close();
  }
}

/** What `localhost` means to a browser: on an address that is left free, another program of this machine would be sent the token. */
const ADDRESSES = ['127.0.0.1', '::1'];
/** Times that another program may have the same port on the other address. */
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

/** Out: the port; undefined where this machine has no such address. */
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
