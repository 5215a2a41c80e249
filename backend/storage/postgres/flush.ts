import type { ClientBase, Pool } from 'pg';
import { effectSteps } from '../effect-steps.ts';
import { changedSites } from '../effects.ts';
import type { Effects } from '../effects.ts';
import { failure } from '../group-commit.ts';
import type { Stored } from '../group-commit.ts';
import { text } from '../row.ts';
import { isUnreachable } from '../storage-error.ts';
import type { WriteStatements } from '../write-statements.ts';
import { batchValues, storeBatch, usualWrite } from './batch.ts';
import type { UsualWrite } from './batch.ts';
import { holdProfiles } from './hold-profiles.ts';

export interface FlushOptions {
  readonly pool: Pool;
  readonly statements: WriteStatements;
  readonly channel: string;
  readonly node: string;
}

/**
 * Stores a batch: the usual writes of different sites in one statement, those that stand on profiles in one transaction,
 * everything else in a transaction of its own. Of two writes of one site in a batch the second is decided again.
 */
export async function postgresFlush(options: FlushOptions, batch: readonly Effects[]): Promise<Stored[]> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) return [await storeAlone(options, only)];
  const usual = [...distinct(batch)];
  const plain = new Map(usual.filter(([, { profiles }]) => profiles.length === 0));
  const stored = outcomes(plain, await storeTogether(options.pool, options, [...plain.values()]));
  const standing = await storeStanding(options, new Map(usual.filter(([, { profiles }]) => profiles.length > 0)));
  const all: Stored[] = [];
  for (const effects of batch) {
    const outcome = stored.get(effects) ?? standing.get(effects);
    if (outcome !== undefined) all.push(outcome);
    else if (usualWrite(effects) !== undefined) all.push(CHANGED);
    else all.push(await storeAlone(options, effects).catch(failure));
  }
  return all;
}

function outcomes(batch: ReadonlyMap<Effects, UsualWrite>, stored: ReadonlySet<string>): ReadonlyMap<Effects, Stored> {
  return new Map([...batch].map(([effects, write]) => [effects, stored.has(keyOf(write)) ? DONE : CHANGED]));
}

function distinct(batch: readonly Effects[]): Map<Effects, UsualWrite> {
  const keys = new Set<string>();
  const usual = new Map<Effects, UsualWrite>();
  for (const effects of batch) {
    const write = usualWrite(effects);
    if (write === undefined || keys.has(keyOf(write))) continue;
    keys.add(keyOf(write));
    usual.set(effects, write);
  }
  return usual;
}

type Connection = Pick<ClientBase, 'query'>;

async function storeTogether(db: Connection, { channel, node }: FlushOptions, batch: readonly UsualWrite[]): Promise<ReadonlySet<string>> {
  if (batch.length === 0) return new Set();
  const { rows } = await db.query<Record<string, unknown>>({ ...storeBatch(batch), values: batchValues(batch, channel, node) });
  return new Set(rows.map((row) => `${text(row, 'org')}/${text(row, 'site')}`));
}

async function storeStanding(options: FlushOptions, batch: ReadonlyMap<Effects, UsualWrite>): Promise<ReadonlyMap<Effects, Stored>> {
  if (batch.size === 0) return new Map();
  try {
    const stored = await inTransaction(options.pool, async (client) => {
      const unchanged = await holdProfiles(client, [...batch.values()]);
      return { keep: true, result: await storeTogether(client, options, unchanged) };
    });
    return outcomes(batch, stored);
  } catch (error) {
    // One that cannot be stored takes the others back with it: then each is tried by itself.
    const apart = new Map<Effects, Stored>();
    for (const effects of batch.keys()) {
      apart.set(effects, isUnreachable(error) ? failure(error) : await storeAlone(options, effects).catch(failure));
    }
    return apart;
  }
}

async function storeAlone(options: FlushOptions, effects: Effects): Promise<Stored> {
  const usual = usualWrite(effects);
  if (usual?.profiles.length === 0) return (await storeTogether(options.pool, options, [usual])).size === 1 ? DONE : CHANGED;
  return inTransaction(options.pool, async (client) => {
    const result = await storeSteps(client, options, effects);
    return { keep: result.kind === 'done', result };
  });
}

async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<{ keep: boolean; result: T }>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const { keep, result } = await work(client);
    await client.query(keep ? 'commit' : 'rollback');
    broken = false;
    return result;
  } catch (error) {
    broken = !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function storeSteps(client: ClientBase, { statements, channel, node }: FlushOptions, effects: Effects): Promise<Stored> {
  for (const step of effectSteps(statements, effects)) {
    const { name, sql, bind } = step.statement;
    const { rows, rowCount } = await client.query<Record<string, unknown>>({ name, text: sql, values: bind(step.args) });
    const done = step.kind === 'check' ? step.holds(rows) : (rowCount ?? 0) >= step.atLeast;
    if (!done) return CHANGED;
  }
  const told = changedSites(effects).map(({ org, site }) => `${node} ${org} ${site}`);
  if (told.length > 0) await client.query(TELL, [channel, told]);
  return DONE;
}

async function rolledBack(client: ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

function keyOf({ site }: UsualWrite): string {
  return `${site.org}/${site.site}`;
}

const TELL = 'select pg_notify($1, told) from unnest($2::text[]) as told';
const DONE: Stored = { kind: 'done' };
const CHANGED: Stored = { kind: 'conflict', conflict: 'changed' };
