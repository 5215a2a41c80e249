import pg from 'pg';

/** A connection of its own, for one piece of work. Where the server ends between two statements, the next one rejects: without a listener the program would end. */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
