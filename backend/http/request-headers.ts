import type { IncomingMessage } from 'node:http';
import type { RequestHeaders } from './ports.ts';

/** The headers of a request, lower-cased; several values of one header are joined as HTTP allows. */
export function requestHeaders(request: IncomingMessage): RequestHeaders {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}
