import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import type { Express } from 'express';
import { createExpressServer } from '#backend/http/express-server.ts';
import { fewLines } from '#backend/http/few-lines.ts';
import { answerUnreadable, malformed, refuseMalformed } from '#backend/http/malformed.ts';
import type { RequestLog } from '#backend/http/ports.ts';

export interface ServerHandle {
  readonly port: number;
  /** From now on these answer, what came before included. `fast` answers and says true, or leaves it to the app. */
  open(fast: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  /** It shall get no new requests, and answers those that it gets. */
  isLeaving(): boolean;
  /** New requests are refused. */
  isStopping(): boolean;
  /**
   * Answers for `delay` milliseconds more, each connection's last request, until nobody sends new ones. Then lets the requests under
   * way end while new ones are refused, and closes. What is not finished `grace` milliseconds later is cut off.
   */
  stop(times: StopTimes): Promise<void>;
}

export interface StopTimes {
  readonly delay: number;
  readonly grace: number;
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

export async function listen(
  app: Express,
  where: { host: string; port: number },
  { requestTimeout = OPTIONS.requestTimeout, log }: ListenOptions,
): Promise<ServerHandle> {
  let fast: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  let [leaving, stopping] = [false, false];
  let underWay = 0;
  let lastEnded: () => void = () => undefined;

  const tell = fewLines(log.request);
  const waiting: (() => void)[] = [];
  /** The latest answer of each connection. */
  const answering = new WeakMap<Duplex, ServerResponse>();

  const server = createExpressServer(
    app,
    { ...OPTIONS, requestTimeout: Math.max(requestTimeout, OPTIONS.requestTimeout) },
    (request, response) => take(request, response),
  );
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    answering.set(request.socket, response);
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
    app(request, response);
  };
  answerUnreadable(server, (socket) => answering.get(socket), tell);
  await begin(server, where);

  return {
    port: portOf(server),
    open(answers) {
      fast = answers;
      for (const answer of waiting.splice(0)) answer();
    },
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

function begin(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`Port ${port} of ${host} cannot be used. Set PORT or HOST, or end the program that has it.`, { cause })),
    );
    server.listen(port, host, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service listens on no port. Set PORT.');
  return address.port;
}
