import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * What config.json is measured against: node:http that sends a constant buffer, its bytes read from standard input; to a
 * request with `if-none-match` a 304 with that etag, which HTTP demands of one. Prints its port.
 */
const bytes = Buffer.from(await text(process.stdin));
const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };

const server = createServer((request, response) => {
  const etag = request.headers['if-none-match'];
  if (etag !== undefined) return void response.writeHead(304, { etag }).end();
  response.writeHead(200, headers).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? (address?.port ?? '') : ''}\n`);
});
