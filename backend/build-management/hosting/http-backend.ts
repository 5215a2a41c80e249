import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { anySignal } from '#backend/git/any-signal.ts';
import { startGit } from '#backend/git/run-git.ts';

export type GitService = '/info/refs' | '/git-upload-pack' | '/git-receive-pack';

export interface GitExchange {
  readonly folder: string;
  readonly key: string;
  readonly service: GitService;
  /** Of the call: `service=git-upload-pack` or nothing. */
  readonly query: string;
  /** What git reads where that is not the body of the request as it comes: what was read of it already, and the rest. */
  readonly input?: { readonly first: Buffer; readonly rest: Readable };
  /** Bytes that may be pushed. */
  readonly sizeLimit: number;
  /** Ends git when the program stops or the time is over. */
  readonly signal: AbortSignal;
}

/**
 * Hands a call to `git http-backend` (CGI) and streams both bodies. Resolves when git has ended and all that it said is
 * sent; the answer is left open, so that a push is acknowledged after its event is kept. Out: whether git answered.
 */
export async function serveGit(exchange: GitExchange, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { folder, key, service, query, sizeLimit, signal, input } = exchange;
  const header = (name: string) => String(request.headers[name] ?? '');
  const gone = new AbortController();
  const ending = anySignal(signal, gone.signal);
  const end = () => gone.abort();
  response.once('close', end);
  if (response.destroyed) end();
  const git = await startGit({
    command: ['http-backend'],
    signal: ending,
    settings: [...SETTINGS, `safe.directory=${folder}/${key}.git`, `receive.maxInputSize=${sizeLimit}`],
    fileLimit: sizeLimit,
    environment: {
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${key}.git${service}`,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      // Of an input that was decoded nobody knows the length: git reads it to its end.
      CONTENT_LENGTH: input === undefined ? header('content-length') : '',
      HTTP_CONTENT_ENCODING: input === undefined ? header('content-encoding') : '',
      GIT_PROTOCOL: /^[\w=:.-]{0,64}$/.test(header('git-protocol')) ? header('git-protocol') : '',
      REMOTE_ADDR: request.socket.remoteAddress ?? '',
      REMOTE_USER: 'git',
    },
  }).catch((error: unknown) => {
    if (ending.aborted) return undefined;
    throw error;
  });
  if (git === undefined) return false;
  // A git that has read enough closes its input: that is no error.
  const { first, rest } = input ?? { first: undefined, rest: request };
  if (first !== undefined) git.stdin.write(first);
  if (!rest.destroyed && !git.stdin.destroyed) pipeline(rest, git.stdin, () => undefined);
  try {
    const isAnswered = await passOn(git.stdout, response);
    await git.ended.catch(() => undefined);
    return isAnswered;
  } finally {
    response.off('close', end);
    end();
  }
}

/** The CGI head becomes that of the response; what follows is passed on as it comes. */
async function passOn(output: NodeJS.ReadableStream & AsyncIterable<Buffer | string>, response: ServerResponse): Promise<boolean> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes: Buffer = Buffer.from(chunk);
    if (head === undefined) {
      if (!response.write(bytes)) await drained(response);
      continue;
    }
    head = Buffer.concat([head, bytes]);
    const at = head.indexOf('\r\n\r\n');
    if (at < 0 && head.length > LONGEST_HEAD) return false;
    if (at < 0) continue;
    writeHead(response, head.subarray(0, at).toString('latin1'));
    response.write(head.subarray(at + 4));
    head = undefined;
  }
  return head === undefined;
}

/** A client that went away never drains. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  // Whichever comes second is waited for no longer: nothing stays at the response for each piece of an answer.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
    .catch(() => undefined)
    .finally(() => over.abort());
}

/** What git says of caching is weaker than what holds for every answer here. */
function writeHead(response: ServerResponse, head: string): void {
  response.setHeader('x-relayed', 'true');
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    if (name === 'status') response.statusCode = Number.parseInt(value, 10);
    else if (name === 'content-type') response.setHeader(name, value);
  }
  // Its refusals are sentences, and some name no type.
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.flushHeaders();
}

const LONGEST_HEAD = 16_384;
const SETTINGS = [
  'http.receivepack=true',
  'http.getanyfile=false',
  'receive.fsckObjects=true',
  'receive.denyDeleteCurrent=refuse',
  'receive.unpackLimit=1',
  'receive.autogc=false',
  'receive.advertisePushOptions=false',
];
