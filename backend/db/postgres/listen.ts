import { Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import pg from 'pg';
import { isSilence } from '../storage-error.ts';
import type { Servers } from './servers.ts';

export interface ListenOptions {
  readonly servers: Servers;
  readonly channel: string;
  /** This node, and its process number, for the operators' overview. */
  readonly node: string;
  readonly process: number;
  heard(payload: string): void;
  /** The other connections of this node may be lost too: another server takes writes now, or this one stopped responding. */
  renew(): void;
  log(message: string, error: unknown): void;
}

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens for changes of all nodes on a separate connection, checks repeatedly over it that it still listens, and reconnects if it does
 * not. Missed changes need no repair: no cache keeps anything for longer than a second. Resolves when it listens.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { servers, node, log, renew } = options;
  let closed = false;
  let client: Connection | undefined = await connected(options, lost);
  let beating = false;
  let retry: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;
  client.query(FORGET_GONE).catch(() => undefined);

  function lost(one: Connection, error: unknown): void {
    one.drop();
    if (closed || one !== client) return;
    client = undefined;
    log('The notifications of other nodes are interrupted; reconnecting.', error);
    if (isSilence(error)) renew();
    again();
  }
  /** Many nodes lose a database at the same time: they should not all reconnect at once. */
  function again(): void {
    retry = setTimeout(
      () => {
        reach().catch((error: unknown) => {
          if (closed) return;
          log('The notifications of other nodes are still interrupted.', error);
          again();
        });
      },
      pause * (0.5 + Math.random()),
    );
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
  async function reach(): Promise<void> {
    if (await servers.look()) renew();
    const next = await connected(options, lost);
    if (closed) return next.drop();
    client = next;
    pause = FIRST_PAUSE;
  }
  function beat(): void {
    const one = client;
    if (one === undefined || beating) return;
    beating = true;
    prove(one, options)
      .catch((error: unknown) => lost(one, error))
      .finally(() => (beating = false));
  }

  const beats = setInterval(beat, BEAT);
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(beats);
      await Promise.race([
        client?.query({ ...UNREGISTER, values: [node] }).catch(() => undefined),
        later(GOODBYE, undefined, { ref: false }),
      ]);
      client?.drop();
    },
  };
}

class Connection extends pg.Client {
  readonly #socket: Socket;
  constructor(connectionString: string) {
    const socket = new Socket();
    super({ connectionString, stream: () => socket, keepAlive: true, connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE });
    this.#socket = socket;
  }
  /** A hanging connection would never end gracefully. */
  drop(): void {
    this.end().catch(() => undefined);
    this.#socket.destroy();
  }
}

async function connected(options: ListenOptions, lost: (client: Connection, error: unknown) => void): Promise<Connection> {
  const client = new Connection(options.servers.address());
  client.on('error', (error) => lost(client, error));
  client.on('end', () => lost(client, new Error('The connection ended.')));
  client.on('notification', ({ payload }) => options.heard(payload ?? ''));
  try {
    await client.connect();
    // What this connection writes is valid for seconds only: no one needs to wait until it is on disk.
    await client.query(`set synchronous_commit = off; listen ${client.escapeIdentifier(options.channel)}`);
    await prove(client, options);
    return client;
  } catch (error) {
    client.drop();
    throw error;
  }
}

/** Registers the node as running, if its connection listens: a pooler may have changed the session behind the same connection. */
async function prove(client: Connection, { node, process, channel }: ListenOptions): Promise<void> {
  const { rowCount } = await client
    .query({ ...REGISTER, values: [channel, node, `process ${process}`] })
    // Nothing can be written, so only the listening is verified.
    .catch((error: unknown) => (isReadOnly(error) ? client.query({ ...STILL_LISTENING, values: [channel] }) : Promise.reject(error)));
  if (rowCount !== 1)
    throw new Error('The connection does not receive notifications. A connection pooler must preserve LISTEN in sessions.');
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

/** Milliseconds. */
const BEAT = 1000;
const PATIENCE = 1500;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;
const GOODBYE = 500;

const REGISTER = {
  name: 'register',
  text: `insert into listeners (node, name, heard_until)
    select $2, concat_ws(', ', host(inet_client_addr()), $3::text), clock_timestamp() + interval '5 seconds' from pg_listening_channels() as channel where channel = $1
    on conflict (node) do update set heard_until = excluded.heard_until`,
};
const STILL_LISTENING = { name: 'still-listening', text: 'select 1 from pg_listening_channels() as channel where channel = $1' };
const UNREGISTER = { name: 'unregister', text: 'delete from listeners where node = $1' };
/** Nodes that have not been seen for long. */
const FORGET_GONE = {
  text: `delete from listeners where node in
    (select node from listeners where heard_until < clock_timestamp() - interval '1 hour' for update skip locked)`,
};

export interface KnownNodeRow {
  readonly node: string;
  readonly name: string;
  readonly hears: boolean;
}

/** Nodes seen within a minute: a killed one is still included for a while, and does not listen. */
export const KNOWN_NODES = {
  name: 'known-nodes',
  text: `select node, name, heard_until > clock_timestamp() as hears from listeners
    where heard_until > clock_timestamp() - interval '1 minute' order by name, node`,
};
