import { createServer } from 'node:net';

/** A currently free port of the loopback interface, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('No port of the loopback interface is free.');
  return address.port;
}
