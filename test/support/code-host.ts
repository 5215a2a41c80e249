import type { Running } from '@repoless/sandbox/web.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A code host that has these organizations and no file: as much as claiming by an operator needs. */
export async function startOrganizations(...names: readonly string[]): Promise<Running> {
  const server = createServer((request, response) => {
    const [, org] = /^\/orgs\/([^/]+)$/.exec(request.url ?? '') ?? [];
    response.writeHead(org !== undefined && names.includes(org) ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
