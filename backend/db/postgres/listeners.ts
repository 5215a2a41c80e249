import type { QueryConfig } from 'pg';
import type { KnownNode } from '../../operators/ports.ts';
import type { Row } from '../row.ts';
import { text } from '../row.ts';
import { LEASE } from '../hearing.ts';

/** A node that may use what it keeps ready. */
export interface ListeningNode {
  readonly node: string;
  /** Its address as the database sees it, and its process, for the log. */
  readonly name: string;
  /** Milliseconds until its lease runs out, by the clock of the database. */
  readonly remaining: number;
}

/**
 * Registers a node for one more lease, if its connection listens to the channel; no row is answered where it does not: a pooler
 * may have changed the session behind the same connection.
 */
export function register({
  node,
  process,
  channel,
}: {
  readonly node: string;
  readonly process: number;
  readonly channel: string;
}): QueryConfig {
  return { ...REGISTER, values: [channel, node, `process ${process}`] };
}

/** The same question where nothing can be written, and so nobody has to be waited for. */
export function stillListening(channel: string): QueryConfig {
  return { ...STILL_LISTENING, values: [channel] };
}

/** A node that ends uses nothing any more. */
export function unregister(node: string): QueryConfig {
  return { name: 'unregister', text: 'delete from listeners where node = $1', values: [node] };
}

/** Nodes that have been away for long. */
export const FORGET_GONE = {
  text: `delete from listeners where node in
    (select node from listeners where heard_until < clock_timestamp() - interval '1 hour' for update skip locked)`,
};

export function othersThan(node: string): QueryConfig {
  return { ...OTHERS, values: [node] };
}

/** In: a row of `KNOWN_NODES`, and the node that asks. */
export function knownNode(row: Row, self: string): KnownNode {
  return { name: text(row, 'name'), self: text(row, 'node') === self, hears: row['hears'] === true };
}

export function listeningNode(row: Row): ListeningNode {
  return { node: text(row, 'node'), name: text(row, 'name'), remaining: Number(row['remaining']) };
}

const REGISTER = {
  name: 'register',
  text: `insert into listeners (node, name, heard_until)
    select $2, concat_ws(', ', host(inet_client_addr()), $3::text), clock_timestamp() + interval '${LEASE} milliseconds' from pg_listening_channels() as channel where channel = $1
    on conflict (node) do update set heard_until = excluded.heard_until`,
};
const STILL_LISTENING = { name: 'still-listening', text: 'select 1 from pg_listening_channels() as channel where channel = $1' };
/** Those that were heard of within a minute: one that was killed is among them for a while, and does not hear. */
export const KNOWN_NODES = {
  name: 'known-nodes',
  text: `select node, name, heard_until > clock_timestamp() as hears from listeners
    where heard_until > clock_timestamp() - interval '1 minute' order by name, node`,
};
const OTHERS = {
  name: 'other-listeners',
  text: `select node, name, extract(epoch from heard_until - clock_timestamp())::float8 * 1000 as remaining
    from listeners where node <> $1 and heard_until > clock_timestamp()`,
};
