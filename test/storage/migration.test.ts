import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, Migrator, PostgresDialect, sql, SqliteDialect } from 'kysely';
import type { Migration, MigrationProvider, RawBuilder } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import { migrations } from '#backend/storage/migrations.ts';
import type { SiteWrite } from '#backend/domain/ports.ts';
import type { StoreOptions } from '#backend/storage/open-store.ts';
import { connectWriter } from '#backend/storage/sqlite/connect.ts';
import { publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

const PUBLIC_ETAG = `"${hash('sha256', '{}', 'base64url')}"`;
const SITE = { kind: 'site', org: 'acme', site: 'site' } as const;

eachStore((engine) => {
  it('keeps everything that an earlier version stored, and goes on with it', async () => {
    const place = await engine.emptyPlace();
    const before = siteWrite('site', { public: publicPaths('/content/site') }, 2);
    const json = JSON.stringify(before.config);
    await earlier(place.options, [
      sql`insert into orgs values ('acme', '{"version":1}', '"o"', 1)`,
      sql`insert into sites (org, site, config, etag, version, content_root, holds_secret, public_json, public_etag)
        values ('acme', 'site', ${json}, ${before.etag}, 2, 'root', 0, '{}', ${PUBLIC_ETAG})`,
      sql`insert into versions (org, site, version, created, name, changed_by, data)
        values ('acme', 'site', 1, '2026-01-01T00:00:00.000Z', 'first', 'ada@example.com', ${json})`,
      sql`insert into versions (org, site, version, created, data) values ('acme', 'site', 2, '2026-01-02T00:00:00.000Z', ${json})`,
      sql`insert into versions (org, site, version, created, data) values ('acme', 'gone', 7, '2026-01-03T00:00:00.000Z', null)`,
      sql`insert into audit (org, site, time, changed_by, action, request_id, to_version)
        values ('acme', 'site', '2026-01-02T00:00:00.000Z', 'ada@example.com', 'put-site', 'r', 2)`,
      sql`insert into secrets values ('acme', 'site', 'cm-byog', 'key', 'sealed', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    ]);

    const store = await place.open();
    const stored = await store.reads.site('acme', 'site');
    expect(stored).toMatchObject({ config: before.config, etag: before.etag, version: 2 });
    expect(stored?.aggregate).toBe(stored?.config);
    expect((await store.reads.orgAndSite('acme', 'site')).org?.version).toBe(1);
    expect(await store.reads.publicConfig('acme', 'site')).toEqual({ json: '{}', etag: PUBLIC_ETAG });
    expect(await store.reads.versions(SITE)).toEqual([
      { version: 2, created: new Date('2026-01-02T00:00:00.000Z') },
      { version: 1, created: new Date('2026-01-01T00:00:00.000Z'), name: 'first', user: 'ada@example.com' },
    ]);
    expect(await store.reads.version(SITE, 1)).toMatchObject({ data: before.config });
    expect(await store.reads.latestVersion({ ...SITE, site: 'gone' })).toBe(7);
    expect(await store.reads.secret('acme', 'site', 'cm-byog')).toMatchObject({ sealed: 'sealed' });

    await putSite(store, siteWrite('site', {}, 3));
    expect((await store.reads.versions(SITE)).map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(await store.reads.audits('acme', { site: 'site', limit: 9 })).toMatchObject([{ to: 3 }, { to: 2, action: 'put-site' }]);
    expect(await store.reads.sitesOfProfile('acme', 'base')).toEqual([]);
    expect(await verifyChain(store.reads, 'acme')).toMatchObject({ verified: { from: 1, to: 2 } });
    expect((await verifyChain(store.reads, 'acme')).broken).toBeUndefined();
  });

  it('finds an organization of an earlier version by who is named in it', async () => {
    const place = await engine.emptyPlace();
    const org = (name: string, users: readonly object[], groups: object = {}) =>
      sql`insert into orgs values (${name}, ${JSON.stringify({ version: 1, users, groups })}, '"o"', 1)`;
    await earlier(place.options, [
      org('one', [{ id: 'u', email: 'Ada@example.com', roles: ['admin'] }]),
      org('two', [{ id: 'u', email: 'groups/all', roles: ['admin'] }], { all: { members: [{ email: '*@example.com' }] } }),
      org('three', [{ id: 'u', email: '*', roles: ['admin'] }]),
    ]);
    const { reads } = await place.open();
    expect(await reads.orgsNaming(['ada@example.com', '*@example.com'], { limit: 9 })).toEqual(['one', 'two']);
  });

  it('knows a content root by one spelling, the first of two sites that shared it', async () => {
    const place = await engine.emptyPlace();
    const site = (name: string, root: string) => sql`insert into sites (org, site, config, etag, version, content_root, holds_secret)
        values ('acme', ${name}, '{}', '"e"', 1, ${root}, 0)`;
    await earlier(place.options, [
      site('one', 'https://author-p1-e2.example.com/content/one'),
      site('one-again', 'http://author-p1-e2.example.com./content/%6Fne'),
      site('two', 'http://author-p1-e2.localhost:4003/content/two'),
    ]);
    const { reads } = await place.open();
    expect(await reads.siteWithContentRoot('author-p1-e2.example.com/content/one')).toMatchObject({ site: 'one' });
    expect(await reads.siteWithContentRoot('author-p1-e2.localhost:4003/content/two')).toMatchObject({ site: 'two' });
    expect(await reads.site('acme', 'one-again')).toBeDefined();
  });

  it('lays the default profile under the sites that say nothing about it, but gives none the content of another', async () => {
    const place = await engine.emptyPlace();
    const put = ({ org, site, config, etag, contentRoot }: SiteWrite) =>
      sql`insert into sites (org, site, config, etag, version, content_root, holds_secret)
        values (${org}, ${site}, ${JSON.stringify(config)}, ${etag}, 1, ${contentRoot ?? null}, 0)`;
    const profile = (org: string, config: object) =>
      sql`insert into profiles (org, profile, config, etag, version)
        values (${org}, 'default', ${JSON.stringify({ version: 1, name: 'default', created: TIME, lastModified: TIME, ...config })}, '"p"', 1)`;
    const rows = [
      profile('acme', { title: 'Shared' }),
      profile('moved', { public: publicPaths('/content/shared') }),
      put(siteWrite('plain')),
      put(siteWrite('nothing', { extends: {} })),
      put(siteWrite('named', { public: { extends: {} } })),
      put(siteWrite('alone', {}, 1, 'other')),
      put(siteWrite('kept', {}, 1, 'moved')),
    ];
    await earlier(place.options, rows, '0005-content-roots');
    const { reads } = await place.open();
    const title = async (org: string, site: string) => (await reads.site(org, site))?.aggregate.title;
    expect(await Promise.all(['plain', 'nothing', 'named'].map((site) => title('acme', site)))).toEqual(['Shared', undefined, 'Shared']);
    const kept = await reads.site('moved', 'kept');
    expect(kept?.aggregate).toEqual(kept?.config);
    const extending = (org: string) => reads.sitesOfProfile(org, 'default').then((sites) => sites.map(({ site }) => site));
    expect(await Promise.all(['acme', 'other', 'moved'].map(extending))).toEqual([['named', 'plain'], ['alone'], []]);
  });
});

const TIME = '2026-01-01T00:00:00.000Z';

/** A database as an earlier version left it, the one before profiles unless another is named, with these rows. */
async function earlier(
  { dataDir, databaseUrl }: StoreOptions,
  rows: readonly RawBuilder<unknown>[],
  last = '0002-code-and-secrets',
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const dialect =
    databaseUrl === undefined
      ? new SqliteDialect({ database: connectWriter(join(dataDir, 'repoless.sqlite')) })
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) });
  const db = new Kysely<unknown>({ dialect });
  const { error } = await new Migrator({ db, provider: provided(databaseUrl === undefined ? 'sqlite' : 'postgres') }).migrateTo(last);
  expect(error).toBeUndefined();
  for (const row of rows) await row.execute(db);
  await db.destroy();
}

/** As versions from before there were marks carried them out. Safe: both are the types of one package, which TypeScript finds in two of its folders. */
function provided(dialect: 'sqlite' | 'postgres'): MigrationProvider {
  return { getMigrations: async () => migrations(dialect) as unknown as Record<string, Migration> };
}
