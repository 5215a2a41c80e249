import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service in front of another that announces no stored checks, like older versions without them. */
export async function olderService(newer: string): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const server = createServer((asked, answered) => passOn(newer, asked, answered));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(newer: string, asked: IncomingMessage, answered: ServerResponse): void {
  const { host: _host, 'accept-encoding': _encoding, ...headers } = asked.headers;
  const passed = request(new URL(asked.url ?? '/', newer), { method: asked.method, headers }, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => void parts.push(part));
    answer.on('end', () => {
      const text = Buffer.concat(parts)
        .toString()
        .replace(/,\s*"checks"/, '');
      const { 'content-length': _length, 'transfer-encoding': _transfer, ...more } = answer.headers;
      answered.writeHead(answer.statusCode ?? 500, more).end(text);
    });
  });
  asked.pipe(passed);
}
