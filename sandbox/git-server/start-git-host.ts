import express, { type Response, type Router } from 'express';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultSwitch } from '../faults.ts';
import { accountByEmail, PASSWORD } from '../identity-provider/accounts.ts';
import { listen, type Running } from '../web.ts';
import { makeRepositories, type Repositories, repositoriesIn, gitEnvironment } from './repositories.ts';
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

export interface GitHostOptions {
  readonly port: number;
  /** Folder of the repositories, and of what the host stores besides. */
  readonly dataDir: string;
}

/** Starts a git host with its seeded repositories. Its faults come before its own routes, everything else is not found. */
export async function startGitHost(
  { port, dataDir }: GitHostOptions,
  seeds: 'code-host' | 'vendor-host',
  routesOf: (folder: string, repositories: Repositories) => Router | Promise<Router>,
): Promise<Running> {
  const folder = join(dataDir, 'repositories');
  await mkdir(folder, { recursive: true });
  await makeRepositories(seeds, folder);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.handle(request, response, next));
  app.use(await routesOf(folder, repositoriesIn(folder)));
  app.use((_request, response) => notFound(response));
  const running = await listen(port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
}

export function notFound(response: Response): void {
  response.status(404).type('text').send('404: Not Found\n');
}

/** The credentials of an `authorization: Basic …` header; `account` is the person whose password they contain. */
export function basicCredentials(authorization: string | undefined): { readonly password: string; readonly account?: string } | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const password = rest.join(':');
  const account = password === PASSWORD ? accountByEmail(user)?.email : undefined;
  return { password, ...(account !== undefined && { account }) };
}

const HEAD_LIMIT = 16_384;

/** A call of git's smart HTTP protocol. */
interface GitCall {
  readonly org: string;
  readonly repo: string;
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  readonly service: string;
  readonly query: string;
  readonly pushes: boolean;
}

/** Parses `/{org}/{repo}[.git]/{service}`; undefined for every other address. */
export function gitCall(url: string): GitCall | undefined {
  const { pathname, search } = new URL(url, 'http://localhost');
  const match = GIT_PATH.exec(pathname);
  if (match === null) return undefined;
  const [, org = '', repo = '', service = ''] = match;
  const query = search.slice(1);
  const pushes = service === '/git-receive-pack' || new URLSearchParams(query).get('service') === 'git-receive-pack';
  return { org, repo, service, query, pushes };
}

/** Forwards a call to `git http-backend` (CGI) and streams its response. `account` is the person who pushes. */
export function serveGit(
  folder: string,
  call: GitCall,
  account: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // After a disconnect nothing can be read or sent.
  if (response.destroyed || request.destroyed) return;
  const header = (name: string) => String(request.headers[name] ?? '');
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: gitEnvironment({
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${call.org}/${call.repo}.git${call.service}`,
      QUERY_STRING: call.query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
      ...(account === undefined ? {} : { REMOTE_USER: account }),
    }),
  });
  backend.on('error', () => fail(response));
  // git's output for a disconnected client is dropped: there is nothing left to pipe it to.
  response.on('close', () => {
    backend.stdout.off('data', collect);
    backend.kill();
  });
  // A backend that has read enough closes its input: that is not an error.
  pipeline(request, backend.stdin, () => undefined);
  let head = Buffer.alloc(0);
  const collect = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return head.length > HEAD_LIMIT ? fail(response) : undefined;
    backend.stdout.off('data', collect).pause();
    writeHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
    pipeline(backend.stdout, response, () => undefined);
    return undefined;
  };
  backend.stdout.on('data', collect);
  backend.stdout.on('end', () => {
    if (!response.headersSent) fail(response);
  });
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('git did not respond.\n');
}

const GIT_PATH =
  /^\/([a-zA-Z0-9_-][a-zA-Z0-9_.-]*)\/([a-zA-Z0-9_-][a-zA-Z0-9_.-]*?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** A page for people who open a git host in a browser. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem">
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`;
}

/** A list of pieces of HTML. */
export function list(items: readonly string[]): string {
  return items.length === 0 ? '<p>None.</p>' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

export function link(address: string, text: string): string {
  return `<a href="${escape(encodeURI(address))}">${escape(text)}</a>`;
}

/** Branches with their commits. */
export function branchList(branches: readonly { readonly name: string; readonly commit: string }[]): string {
  return list(branches.map(({ name, commit }) => `${escape(name)} <code>${commit.slice(0, 12)}</code>`));
}

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
