import type { QueryConfig } from 'pg';
import type { KnownNode } from '../../operators/ports.ts';
import type { Row } from '../row.ts';
import { text } from '../row.ts';

/**
 * Registers a node as one that runs, if its connection listens to the channel; no row is answered where it does not: a pooler
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

/** A node that ends. */
export function unregister(node: string): QueryConfig {
  return { name: 'unregister', text: 'delete from listeners where node = $1', values: [node] };
}

/** Nodes that have been away for long. */
export const FORGET_GONE = {
  text: `delete from listeners where node in
    (select node from listeners where heard_until < clock_timestamp() - interval '1 hour' for update skip locked)`,
};

/** In: a row of `KNOWN_NODES`, and the node that asks. */
export function knownNode(row: Row, self: string): KnownNode {
  return { name: text(row, 'name'), self: text(row, 'node') === self, running: row['hears'] === true };
}

const REGISTER = {
  name: 'register',
  text: `insert into listeners (node, name, heard_until)
    select $2, concat_ws(', ', host(inet_client_addr()), $3::text), clock_timestamp() + interval '5 seconds' from pg_listening_channels() as channel where channel = $1
    on conflict (node) do update set heard_until = excluded.heard_until`,
};
const STILL_LISTENING = { name: 'still-listening', text: 'select 1 from pg_listening_channels() as channel where channel = $1' };
/** Those that were heard of within a minute: one that was killed is among them for a while, and does not hear. */
export const KNOWN_NODES = {
  name: 'known-nodes',
  text: `select node, name, heard_until > clock_timestamp() as hears from listeners
    where heard_until > clock_timestamp() - interval '1 minute' order by name, node`,
};
