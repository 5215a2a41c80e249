import { LIMITS } from '@repoless/contract/limits.ts';
import type { Express } from 'express';
import { createServer, IncomingMessage, type RequestListener, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { answerUnreadable, malformed, refuseMalformed } from './http/early-refusals.ts';
import { type RequestLog, throttleLines } from './http/request-log.ts';

export interface ServerHandle {
  readonly port: number;
  /** From now on answers requests, including earlier ones. `fast` answers and returns true, or leaves it to the rest. */
  open(fast: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  /** It must get no new requests: each connection's next one is its last. */
  leave(): void;
  isLeaving(): boolean;
  isStopping(): boolean;
  /**
   * Answers for `delay` milliseconds more, each request as the last of its connection. Then lets running requests end while new ones are
   * refused, and closes. What is unfinished after `grace` milliseconds is cut off.
   */
  stop(times: { readonly delay: number; readonly grace: number }): Promise<void>;
}

/** Idle connections are kept longer than common proxies keep theirs, so that the proxy closes them. */
const KEEP_ALIVE = 65_000;
const IDLE = 50;
const OPTIONS = { keepAliveTimeout: KEEP_ALIVE, headersTimeout: 15_000, requestTimeout: 30_000, requireHostHeader: false };

interface ListenOptions {
  /** Milliseconds until a request must be complete, if that is more than usual. */
  readonly requestTimeout?: number;
  /** Receives several lines per second of requests that cannot be parsed, or are ambiguous. */
  readonly log: Pick<RequestLog, 'request'>;
}

/** Serves an Express app on a port. Rejects with a message if it cannot be used. */
export function listen(
  app: Express,
  { host, port }: { readonly host: string; readonly port: number },
  options: ListenOptions,
): Promise<ServerHandle> {
  const open = (server: Server) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(new Error(`Port ${port} of ${host} cannot be used. Set PORT or HOST, or stop the program that uses it.`, { cause })),
      );
      // Safe: a server that listens on a port has this form of address.
      server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
    });
  return serve({ create: (options, listener) => createExpressServer(app, options, listener), rest: app }, open, options);
}

/** `create` makes the server, and `rest` answers what `fast` leaves; `open` accepts connections and returns the port. */
export async function serve(
  { create, rest }: { create(options: ServerOptions, listener: RequestListener): Server; readonly rest: RequestListener },
  open: (server: Server) => Promise<number>,
  { requestTimeout = OPTIONS.requestTimeout, log: requestLog }: ListenOptions,
): Promise<ServerHandle> {
  let fast: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  let [leaving, stopping] = [false, false];
  let running = 0;
  let lastEnded: () => void = () => undefined;

  const log = throttleLines(requestLog.request);
  const waiting: (() => void)[] = [];

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (leaving) response.shouldKeepAlive = false;
    const refusal = malformed(request);
    if (refusal !== undefined) return refuseMalformed(request, response, refusal, log);
    if (fast === undefined) return void waiting.push(() => take(request, response));
    if (fast(request, response)) return;
    running += 1;
    response.once('close', () => {
      running -= 1;
      if (!stopping) return;
      server.closeIdleConnections();
      if (running === 0) lastEnded();
    });
    rest(request, response);
  };
  const server = create({ ...OPTIONS, requestTimeout: Math.max(requestTimeout, OPTIONS.requestTimeout) }, take);
  answerUnreadable(server, log);
  const port = await open(server);

  return {
    port,
    open(answers) {
      fast = answers;
      for (const answer of waiting.splice(0)) answer();
    },
    leave: () => void (leaving = true),
    isLeaving: () => leaving,
    isStopping: () => stopping,
    async stop({ delay, grace }) {
      leaving = true;
      if (fast !== undefined && delay > 0) await later(delay);
      stopping = true;
      if (fast === undefined) server.closeAllConnections();
      const cutOff = setTimeout(() => {
        lastEnded();
        server.closeAllConnections();
      }, grace);
      if (running > 0) await new Promise<void>((resolve) => (lastEnded = resolve));
      // Otherwise a connection whose request was answered in the meantime would wait for its next one.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

/**
 * An HTTP server whose requests and responses are Express's from the start. Express sets their prototypes on each request, which makes
 * every later access slow; here it finds them set already. Call it once for an app, before the first request.
 *
 * `silence`: milliseconds after which a connection without traffic is ended, even while a request is answered: a client that does not read
 * keeps a file open, and bytes in memory.
 */
export function createExpressServer(
  app: Express,
  options: ServerOptions,
  listener: RequestListener,
  silence = Math.max(LIMITS.silence, options.requestTimeout ?? 0),
): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  const server = createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, listener);
  server.timeout = silence;
  return server;
}
