import type { Kysely, Updateable } from 'kysely';
import type { Attempt } from './open-store.ts';
import { readRepository } from './stored-repository.ts';
import type { StoredRepository } from './stored-repository.ts';
import type { RepositoryRow, Tables } from './tables.ts';

export type NewRepository = Pick<
  StoredRepository,
  | 'org'
  | 'programId'
  | 'name'
  | 'cloneUrl'
  | 'vendor'
  | 'key'
  | 'accessToken'
  | 'state'
  | 'challenge'
  | 'gitTokenHash'
  | 'created'
  | 'createdBy'
>;
export type RepositoryChange = Updateable<Omit<RepositoryRow, 'id' | 'org' | 'key'>>;

export const SEALED_COLUMNS = ['access_token', 'webhook_secret', 'previous_webhook_secret'] as const;
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** A sealed text, and whose it is. */
export interface SealedText extends Pick<StoredRepository, 'id' | 'org' | 'key'> {
  readonly column: SealedColumn;
  readonly sealed: string;
}

export interface Repositories {
  /** In the order of their names. */
  list(org: string): Promise<StoredRepository[]>;
  find(org: string, id: string): Promise<StoredRepository | undefined>;
  /** The repository of that name that is hosted here. */
  hosted(org: string, name: string): Promise<StoredRepository | undefined>;
  byKey(key: string): Promise<StoredRepository | undefined>;
  byId(id: string): Promise<StoredRepository | undefined>;
  /** Of all organizations. */
  keys(): Promise<string[]>;
  /** By the names that sites know it by. */
  byCode(programId: string, id: string): Promise<StoredRepository | undefined>;
  /** Those whose check was interrupted. */
  unchecked(): Promise<StoredRepository[]>;
  /** Undefined where the organization has this clone address already. */
  add(repository: NewRepository): Promise<StoredRepository | undefined>;
  change(id: string, change: RepositoryChange): Promise<void>;
  /** Changes the link, or the webhook, only while it is as it was read; false otherwise. */
  changeLink(read: Pick<StoredRepository, 'id' | 'link'>, change: RepositoryChange): Promise<boolean>;
  changeWebhook(read: Pick<StoredRepository, 'id' | 'webhook'>, change: RepositoryChange): Promise<boolean>;
  /** Changes it only while this is its latest check; false otherwise. */
  checked(repository: Pick<StoredRepository, 'id' | 'attempt'>, change: RepositoryChange): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** All that is sealed, of all organizations. */
  sealedTexts(): Promise<SealedText[]>;
  /** Puts a text in the place of one, where that is still there. */
  reseal(text: { readonly id: string; readonly column: SealedColumn; readonly before: string; readonly after: string }): Promise<void>;
}

export function sqlRepositories(db: Kysely<Tables>, attempt: Attempt): Repositories {
  const select = () => db.selectFrom('bm_repositories').selectAll();
  const first = (query: ReturnType<typeof select>) =>
    attempt(async () => {
      const row = await query.executeTakeFirst();
      return row && readRepository(row);
    });
  const changeWhere = (id: string, change: RepositoryChange, column: 'secret_hash' | 'webhook_secret', value: string | undefined) =>
    attempt(async () => {
      const query = db.updateTable('bm_repositories').set(change).where('id', '=', Number(id));
      const unchanged = value === undefined ? query.where(column, 'is', null) : query.where(column, '=', value);
      return (await unchanged.executeTakeFirst()).numUpdatedRows > 0n;
    });
  const byId = (id: string) => first(select().where('id', '=', Number(id)));

  return {
    list: (org) => attempt(async () => (await select().where('org', '=', org).orderBy('name').execute()).map(readRepository)),
    find: (org, id) => first(select().where('id', '=', Number(id)).where('org', '=', org)),
    byId,
    hosted: (org, name) => first(select().where('org', '=', org).where('vendor', '=', 'hosted').where('name', '=', name)),
    byKey: (key) => first(select().where('key', '=', key)),
    keys: () => attempt(async () => (await db.selectFrom('bm_repositories').select('key').execute()).map(({ key }) => key)),
    async byCode(programId, id) {
      const found = /^\d{1,15}$/.test(id) ? await byId(id) : undefined;
      return found?.programId === programId ? found : undefined;
    },
    unchecked: () =>
      attempt(async () => (await select().where('state', 'in', ['added', 'ownership_confirmed']).execute()).map(readRepository)),
    async add(repository) {
      const id = await attempt(() => insert(db, repository));
      return id === undefined ? undefined : await byId(id);
    },
    change: (id, change) =>
      attempt(async () => void (await db.updateTable('bm_repositories').set(change).where('id', '=', Number(id)).execute())),
    changeLink: ({ id, link }, change) => changeWhere(id, change, 'secret_hash', link?.secretHash),
    changeWebhook: ({ id, webhook }, change) => changeWhere(id, change, 'webhook_secret', webhook?.secret),
    checked: ({ id, attempt: count }, change) =>
      attempt(async () => {
        const query = db.updateTable('bm_repositories').set(change).where('id', '=', Number(id)).where('attempt', '=', count);
        return (await query.executeTakeFirst()).numUpdatedRows > 0n;
      }),
    remove: (id) =>
      attempt(() =>
        db.transaction().execute(async (transaction) => {
          await transaction.deleteFrom('bm_seen').where('repository', '=', Number(id)).execute();
          await transaction.deleteFrom('bm_deliveries').where('repository', '=', Number(id)).execute();
          await transaction.deleteFrom('bm_repositories').where('id', '=', Number(id)).execute();
        }),
      ),
    sealedTexts: () =>
      attempt(async () => {
        const rows = await db
          .selectFrom('bm_repositories')
          .select(['id', 'org', 'key', ...SEALED_COLUMNS])
          .execute();
        return rows.flatMap(({ id, org, key, ...texts }) =>
          SEALED_COLUMNS.flatMap((column) => {
            const sealed = texts[column];
            return sealed === null ? [] : [{ id: String(id), org, key, column, sealed }];
          }),
        );
      }),
    reseal: ({ id, column, before, after }) =>
      attempt(
        async () =>
          void (await db
            .updateTable('bm_repositories')
            .set(column, after)
            .where('id', '=', Number(id))
            .where(column, '=', before)
            .execute()),
      ),
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
      git_token_hash: repository.gitTokenHash ?? null,
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
