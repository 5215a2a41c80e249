import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * What config.json is measured against: node:http that sends a constant buffer, its bytes read from standard input; 304
 * where the request carries `if-none-match`. Prints its port.
 */
const bytes = Buffer.from(await text(process.stdin));
const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] !== undefined) return void response.writeHead(304).end();
  response.writeHead(200, headers).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? (address?.port ?? '') : ''}\n`);
});
