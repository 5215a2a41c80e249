import { LIMITS } from '@repoless/contract/limits.ts';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Hostile, type HostileWorld, list } from './hostile-world.ts';

const HTML = { 'content-type': 'text/html' };
const MEGABYTE = 1024 * 1024;

/** A page as its content source answers it, requested complete and as a fragment. */
export function page(name: string, answer: (response: ServerResponse) => void): Hostile {
  return {
    name: `content: ${name}`,
    alsoCorrect: [502],
    async run(world) {
      world.serve('/pages/', (_request, response) => answer(response));
      await world.put('pages', { content: { source: { url: `${world.elsewhere}/pages`, type: 'markup', suffix: '.html' } } });
      const visits = ['/a', '/a.plain.html', '/a.json'].map((path) => world.visit('pages', path));
      return (await Promise.all(visits)).map(({ status }) => status);
    },
  };
}

/** Raw bytes that no proper server would send. */
const raw = (text: string) => (response: ServerResponse) => {
  response.socket?.end(text);
};

/** Sends as long as the connection is read. */
function endlessly(response: ServerResponse, piece: string | Buffer): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}

const settled = async (work: Promise<{ status: number }>) => (await work).status;

/** Hostile answers of a content source, by size, speed and truthfulness. */
export const HOSTILE_PAGES: readonly Hostile[] = [
  page('10 MB of an element that never ends', (response) => response.writeHead(200, HTML).end('<main'.repeat(2_000_000))),
  page('10 MB of nested elements', (response) => response.writeHead(200, HTML).end('<div>'.repeat(2_000_000))),
  page('10 MB of comments that are never closed', (response) => response.writeHead(200, HTML).end(`<main>${'<!--'.repeat(2_400_000)}`)),
  page('10 MB of attributes', (response) => response.writeHead(200, HTML).end(`<main ${'a=b '.repeat(2_400_000)}>`)),
  page('more than the size limit', (response) => response.writeHead(200, HTML).end(Buffer.alloc(11 * MEGABYTE, 'x'))),
  page('an endless body', (response) => endlessly(response.writeHead(200, HTML), Buffer.alloc(64 * 1024, 'x'))),
  page('an endless head', (response) => endlessly(response, 'x')),
  page('a longer length than it sends', raw('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nshort')),
  page('a shorter length than it sends', raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${'long'.repeat(10_000)}`)),
  page('two lengths', raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!')),
  page('a length that is not a number', raw('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nhello')),
  page('broken chunks', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nhello')),
  page('a chunk of more bytes than there are', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffff\r\nhello')),
  page('a protocol other than HTTP', raw('SSH-2.0-OpenSSH_9.9\r\n')),
  page('a closed connection without a response', raw('')),
  page('status 999', raw('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n')),
  page('status 000', raw('HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n')),
  page('10,000 times 100 Continue', raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(10_000))),
  page('204 with a body', raw('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello')),
  page('a redirect to itself', (response) => response.writeHead(302, { location: '/pages/a.html' }).end()),
  page('a gigabyte in a few kilobytes', (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(BOMB)),
  page('bytes that are not text', (response) => response.writeHead(200, HTML).end(Buffer.alloc(MEGABYTE, 0xff))),
  page('a content type of odd characters', raw('HTTP/1.1 200 OK\r\ncontent-type: text/html; x=\xe9\x80\r\ncontent-length: 2\r\n\r\nok')),
  page('1,900 headers', (response) => {
    for (let index = 0; index < 1900; index += 1) response.setHeader(`x-${index}`, '1');
    response.writeHead(200, HTML).end('ok');
  }),
  page('a header of 100 kB', raw(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\nok`)),
  page('line breaks in a header', raw('HTTP/1.1 200 OK\r\ncontent-type: text/html\rset-cookie: a=b\r\ncontent-length: 2\r\n\r\nok')),
  {
    name: 'content: 200 visitors of pages that get no response, while other pages are read',
    alsoCorrect: [502, 503],
    async run(world) {
      const held: ServerResponse[] = [];
      world.serve('/hanging/', (_request, response) => void held.push(response));
      await world.put('hanging', { content: { source: { url: `${world.elsewhere}/hanging`, type: 'markup', suffix: '.html' } } });
      const visits = list(200, (index) => settled(world.visit('hanging', `/${index}`)));
      const refused = await Promise.race(visits);
      while (held.length < LIMITS.pagesOfSite) await pause(10);
      // Reads for another organization are answered at once, whatever hangs here.
      const other = await world.call('GET', '/config/other/sites/bystander.json');
      for (let count = 0; count < 200 && held.length > 0; count += 32) {
        for (const response of held.splice(0)) response.writeHead(404).end();
        await pause(50);
      }
      const ended = setInterval(() => held.splice(0).forEach((response) => response.writeHead(404).end()), 20);
      return [refused, other.status, ...(await Promise.all(visits).finally(() => clearInterval(ended)))];
    },
  },
  {
    name: '20 visitors who do not read the response',
    async run(world) {
      world.serve('/pages/', (_request, response) => response.writeHead(200, HTML).end(Buffer.alloc(MEGABYTE, 'x')));
      await world.put('pages', { content: { source: { url: `${world.elsewhere}/pages`, type: 'markup', suffix: '.html' } } });
      const sockets = list(20, () => {
        const socket = connect(world.port, '127.0.0.1').pause();
        socket.on('error', () => undefined);
        socket.write('GET /large HTTP/1.1\r\nhost: main--pages--wknd.live.test\r\n\r\n');
        return socket;
      });
      const { status } = await world.visit('pages', '/other');
      for (const socket of sockets) socket.destroy();
      return [status];
    },
  },
];

/** Compressed blocks of 50 MB of zeros, 20 in a row. */
const BOMB = Buffer.concat(list(20, () => gzipSync(Buffer.alloc(50 * MEGABYTE))));

/** Sends bytes directly to the socket. */
export async function sendRaw({ port }: HostileWorld, text: string): Promise<number> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1').slice(0, 100)));
    socket.on('error', () => undefined);
    // Closing the connection silently counts as an answer.
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 400)));
    socket.end(text, 'latin1');
  });
}
