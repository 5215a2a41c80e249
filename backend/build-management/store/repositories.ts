import { GitVendor } from '@repoless/contract/build-management.ts';
import { RepositoryState } from '@repoless/contract/code-check.ts';
import type { Kysely, Selectable, Updateable, UpdateQueryBuilder, UpdateResult } from 'kysely';
import { z } from 'zod';
import type { RepositoryRow, Tables } from './tables.ts';
import { addNote, type TrailNote } from './trail.ts';

type NewRepository = Pick<
  StoredRepository,
  'org' | 'programId' | 'name' | 'cloneUrl' | 'vendor' | 'key' | 'accessToken' | 'state' | 'challenge' | 'created' | 'createdBy'
>;
export type RepositoryChange = Updateable<Omit<RepositoryRow, 'id' | 'org' | 'key' | 'attempt'>>;

type UpdateOf = UpdateQueryBuilder<Tables, 'bm_repositories', 'bm_repositories', UpdateResult>;

const SEALED_COLUMNS = ['access_token', 'webhook_secret', 'previous_webhook_secret'] as const;
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

interface SealedText extends Pick<StoredRepository, 'id' | 'org' | 'key'> {
  readonly column: SealedColumn;
  readonly sealed: string;
}

/** A `note` is stored with the change that it describes, or neither is. */
export interface Repositories {
  /** Sorted by name. */
  list(org: string): Promise<StoredRepository[]>;
  find(org: string, id: string): Promise<StoredRepository | undefined>;
  byKey(key: string): Promise<StoredRepository | undefined>;
  byId(id: string): Promise<StoredRepository | undefined>;
  /** Of all organizations. */
  keys(): Promise<string[]>;
  /** By the names that sites use. */
  byCode(programId: string, id: string): Promise<StoredRepository | undefined>;
  /** Those whose check was interrupted. */
  unchecked(): Promise<StoredRepository[]>;
  /** Undefined if the organization already has this clone address. */
  add(repository: NewRepository, note?: TrailNote): Promise<StoredRepository | undefined>;
  change(id: string, change: RepositoryChange, note?: TrailNote): Promise<void>;
  /** Sets the initial state of a check, and counts it: concurrent checks get different numbers. */
  restartCheck(id: string, change: RepositoryChange, note?: TrailNote): Promise<void>;
  /** Changes the link or the webhook only if it is still as it was read; false otherwise. */
  changeLink(read: Pick<StoredRepository, 'id' | 'link'>, change: RepositoryChange, note: TrailNote): Promise<boolean>;
  changeWebhook(read: Pick<StoredRepository, 'id' | 'webhook'>, change: RepositoryChange, note: TrailNote): Promise<boolean>;
  /** Changes it only if this is its latest check; false otherwise. */
  checked(repository: Pick<StoredRepository, 'id' | 'attempt'>, change: RepositoryChange): Promise<boolean>;
  remove(id: string, note?: TrailNote): Promise<void>;
  /** For an action that does not change the repository. */
  note(id: string, note: TrailNote): Promise<void>;
  sealedTexts(): Promise<SealedText[]>;
  /** Replaces a sealed text, if it is still the same. */
  reseal(text: { readonly id: string; readonly column: SealedColumn; readonly before: string; readonly after: string }): Promise<void>;
}

export function sqlRepositories(db: Kysely<Tables>): Repositories {
  const inTransaction = <T>(work: (transaction: Kysely<Tables>) => Promise<T>) => db.transaction().execute(work);
  const select = () => db.selectFrom('bm_repositories').selectAll();
  const all = async (query: ReturnType<typeof select>) => (await query.execute()).map(readRepository);
  const first = async (query: ReturnType<typeof select>) => {
    const row = await query.executeTakeFirst();
    return row && readRepository(row);
  };
  const byId = (id: string) => first(select().where('id', '=', Number(id)));
  const noted = (id: string, note: TrailNote | undefined, update: (db: Kysely<Tables>) => UpdateOf) =>
    inTransaction(async (transaction) => {
      const { numUpdatedRows } = await update(transaction).where('id', '=', Number(id)).executeTakeFirst();
      if (numUpdatedRows > 0n && note !== undefined) await addNote(transaction, id, note);
    });
  const changeWhere = (
    { id, change, note }: { readonly id: string; readonly change: RepositoryChange; readonly note: TrailNote },
    column: 'secret_hash' | 'webhook_secret',
    value: string | undefined,
  ) =>
    inTransaction(async (transaction) => {
      const query = transaction.updateTable('bm_repositories').set(change).where('id', '=', Number(id));
      const unchanged = value === undefined ? query.where(column, 'is', null) : query.where(column, '=', value);
      const isChanged = (await unchanged.executeTakeFirst()).numUpdatedRows > 0n;
      if (isChanged) await addNote(transaction, id, note);
      return isChanged;
    });

  return {
    list: (org) => all(select().where('org', '=', org).orderBy('name')),
    find: (org, id) => first(select().where('id', '=', Number(id)).where('org', '=', org)),
    byId,
    byKey: (key) => first(select().where('key', '=', key)),
    async keys() {
      return (await db.selectFrom('bm_repositories').select('key').execute()).map(({ key }) => key);
    },
    async byCode(programId, id) {
      const found = /^\d{1,15}$/.test(id) ? await byId(id) : undefined;
      return found?.programId === programId ? found : undefined;
    },
    unchecked: () => all(select().where('state', 'in', ['added', 'ownership_confirmed'])),
    async add(repository, note) {
      const id = await inTransaction(async (transaction) => {
        const added = await insert(transaction, repository);
        if (added !== undefined && note !== undefined) await addNote(transaction, added, note);
        return added;
      });
      return id === undefined ? undefined : await byId(id);
    },
    change: (id, change, note) => noted(id, note, (db) => db.updateTable('bm_repositories').set(change)),
    restartCheck: (id, change, note) =>
      noted(id, note, (db) => {
        const query = db.updateTable('bm_repositories').set(change);
        return query.set((row) => ({ attempt: row('attempt', '+', 1) }));
      }),
    changeLink: ({ id, link }, change, note) => changeWhere({ id, change, note }, 'secret_hash', link?.secretHash),
    changeWebhook: ({ id, webhook }, change, note) => changeWhere({ id, change, note }, 'webhook_secret', webhook?.secret),
    note: (id, note) => addNote(db, id, note),
    async checked({ id, attempt }, change) {
      const query = db.updateTable('bm_repositories').set(change).where('id', '=', Number(id)).where('attempt', '=', attempt);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },
    remove: (id, note) =>
      inTransaction(async (transaction) => {
        await transaction.deleteFrom('bm_seen').where('repository', '=', Number(id)).execute();
        await transaction.deleteFrom('bm_deliveries').where('repository', '=', Number(id)).execute();
        const { numDeletedRows } = await transaction.deleteFrom('bm_repositories').where('id', '=', Number(id)).executeTakeFirst();
        if (numDeletedRows > 0n && note !== undefined) await addNote(transaction, id, note);
      }),
    async sealedTexts() {
      const query = db.selectFrom('bm_repositories').select(['id', 'org', 'key', ...SEALED_COLUMNS]);
      return (await query.execute()).flatMap(({ id, org, key, ...texts }) =>
        SEALED_COLUMNS.flatMap((column) => {
          const sealed = texts[column];
          return sealed === null ? [] : [{ id: String(id), org, key, column, sealed }];
        }),
      );
    },
    async reseal({ id, column, before, after }) {
      const query = db.updateTable('bm_repositories').set(column, after).where('id', '=', Number(id)).where(column, '=', before);
      await query.execute();
    },
  };
}

