import type { Server } from 'node:net';

/** Rejects with a sentence where the port cannot be used. */
export function startListening(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`Port ${port} of ${host} cannot be used. Set PORT or HOST, or stop the program that uses it.`, { cause })),
    );
    server.listen(port, host, resolve);
  });
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service listens on no port. Set PORT.');
  return address.port;
}
