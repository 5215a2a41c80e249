import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Addresses } from '../addresses.ts';
import { identityEndpoints } from '../sign-in-as.ts';
import { listen, type Running, sendFile } from '../web.ts';

export interface ConsoleOptions {
  readonly port: number;
  /** The built web app. */
  readonly folder: string;
  /** The script that the content package installs in an authoring system. */
  readonly scriptFolder: string;
  readonly addresses: Addresses;
  readonly clientId: string;
  /** The audience of the authoring system's tokens. */
  readonly resource: string;
  readonly organization: string;
  readonly extensionId: string;
  /** The service runs in front of the stand-in of the hosted one. */
  readonly hosted?: boolean;
}

/**
 * The console of the authoring system: its web app, and on the same origin everything that the app requests (the authoring system, the
 * sites' preview hosts, the token endpoint, the faults), so that the browser needs no CORS from systems that have none in reality.
 */
export function startConsole(options: ConsoleOptions): Promise<Running> {
  return listen(options.port, (request, response) => {
    void answer(options, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(502, TEXT);
      response.end('The console cannot respond. Is the sandbox still running?\n');
    });
  });
}

async function answer(options: ConsoleOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', options.addresses.console);
  if (url.pathname === '/console/settings.json') {
    response.writeHead(200, JSON_HEADERS).end(JSON.stringify(await settings(options)));
    return;
  }
  if (url.pathname === '/console/token') {
    passOn(request, response, new URL((await identityEndpoints(options.addresses.identity)).token));
    return;
  }
  const author = ENVIRONMENTS.find(({ id }) => url.pathname.startsWith(`/author/${id}/`));
  if (author !== undefined) {
    const path = url.pathname.slice(`/author/${author.id}`.length);
    passOn(request, response, new URL(`${path}${url.search}`, options.addresses[author.address]));
    return;
  }
  const preview = PREVIEW.exec(url.pathname);
  if (preview !== null) {
    passOn(request, response, new URL(`http://${preview[1] ?? ''}.${options.addresses.previewDomain}${preview[2] ?? ''}`));
    return;
  }
  if (options.hosted === true && url.pathname === '/console/hosted') {
    passOn(request, response, new URL('/sandbox/hosted', options.addresses.hosted));
    return;
  }
  const system = [...SYSTEMS, HOSTED].find(({ id }) => url.pathname === `/console/faults/${id}`);
  if (system !== undefined) {
    passOn(request, response, new URL('/sandbox/faults', options.addresses[system.address]));
    return;
  }
  if (url.pathname.startsWith(SCRIPTS)) {
    request.url = url.pathname.slice(SCRIPTS.length - 1);
    await sendFile(options.scriptFolder, request, response);
    return;
  }
  response.setHeader('permissions-policy', PERMISSIONS);
  await sendFile(options.folder, request, response);
}

/** The settings of the console's page, which parses them (sandbox/console/settings.ts). */
async function settings(options: ConsoleOptions) {
  const { addresses } = options;
  const { authorization } = await identityEndpoints(addresses.identity);
  return {
    environments: ENVIRONMENTS.map(({ id, title, address }) => ({ id, title, address: addresses[address] })),
    extension: { id: options.extensionId, address: addresses.extension },
    backend: addresses.backend,
    previewDomain: addresses.previewDomain,
    codeHost: addresses.codeHost,
    identity: { authorization, clientId: options.clientId, resource: options.resource },
    organization: options.organization,
    systems: [...SYSTEMS, ...(options.hosted === true ? [HOSTED] : [])].map(({ id, title }) => ({ id, title })),
    ...(options.hosted === true ? { hosted: true } : {}),
  };
}

const ENVIRONMENTS = [
  { id: 'p100-e200', title: 'Program 100, environment 200', address: 'author' },
  { id: 'p100-e300', title: 'Program 100, environment 300', address: 'secondAuthor' },
] as const;
const SYSTEMS = [
  { id: 'authoring-system', title: 'Authoring system', address: 'author' },
  { id: 'code-host', title: 'Code host', address: 'codeHost' },
  { id: 'identity-provider', title: 'Identity provider', address: 'identity' },
  { id: 'vendor-host', title: 'External git vendor', address: 'vendorHost' },
] as const;
const HOSTED = { id: 'hosted-service', title: 'Hosted service', address: 'hosted' } as const;
/** The path at which the content package installs it. */
const SCRIPTS = '/apps/repoless/clientlibs/site-setup/js/';
/** `/preview/<label>/<path>`: a file of a site's preview host. */
const PREVIEW = /^\/preview\/([a-z0-9-]+)(\/.+)$/;
/** For the console only: no frame in it may use the clipboard. */
const PERMISSIONS = 'clipboard-read=(self), clipboard-write=(self)';
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/**
 * Proxies a request to a program of the sandbox and streams its response. Not every machine resolves `*.localhost`, so the connection goes
 * to loopback and only the Host header has the name.
 */
function passOn(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const headers: OutgoingHttpHeaders = { host: target.host };
  for (const name of ['authorization', 'accept', 'content-type', 'content-length']) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const onward = httpRequest(
    { host: '127.0.0.1', port: target.port, method: request.method, path: `${target.pathname}${target.search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, {
        'content-type': answer.headers['content-type'] ?? 'application/octet-stream',
        'cache-control': 'no-store',
      });
      pipeline(answer, response, () => undefined);
    },
  );
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${target.host} does not respond.\n`);
  });
  response.on('close', () => onward.destroy());
  pipeline(request, onward, () => undefined);
}
