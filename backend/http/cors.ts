import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AllowsOrigin } from './allows-origin.ts';

const METHODS = 'GET, HEAD, POST, PUT, OPTIONS, DELETE';
const ALLOWED =
  'authorization, x-auth-token, x-content-source-authorization, content-type, if-match, if-none-match, x-dry-run, mcp-protocol-version, traceparent';
const EXPOSED =
  'x-error, x-error-code, x-warning, etag, location, link, retry-after, x-request-id, x-relayed, x-ratelimit-limit, x-ratelimit-rate';
const DAY = '86400';

/**
 * Cross-origin rules (docs/contract.md 2.4): only a request with an allowed `Origin` gets an answer that its page
 * may read. `OPTIONS` on any address is answered here, without a token and before it is known which methods the address has, so it
 * names none in `allow`. Out: whether the request is answered.
 */
export function answerCors(request: IncomingMessage, response: ServerResponse, allows: AllowsOrigin): boolean {
  const { origin } = request.headers;
  response.setHeader('vary', 'origin');
  const known = origin !== undefined && allows(origin, request.url?.split('?', 1)[0] ?? '');
  if (known) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-expose-headers', EXPOSED);
  }
  if (request.method !== 'OPTIONS') return false;
  if (known) {
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', ALLOWED);
    response.setHeader('access-control-max-age', DAY);
  }
  response.writeHead(204).end();
  return true;
}
