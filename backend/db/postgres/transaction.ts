import pg from 'pg';
import type { ClientBase, Pool, QueryResult } from 'pg';
import type { Writes } from '../../domain/ports.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { payloadOf } from '../change-notifier.ts';
import type { Change } from '../change-notifier.ts';
import type { ReadStatements } from '../read-statements.ts';
import { sqlReads } from '../sql-reads.ts';
import type { Query } from '../sql-reads.ts';
import { sqlWrites } from '../sql-writes.ts';
import type { Args, Statement } from '../statement.ts';
import { Conflicted, isUnreachable } from '../storage-error.ts';
import { tracedQuery } from '../traced-query.ts';
import { statementError } from '../transactions.ts';
import type { Transaction, TransactionEngine } from '../transactions.ts';
import type { WriteStatements } from '../write-statements.ts';
import { requireReplicated } from './connections.ts';
import type { Connections } from './connections.ts';

interface PostgresTransactions {
  readonly pools: Connections;
  readonly statements: { readonly read: ReadStatements; readonly write: WriteStatements };
  /** Where the other nodes hear of changes. */
  readonly channel: string;
  readonly tracing: Tracing;
}

/**
 * Writes of one organization are carried out one after the other, whichever node they come to: each transaction has the organization's lock before it
 * reads anything of it, so that what it reads stays as it is until its commit.
 */
export function postgresTransactions(options: PostgresTransactions): TransactionEngine {
  const { pools, channel } = options;
  const begun = (client: ClientBase) => new PostgresTransaction(client, options);
  return {
    lanes: LANES,
    transaction: (orgs, work) => pools.run((pool) => inTransaction(pool, { orgs, work, begun, channel })),
  };
}

interface Work {
  readonly orgs: readonly string[];
  readonly channel: string;
  begun(client: ClientBase): PostgresTransaction;
  work(transaction: Transaction): Promise<boolean>;
}

async function inTransaction(pool: Pool, { orgs, channel, begun, work }: Work): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    const transaction = begun(client);
    transaction.start(orgs);
    const isKept = await work(transaction);
    await transaction.settled();
    if (isKept) await client.query([...tellings(channel, transaction.changes), 'commit'].join('; '));
    else await client.query('rollback');
    requireReplicated(client);
    broken = false;
  } catch (error) {
    // What does not respond will not respond to this either.
    broken = isUnreachable(error) || !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Sends its statements one behind the other (`pipeline` of the pool), and waits only for what is read, and at the end of each write. */
class PostgresTransaction implements Transaction {
  readonly changes: Change[] = [];
  readonly writes: Writes;
  readonly rows: Query;
  failed: unknown;
  readonly #client: ClientBase;
  #held = new Set<string>();
  #heldBefore = new Set<string>();
  #inSavepoint = false;
  #sent: Promise<unknown>[] = [];

  constructor(client: ClientBase, { statements: { read, write }, tracing }: PostgresTransactions) {
    this.#client = client;
    const execute = tracedQuery(tracing, 'postgresql', (statement, args) => this.#execute(statement, args));
    this.rows = async (statement, args) => (await execute(statement, args)).rows;
    const run = async (statement: Statement, args: Args) => (await execute(statement, args)).rowCount ?? 0;
    const change = async (statement: Statement, args: Args, atLeast: number) => {
      const reached = async () => {
        if ((await run(statement, args)) < atLeast) throw new Conflicted();
      };
      this.#await(reached());
      if (this.#sent.length >= MOST_SENT) await this.settled();
    };
    const changed = (one: Change) => void this.changes.push(one);
    this.writes = sqlWrites(sqlReads(read, this.rows), write, { rows: this.rows, run, change, changed }, 'postgres');
  }

  start(orgs: readonly string[]): void {
    for (const org of orgs) this.#held.add(org);
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
    this.#heldBefore = new Set(this.#held);
  }

  async keep() {
    // The next one, or the commit, releases it.
  }

  async undo() {
    this.#send('rollback to one');
    this.#held = this.#heldBefore;
  }

  async #execute({ name, sql, bind }: Statement, args: Args): Promise<QueryResult<Record<string, unknown>>> {
    try {
      const { org } = args;
      if (typeof org === 'string' && !this.#held.has(org)) {
        this.#held.add(org);
        this.#send(lockOf(org));
      }
      return await this.#client.query<Record<string, unknown>>({ name, text: sql, values: bind(args) });
    } catch (error) {
      throw this.#failed(error);
    }
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

/** Statements of which nobody knows yet how they ended. */
const MOST_SENT = 200;

/** Until the end of the transaction. */
function lockOf(org: string): string {
  return `select pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(org)}, 0))`;
}

function tellings(channel: string, changes: readonly Change[]): string[] {
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