async function insert(db: Kysely<Tables>, repository: NewRepository): Promise<string | undefined> {
  const row = await db
    .insertInto('bm_repositories')
    .values({
      org: repository.org,
      program: repository.programId,
      name: repository.name,
      clone_url: repository.cloneUrl,
      vendor: repository.vendor,
      key: repository.key,
      access_token: repository.accessToken,
      state: repository.state,
      challenge: repository.challenge ?? null,
      attempt: 1,
      created: repository.created,
      created_by: repository.createdBy,
      last_modified: repository.created,
      warnings: '[]',
    })
    .onConflict((conflict) => conflict.columns(['org', 'clone_url']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row === undefined ? undefined : String(row.id);
}

export interface StoredRepository {
  readonly id: string;
  readonly programId: string;
  readonly org: string;
  readonly name: string;
  readonly cloneUrl: string;
  readonly vendor: GitVendor;
  readonly key: string;
  readonly accessToken: string;
  readonly state: RepositoryState;
  readonly problem: string | undefined;
  readonly challenge: string | undefined;
  readonly attempt: number;
  readonly created: string;
  readonly createdBy: string;
  readonly lastModified: string;
  readonly commit: string | undefined;
  readonly fetched: string | undefined;
  readonly warnings: readonly string[];
  readonly link: { readonly site: string; readonly linked: string; readonly linkedBy: string; readonly secretHash: string } | undefined;
  readonly webhook: StoredWebhook | undefined;
}

export interface WebhookPair {
  readonly apiKeyHash: string;
  /** Sealed. */
  readonly secret: string;
}

export interface StoredWebhook extends WebhookPair {
  readonly created: string;
  readonly createdBy: string;
  /** The previous pair, valid until then. */
  readonly previous: (WebhookPair & { readonly until: string }) | undefined;
}

function readRepository(row: Selectable<RepositoryRow>): StoredRepository {
  return {
    id: String(row.id),
    programId: row.program,
    org: row.org,
    name: row.name,
    cloneUrl: row.clone_url,
    vendor: GitVendor.parse(row.vendor),
    key: row.key,
    accessToken: row.access_token,
    state: RepositoryState.parse(row.state),
    problem: row.problem ?? undefined,
    challenge: row.challenge ?? undefined,
    attempt: row.attempt,
    created: row.created,
    createdBy: row.created_by,
    lastModified: row.last_modified,
    commit: row.commit_sha ?? undefined,
    fetched: row.fetched ?? undefined,
    warnings: Sentences.parse(JSON.parse(row.warnings)),
    link: linkOf(row),
    webhook: webhookOf(row),
  };
}

function linkOf({ link_site: site, linked, linked_by: linkedBy, secret_hash: secretHash }: Selectable<RepositoryRow>) {
  return site === null || linked === null || linkedBy === null || secretHash === null ? undefined : { site, linked, linkedBy, secretHash };
}

function webhookOf(row: Selectable<RepositoryRow>): StoredWebhook | undefined {
  const { api_key_hash: apiKeyHash, webhook_secret: secret, webhook_created: created, webhook_created_by: createdBy } = row;
  if (apiKeyHash === null || secret === null || created === null || createdBy === null) return undefined;
  const { previous_api_key_hash: before, previous_webhook_secret: secretBefore, previous_until: until } = row;
  const previous =
    before === null || secretBefore === null || until === null ? undefined : { apiKeyHash: before, secret: secretBefore, until };
  return { apiKeyHash, secret, created, createdBy, previous };
}

const Sentences = z.array(z.string());
