import { Socket } from 'node:net';
import pg from 'pg';
import { LEASE } from '../hearing.ts';

/** The connection that listens. */
export interface Ear {
  /** Asks one question after the other. Rejects where it fails, or has no answer within the lease. */
  ask(question: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Whether it was dropped. */
  readonly gone: boolean;
  drop(): void;
}

export interface EarOptions {
  readonly databaseUrl: string;
  readonly channels: readonly string[];
  /** Each payload that comes, and on which channel. */
  heard(channel: string, payload: string): void;
  /** The connection ended or failed after it listened. */
  lost(error: unknown): void;
}

/** A new connection that listens to these channels. Rejects where it cannot be made. */
export async function connectEar({ databaseUrl, channels, heard, lost }: EarOptions): Promise<Ear> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: databaseUrl,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: LEASE,
    query_timeout: LEASE,
  });
  let [listening, gone] = [false, false];
  let last: Promise<unknown> = Promise.resolve();
  const ear: Ear = {
    ask(question) {
      const answer = last.then(() => client.query(question));
      last = answer.catch(() => undefined);
      return answer;
    },
    get gone() {
      return gone;
    },
    /** A connection that hangs would never end by itself in good order. */
    drop() {
      gone = true;
      client.end().catch(() => undefined);
      socket.destroy();
    },
  };
  client.on('error', (error) => listening && lost(error));
  client.on('end', () => listening && lost(new Error('The connection ended.')));
  client.on('notification', ({ channel, payload }) => heard(channel, payload ?? ''));
  try {
    await client.connect();
    // What this connection writes is good for a second: nobody needs to wait until it is on the disk.
    const begin = ['set synchronous_commit = off', ...channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`)];
    await client.query(begin.join(';'));
  } catch (error) {
    ear.drop();
    throw error;
  }
  listening = true;
  return ear;
}

/** Whether nothing came at all, not even an end. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
