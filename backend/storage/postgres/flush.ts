import type { ClientBase, Pool } from 'pg';
import { effectSteps } from '../effect-steps.ts';
import { changedSites } from '../effects.ts';
import type { Effects } from '../effects.ts';
import { failure } from '../group-commit.ts';
import type { Stored } from '../group-commit.ts';
import { text } from '../row.ts';
import type { WriteStatements } from '../write-statements.ts';
import { batchValues, storeBatch, usualWrite } from './batch.ts';
import type { UsualWrite } from './batch.ts';

export interface FlushOptions {
  readonly pool: Pool;
  readonly statements: WriteStatements;
  readonly channel: string;
  readonly node: string;
}

/**
 * Stores a batch: the usual writes of different sites in one statement, everything else in a transaction of its own.
 * Of two writes of one site in a batch the second is decided again.
 */
export async function postgresFlush(options: FlushOptions, batch: readonly Effects[]): Promise<Stored[]> {
  const [only, ...others] = batch;
  const usual = others.length > 0 ? distinct(batch) : new Map<Effects, UsualWrite>();
  if (only !== undefined && others.length === 0) return [await storeAlone(options, only)];
  const stored = await storeTogether(options, [...usual.values()]);
  const outcomes: Stored[] = [];
  for (const effects of batch) {
    const write = usual.get(effects);
    if (write !== undefined) outcomes.push(stored.has(keyOf(write)) ? DONE : CHANGED);
    else if (usualWrite(effects) !== undefined) outcomes.push(CHANGED);
    else outcomes.push(await storeAlone(options, effects).catch(failure));
  }
  return outcomes;
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

async function storeTogether({ pool, channel, node }: FlushOptions, batch: readonly UsualWrite[]): Promise<ReadonlySet<string>> {
  if (batch.length === 0) return new Set();
  const { rows } = await pool.query<Record<string, unknown>>({
    ...storeBatch(batch),
    values: batchValues(batch, channel, node),
  });
  return new Set(rows.map((row) => `${text(row, 'org')}/${text(row, 'site')}`));
}

async function storeAlone(options: FlushOptions, effects: Effects): Promise<Stored> {
  const usual = usualWrite(effects);
  if (usual !== undefined) return (await storeTogether(options, [usual])).size === 1 ? DONE : CHANGED;
  const client = await options.pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const stored = await storeSteps(client, options, effects);
    await client.query(stored.kind === 'done' ? 'commit' : 'rollback');
    broken = false;
    return stored;
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
  await client.query(TELL, [channel, told]);
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
