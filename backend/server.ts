import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import type { Express } from 'express';
import { createExpressServer } from './http/express-server.ts';
import { throttleLines } from './http/request-log.ts';
import { answerUnreadable, malformed, refuseMalformed } from './http/malformed.ts';
import type { RequestLog } from './http/ports.ts';
import { startListening, portOf } from './listening.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServerHandle {
  readonly port: number;
  /** From now on these answer, what came before included. `fast` answers and says true, or leaves it to the rest. */
  open(fast: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  /** It shall get no new requests: each connection's next one is its last. */
  leave(): void;
  isLeaving(): boolean;
  /** New requests are refused. */
  isStopping(): boolean;
  /**
   * Answers for `delay` milliseconds more, each request as the last of its connection. Then lets running requests end while new ones are refused,
   * and closes. What is unfinished after `grace` milliseconds is cut off.
   */
  stop(times: StopTimes): Promise<void>;
}

export interface StopTimes {
  readonly delay: number;
  readonly grace: number;
}

/** Creates the requests and responses of a server, and answers unhandled ones. */
export interface Answering {
  create(options: ServerOptions, listener: Answer): Server;
  readonly rest: Answer;
}

/** A connection that waits for its next request is kept longer than the usual proxies keep theirs, so that they close it. */
const KEEP_ALIVE = 65_000;
const IDLE = 50;
const OPTIONS = { keepAliveTimeout: KEEP_ALIVE, headersTimeout: 15_000, requestTimeout: 30_000, requireHostHeader: false };

interface ListenOptions {
  /** Milliseconds until a request must have come whole, where that is more than usual. */
  readonly requestTimeout?: number;
  /** Gets a few lines a second of requests that cannot be read, or are not to be understood in one way alone. */
  readonly log: Pick<RequestLog, 'request'>;
}

/** Serves an app of Express on a port. Rejects with a sentence where it cannot be used. */
export function listen(
  app: Express,
  where: { readonly host: string; readonly port: number },
  options: ListenOptions,
): Promise<ServerHandle> {
  const listening = async (server: Server): Promise<number> => {
    await startListening(server, where);
    return portOf(server);
  };
  return serve({ create: (given, listener) => createExpressServer(app, given, listener), rest: app }, listening, options);
}

/** `open` lets connections come; out: the port. */
export async function serve(
  { create, rest }: Answering,
  open: (server: Server) => Promise<number>,
  { requestTimeout = OPTIONS.requestTimeout, log }: ListenOptions,
): Promise<ServerHandle> {
  let fast: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  let [leaving, stopping] = [false, false];
  let underWay = 0;
  let lastEnded: () => void = () => undefined;

  const tell = throttleLines(log.request);
  const waiting: (() => void)[] = [];

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (leaving) response.shouldKeepAlive = false;
    const refusal = malformed(request);
    if (refusal !== undefined) return refuseMalformed(request, response, refusal, tell);
    if (fast === undefined) return void waiting.push(() => take(request, response));
    if (fast(request, response)) return;
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      if (!stopping) return;
      server.closeIdleConnections();
      if (underWay === 0) lastEnded();
    });
    rest(request, response);
  };
  const server = create({ ...OPTIONS, requestTimeout: Math.max(requestTimeout, OPTIONS.requestTimeout) }, take);
  answerUnreadable(server, tell);
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
      if (underWay > 0) await new Promise<void>((resolve) => (lastEnded = resolve));
      // A connection whose request was answered meanwhile would wait for its next one.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}
