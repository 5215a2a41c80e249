import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.ts';
import type { RequestLog } from './ports.ts';

/** Gives the request its id, returns it to the caller, and logs one line when the answer is out. Out: the id. */
export function beginRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { newId, log }: { newId: () => string; log: Pick<RequestLog, 'request'> },
): string {
  const began = performance.now();
  const { method = '', url = '', headers } = request;
  const [given] = [headers['x-request-id']].flat();
  const requestId = requestIdOf(given, newId);
  response.setHeader('x-request-id', requestId);
  response.once('close', () => {
    const milliseconds = Math.round((performance.now() - began) * 100) / 100;
    log.request({ requestId, method, path: pathOf(url), status: response.statusCode, milliseconds });
  });
  return requestId;
}

/** The id that `beginRequest` gave. */
export function requestIdOfResponse(response: ServerResponse): string {
  return String(response.getHeader('x-request-id') ?? '');
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
