import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { readTrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import type { VerifiedChain } from '#backend/domain/audit/verify-chain.ts';
import type { Store } from '#backend/domain/ports.ts';
import { openStore } from '#backend/storage/open-store.ts';
import type { StoreOptions } from '#backend/storage/open-store.ts';
import type { Row } from '#backend/storage/row.ts';
import { connectWriter } from '#backend/storage/sqlite/connect.ts';
import { openCopy } from '#backend/storage/verify/open-copy.ts';

interface Key {
  readonly id: string;
  readonly key: string;
}

export function newKey(id: string): Key {
  return { id, key: randomBytes(32).toString('base64') };
}

export function keysOf(...keys: readonly Key[]): TrailKeys {
  return readTrailKeys(JSON.stringify({ keys }));
}

export async function withStore(options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(options);
  await work(store).finally(() => store.close());
}

/** What is not sealed yet is sealed when the service ends, at the latest. */
export function sealed(options: StoreOptions, trailKeys: TrailKeys): Promise<void> {
  return withStore({ ...options, trailKeys }, async () => undefined);
}

/** Twelve entries of "acme", sealed when all of them were there. */
export async function fillTrail(options: StoreOptions, trailKeys: TrailKeys): Promise<void> {
  await withStore(options, (store) => entries(store, 12));
  await sealed(options, trailKeys);
}

export async function entries(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const about = { org: 'acme', site: 'site', time: new Date(), user: 'ada@example.com', action: 'put-site' };
    await store.write((writes) => writes.addAudit({ ...about, requestId: 'r', from: 1, to: 2 }));
  }
}

/** As one looks at the trail of "acme" who changes nothing. */
export async function verified(options: StoreOptions, keys?: TrailKeys): Promise<VerifiedChain> {
  const copy = await openCopy(options.databaseUrl ?? join(options.dataDir, 'repoless.sqlite'), keys);
  return verifyChain(copy.reads, 'acme').finally(() => copy.close());
}

/** Somebody who can write to the database. Out: the rows of a `select`. */
export async function tamper({ dataDir, databaseUrl }: StoreOptions, sql: string): Promise<readonly Row[]> {
  if (databaseUrl === undefined) {
    const db = connectWriter(join(dataDir, 'repoless.sqlite'));
    try {
      if (sql.startsWith('select')) return db.prepare<[], Row>(sql).all();
      db.exec(sql);
      return [];
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}
