import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server, ServerOptions } from 'node:http';
import type { Express } from 'express';
import { LIMITS } from '@repoless/contract/limits.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * An HTTP server whose requests and responses are Express's from the start. Express sets their prototypes on each request,
 * which makes every later access slow; here it finds them set already. Call it once for an app, before the first request.
 *
 * `silence`: milliseconds after which a connection is ended on which nothing moves, though a request is answered: whoever asks
 * and does not read keeps a file open, and bytes in memory.
 */
export function createExpressServer(
  app: Express,
  options: ServerOptions,
  listener: Listener,
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
