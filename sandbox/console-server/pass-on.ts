import { request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/**
 * Sends a request on to a program of the sandbox and streams its answer back. `*.localhost` names are not resolved by every
 * machine, so the connection goes to loopback and the name travels in the Host header alone.
 */
export function passOn(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const headers: OutgoingHttpHeaders = { host: target.host };
  for (const name of ['authorization', 'accept', 'content-type', 'content-length']) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const onward = httpRequest(
    { host: '127.0.0.1', port: target.port, method: request.method, path: `${target.pathname}${target.search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, {
        'content-type': answer.headers['content-type'] ?? 'application/octet-stream',
        'cache-control': 'no-store',
      });
      pipeline(answer, response, () => undefined);
    },
  );
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${target.host} does not respond.\n`);
  });
  response.on('close', () => onward.destroy());
  pipeline(request, onward, () => undefined);
}
