import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { gitEnvironment } from './repositories.ts';

const HEAD_LIMIT = 16_384;

/** A call of git's smart HTTP protocol. */
export interface GitCall {
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
