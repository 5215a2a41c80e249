import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg';
import { effectSteps } from '../write-set-steps.ts';
import { changesOf } from '../write-set.ts';
import type { WriteSet } from '../write-set.ts';
import { failure } from '../group-commit.ts';
import { payloadOf } from '../news.ts';
import type { Stored } from '../group-commit.ts';
import { text } from '../row.ts';
import { isUnreachable } from '../storage-error.ts';
import type { WriteStatements } from '../write-statements.ts';
import { batchValues, storeBatch, usualWrite } from './batch.ts';
import type { UsualWrite } from './batch.ts';
import type { Confirmations, Told } from './confirmations.ts';
import { queryOn, requireReplicated } from './connections.ts';
import type { Connections } from './connections.ts';
import { holdProfiles } from './hold-profiles.ts';
import { holdSiteQuota } from './hold-site-quota.ts';

export interface FlushOptions {
  readonly pools: Connections;
  readonly statements: WriteStatements;
  readonly channel: string;
  readonly confirmations: Pick<Confirmations, 'tell' | 'known'>;
}

/**
 * Stores a batch: the usual writes of different sites in one statement, those that stand on profiles or add sites in one transaction,
 * everything else in a transaction of its own. Of two writes of one site in a batch the second is decided again.
 */
export async function postgresFlush(options: FlushOptions, batch: readonly WriteSet[]): Promise<Stored[]> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0 && usualWrite(only)?.siteLimit === undefined) return [await storeAlone(options, only)];
  const usual = [...distinct(batch)];
  const plain = new Map(usual.filter(([, write]) => isPlain(write)));
  const stored = outcomes(plain, await storePlain(options, [...plain.values()]));
  const standing = await storeStanding(options, new Map(usual.filter(([, write]) => !isPlain(write))));
  const all: Stored[] = [];
  for (const writeSet of batch) {
    const outcome = stored.get(writeSet) ?? standing.get(writeSet);
    if (outcome !== undefined) all.push(outcome);
    else if (usualWrite(writeSet) !== undefined) all.push(CHANGED);
    else all.push(await storeAlone(options, writeSet).catch(failure));
  }
  return all;
}

/** Settles when no other node answers as it was before what is stored by now: the news of that came before this mark. */
export function postgresKnown({ pools, channel, confirmations }: FlushOptions): Promise<void> {
  return confirmations.known((mark) => pools.run((pool) => queryOn(pool, { text: TELL, values: [channel, [mark]] })));
}

type ToldSites = Told<ReadonlySet<string>>;

function outcomes(batch: ReadonlyMap<WriteSet, UsualWrite>, { result: stored, everywhere }: ToldSites): ReadonlyMap<WriteSet, Stored> {
  return new Map([...batch].map(([writeSet, write]) => [writeSet, stored.has(keyOf(write)) ? { kind: 'done', everywhere } : CHANGED]));
}

function distinct(batch: readonly WriteSet[]): Map<WriteSet, UsualWrite> {
  const keys = new Set<string>();
  const usual = new Map<WriteSet, UsualWrite>();
  for (const writeSet of batch) {
    const write = usualWrite(writeSet);
    if (write === undefined || keys.has(keyOf(write))) continue;
    keys.add(keyOf(write));
    usual.set(writeSet, write);
  }
  return usual;
}

type Ask = (query: QueryConfig) => Promise<QueryResult<Record<string, unknown>>>;

async function storePlain(options: FlushOptions, batch: readonly UsualWrite[]): Promise<ToldSites> {
  const store = (mark: string) => options.pools.run((pool) => storeTogether((query) => queryOn(pool, query), options, batch, mark));
  return options.confirmations.tell(store, isAny);
}

async function storeTogether(
  ask: Ask,
  { channel }: FlushOptions,
  batch: readonly UsualWrite[],
  mark: string,
): Promise<ReadonlySet<string>> {
  if (batch.length === 0) return new Set();
  const { rows } = await ask({ ...storeBatch(batch), values: batchValues(batch, { channel, mark }) });
  return new Set(rows.map((row) => `${text(row, 'org')}/${text(row, 'site')}`));
}

