import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * The peer of config.json: node:http that sends a constant buffer, read from standard input. Answers requests with `if-none-match`
 * by a 304 with that etag, as HTTP requires. Prints its port.
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
