import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { LIMITS } from '#contract/limits.ts';

/** An HTTP server without Express, for what is answered or passed on without it; connections end as those of `createExpressServer` do. */
export function createPlainServer(options: ServerOptions, listener: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(options, listener);
  server.timeout = Math.max(LIMITS.silence, options.requestTimeout ?? 0);
  return server;
}
