import pg from 'pg';

export interface ListenOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  /** Each payload that comes. */
  heard(payload: string): void;
  /** The connection was lost, or is there again: something may have been missed. */
  missed(): void;
  log(message: string, error: unknown): void;
}

/** Listens to the news of other nodes on a connection of its own, and connects again when that is lost. Resolves when it listens. */
export async function listen(options: ListenOptions): Promise<{ close(): Promise<void> }> {
  let closed = false;
  let client = await connected(options, lost);
  let retry: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;

  function lost(error: unknown): void {
    if (closed || retry !== undefined) return;
    options.log('The news of other nodes is interrupted; connecting again.', error);
    options.missed();
    retry = setTimeout(() => void again(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
  async function again(): Promise<void> {
    retry = undefined;
    try {
      const next = await connected(options, lost);
      if (closed) return void (await next.end());
      client = next;
      pause = FIRST_PAUSE;
      options.missed();
    } catch (error) {
      lost(error);
    }
  }

  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client.end().catch(() => undefined);
    },
  };
}

async function connected({ databaseUrl, channel, heard }: ListenOptions, lost: (error: unknown) => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5000 });
  let listening = false;
  client.on('error', (error) => listening && lost(error));
  client.on('end', () => listening && lost(new Error('The connection ended.')));
  client.on('notification', (message) => heard(message.payload ?? ''));
  await client.connect();
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  listening = true;
  return client;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;
