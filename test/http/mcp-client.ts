import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { SetupWorld } from '../setup/setup-world.ts';

/** Connects an assistant to a service; its client sends these headers. */
export async function connectTo(address: string, headers: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport: unknown = new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } });
  await client.connect(ownTypes(transport));
  return client;
}

/** The same as a person with the tokens of both systems. */
export async function connectAs({ backend, author }: SetupWorld, person: string, address = backend.address): Promise<Client> {
  return connectTo(address, {
    authorization: `Bearer ${await backend.token(person)}`,
    'x-content-source-authorization': `Bearer ${await author.issuer.token(person, { expires: '1h' })}`,
  });
}

// Safe: the SDK's own transport; the optional members of its types are not exact.
function ownTypes(transport: unknown): Parameters<Client['connect']>[0] {
  return transport as Parameters<Client['connect']>[0];
}
