import type { RawBuilder } from 'kysely';
import pg, { type ClientBase, type Pool, type QueryResult } from 'pg';
import type { Writes } from '../../domain/ports.ts';
import type { Change, Compile, Query, Traced } from '../queries.ts';
import { Conflicted, isUnreachable } from '../storage-error.ts';
import { writesOn } from '../store.ts';
import { payloadOf, statementError, type Transaction, type TransactionEngine } from '../transactions.ts';
import { type Connections, requireReplicated } from './connections.ts';

interface PostgresTransactions {
  readonly pools: Connections;
  readonly compile: Compile;
  /** The channel on which the other nodes listen for changes. */
  readonly channel: string;
  readonly traced: Traced;
}

/**
 * Runs writes of one organization one after the other, on whichever node: each transaction locks the organization before it reads anything
 * of it, so that what it reads does not change until its commit.
 */
export function postgresTransactions(options: PostgresTransactions): TransactionEngine {
  const { pools, channel } = options;
  const started = (client: ClientBase) => new PostgresTransaction(client, options);
  return {
    lanes: LANES,
    transaction: (orgs, work) => pools.run((pool) => inTransaction(pool, { orgs, work, started, channel })),
  };
}

interface Work {
  readonly orgs: readonly string[];
  readonly channel: string;
  started(client: ClientBase): PostgresTransaction;
  work(transaction: Transaction): Promise<boolean>;
}

async function inTransaction(pool: Pool, { orgs, channel, started, work }: Work): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    const transaction = started(client);
    transaction.start(orgs);
    const commits = await work(transaction);
    await transaction.settled();
    if (commits) await client.query([...notifications(channel, transaction.changes), 'commit'].join('; '));
    else await client.query('rollback');
    requireReplicated(client);
    broken = false;
  } catch (error) {
    // If the server does not respond, it will not respond to this either.
    broken = isUnreachable(error) || !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Sends its statements without waiting (`pipeline` of the pool), and waits only for reads, and at the end of each write. */
class PostgresTransaction implements Transaction {
  readonly changes: Change[] = [];
  readonly writes: Writes;
  readonly rows: Query;
  failed: unknown;
  readonly #client: ClientBase;
  readonly #compile: Compile;
  readonly #traced: Traced;
  #locks = new Set<string>();
  #earlierLocks = new Set<string>();
  #inSavepoint = false;
  #sent: Promise<unknown>[] = [];

  constructor(client: ClientBase, { compile, traced }: PostgresTransactions) {
    this.#client = client;
    this.#compile = compile;
    this.#traced = traced;
    // Safe: a query declares the type of its rows.
    this.rows = (async (query) => (await this.#execute(query)).rows) as Query;
    const run = async (query: RawBuilder<unknown>) => (await this.#execute(query)).rowCount ?? 0;
    const must = async (query: RawBuilder<unknown>, atLeast = 1) => {
      const reached = async () => {
        if ((await run(query)) < atLeast) throw new Conflicted();
      };
      this.#await(reached());
      if (this.#sent.length >= MAX_SENT) await this.settled();
    };
    const writes = writesOn({
      dialect: 'postgres',
      rows: this.rows,
      run,
      must,
      may: (query) => must(query, 0),
      changed: (change) => void this.changes.push(change),
    });
    this.writes = locking(writes, (org) => this.#lock(org));
  }

  start(orgs: readonly string[]): void {
    for (const org of orgs) this.#locks.add(org);
    this.#send(['begin', ...orgs.map(lockOf)].join('; '));
  }

  async settled(): Promise<void> {
    const ends = await Promise.allSettled(this.#sent.splice(0));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async begin() {
    this.#send(this.#inSavepoint ? 'release one; savepoint one' : 'savepoint one');
    this.#inSavepoint = true;
    this.#earlierLocks = new Set(this.#locks);
  }

  async release() {
    // The next one, or the commit, releases it.
  }

  async undo() {
    this.#send('rollback to one');
    this.#locks = this.#earlierLocks;
  }

  async #execute(query: RawBuilder<unknown>): Promise<QueryResult<Record<string, unknown>>> {
    const statement = this.#compile(query);
    const { name, sql: text, parameters } = statement;
    return await this.#traced(statement, async () => {
      try {
        return await this.#client.query<Record<string, unknown>>({ name, text, values: [...parameters] });
      } catch (error) {
        throw this.#failed(error);
      }
    });
  }

  #lock(org: string): void {
    if (this.#locks.has(org)) return;
    this.#locks.add(org);
    this.#send(lockOf(org));
  }

  #send(statement: string): void {
    this.#await(this.#client.query(statement).catch((error: unknown) => Promise.reject(this.#failed(error))));
  }

  #failed(error: unknown): unknown {
    const found = statementError(error);
    if (found.failed) this.failed ??= error;
    return found.error;
  }

  #await(sent: Promise<unknown>): void {
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }
}

/** Each call takes the lock of its organization before its first statement. */
function locking(writes: Writes, lock: (org: string) => void): Writes {
  const calls = Object.entries(writes).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      const org = OF_NO_ORGANIZATION.has(name) ? undefined : orgOf(args[0]);
      if (org !== undefined) lock(org);
      return call(...args);
    },
  ]);
  // Safe: the same calls, with the same parameters and results.
  return Object.fromEntries(calls) as Writes;
}

/** Calls whose first parameter is a text other than an organization. */
const OF_NO_ORGANIZATION: ReadonlySet<string> = new Set<keyof Writes>([
  ...(['apiKey', 'deleteApiKey', 'deleteSubscription', 'siteWithContentRoot', 'contentRootsOn', 'orgOfAuthoringHost'] as const),
  ...(['releaseHost', 'sitesOfRepository', 'shortestSiteOfRepository', 'orgsOfRepository'] as const),
]);

/** The organization itself, or that of an object, of its subject, or of the secret, rollout or site in it. */
function orgOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('org' in value && typeof value.org === 'string') return value.org;
  for (const kind of ['subject', 'secret', 'rollout', 'row']) {
    const org: unknown = kind in value ? Reflect.get(Object(Reflect.get(value, kind)), 'org') : undefined;
    if (typeof org === 'string') return org;
  }
  return undefined;
}

/** Statements whose outcome is not known yet. */
const MAX_SENT = 200;

/** Held until the end of the transaction. */
function lockOf(org: string): string {
  return `select pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(org)}, 0))`;
}

function notifications(channel: string, changes: readonly Change[]): string[] {
  return [...new Set(changes.map(payloadOf))].map(
    (payload) => `select pg_notify(${pg.escapeLiteral(channel)}, ${pg.escapeLiteral(payload)})`,
  );
}

async function rolledBack(client: ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Of the ten connections of a node; the others are for reads. */
const LANES = 4;
