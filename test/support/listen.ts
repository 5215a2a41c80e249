import type { AddressInfo, Server } from 'node:net';

/** Starts a server on a free port of this machine. `stop` also ends its open connections. */
export async function listen(server: Server & { closeAllConnections?(): void }) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections?.();
      await closed;
    },
  };
}