async function storeStanding(options: FlushOptions, batch: ReadonlyMap<WriteSet, UsualWrite>): Promise<ReadonlyMap<WriteSet, Stored>> {
  if (batch.size === 0) return new Map();
  try {
    const store = (mark: string) =>
      inTransaction(options.pools, async (client) => {
        const unchanged = await holdSiteQuota(client, await holdProfiles(client, [...batch.values()]));
        return { keep: true, result: await storeTogether((query) => client.query(query), options, unchanged, mark) };
      });
    return outcomes(batch, await options.confirmations.tell(store, isAny));
  } catch (error) {
    // One that cannot be stored takes the others back with it: then each is tried by itself.
    const apart = new Map<WriteSet, Stored>();
    for (const writeSet of batch.keys()) {
      apart.set(writeSet, isUnreachable(error) ? failure(error) : await storeAlone(options, writeSet).catch(failure));
    }
    return apart;
  }
}

async function storeAlone(options: FlushOptions, writeSet: WriteSet): Promise<Stored> {
  const usual = usualWrite(writeSet);
  if (usual !== undefined && isPlain(usual))
    return outcomes(new Map([[writeSet, usual]]), await storePlain(options, [usual])).get(writeSet) ?? CHANGED;
  const store = (mark: string) =>
    inTransaction(options.pools, async (client) => {
      const result = await storeSteps(client, options, writeSet, mark);
      return { keep: result.kind === 'done', result };
    });
  const tells = changesOf(writeSet).length > 0;
  const { result, everywhere } = await options.confirmations.tell(store, ({ kind }) => tells && kind === 'done');
  return result.kind === 'done' ? { kind: 'done', everywhere } : result;
}

function inTransaction<T>(pools: Connections, work: (client: ClientBase) => Promise<{ keep: boolean; result: T }>): Promise<T> {
  return pools.run((pool) => inTransactionOn(pool, work));
}

async function inTransactionOn<T>(pool: Pool, work: (client: ClientBase) => Promise<{ keep: boolean; result: T }>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const { keep, result } = await work(client);
    await client.query(keep ? 'commit' : 'rollback');
    requireReplicated(client);
    broken = false;
    return result;
  } catch (error) {
    // What does not respond will not respond to this either.
    broken = isUnreachable(error) || !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function storeSteps(client: ClientBase, { statements, channel }: FlushOptions, writeSet: WriteSet, mark: string): Promise<Stored> {
  for (const step of effectSteps(statements, writeSet)) {
    const [statement, args] = step.kind === 'audit' ? [statements.addAudit, { ...step.row }] : [step.statement, step.args];
    const { name, sql, bind } = statement;
    const { rows, rowCount } = await client.query<Record<string, unknown>>({ name, text: sql, values: bind(args) });
    if (step.kind === 'check' && !step.holds(rows)) return CHANGED;
    if (step.kind === 'change' && (rowCount ?? 0) < step.atLeast) return CHANGED;
  }
  const told = changesOf(writeSet).map(payloadOf);
  if (told.length > 0) await client.query(TELL, [channel, [...told, mark]]);
  return DONE;
}

async function rolledBack(client: ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** One statement alone stores it. */
function isPlain({ profiles, siteLimit }: UsualWrite): boolean {
  return profiles.length === 0 && siteLimit === undefined;
}

function isAny(stored: ReadonlySet<string>): boolean {
  return stored.size > 0;
}

function keyOf({ site }: UsualWrite): string {
  return `${site.org}/${site.site}`;
}

const TELL = 'select pg_notify($1, told) from unnest($2::text[]) as told';
const DONE: Stored = { kind: 'done' };
const CHANGED: Stored = { kind: 'conflict', conflict: 'changed' };
