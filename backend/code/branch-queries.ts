import { sql, type RawBuilder } from 'kysely';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { type Database, listed } from '../db/queries.ts';
import { KEY_OF_REPOSITORY } from '../sites/site-queries.ts';
import { originOf, ALL_ORGANIZATIONS } from './rules/code-origin.ts';
import {
  type BranchCommits,
  type BranchKey,
  type BranchStore,
  type StoredBranch,
  type StoredCommit,
  type StoredRollBack,
  type BlobStorage,
  type CondemnedBlobs,
  MissingBlob,
} from './rules/ports.ts';

const MAIN = sql.lit(DEFAULT_REF);
const ALL = sql.lit(ALL_ORGANIZATIONS);
/** The code of a row of `sites`, compared with STEM_OF_KEY: names on the code host are case-insensitive. */
export const CODE_OF_SITE = sql`case when repository like 'byogit:%' then 'byogit:' || org || substr(repository, 7) else lower(repository) end`;
/** The code of a `key`: that of an external repository ends with a hash of its addresses, byogit:<org>:<owner>/<repo>:<hash>. */
export const STEM_OF_KEY = sql`case when key like 'byogit:%' then substr(key, 1, length(key) - 17) else key end`;
const IS_UNUSED = sql`(${STEM_OF_KEY}) not in (select ${CODE_OF_SITE} from sites where repository is not null)`;
/** An organization that requested the branch `b` has a site on its repository, or all organizations that have one share it. */
const hasRequester = (
  condition = sql``,
) => sql`exists (select 1 from requested_branches as a where a.key = b.key and a.ref = b.ref ${condition}
  and (a.org = ${ALL} or exists (select 1 from sites where sites.org = a.org and ${KEY_OF_REPOSITORY} = a.key)))`;
const IS_ABANDONED = sql`b.key like 'github:%' and b.ref <> ${MAIN} and not ${hasRequester()}`;
const isInProgress = (of: 'a' | 'b') => sql`exists (select 1 from code_jobs as j
  where j.key = ${sql.ref(`${of}.key`)} and j.ref = ${sql.ref(`${of}.ref`)} and j.state <> 'stopped')`;
const isIdle = (key: string) => sql`not exists (select 1 from code_jobs where key = ${key} and state <> 'stopped')`;

export function branchStore({ read, change, dialect }: Database): BranchStore {
  const changes = async (query: RawBuilder<unknown>) => (await change(query)).length > 0;
  const keysOf = async (query: RawBuilder<{ key: string }>) => (await read(query)).map(({ key }) => key);
  // Read for every served file, so without the commits, which no host needs.
  const branches = (condition: RawBuilder<unknown>) =>
    read(sql<StoredBranch>`select key, ref, branch, sha, manifest, bytes from code_branches where ${condition}`);

  /** Keys of the external code that sites use. They end with a hash of addresses, which no query can compute: reads all such sites. */
  async function externalKeys(org?: string): Promise<ReadonlySet<string>> {
    const effective = sql`coalesce(aggregate, config)`;
    const code = dialect === 'postgres' ? sql`(${effective}::json -> 'code')::text` : sql`json_extract(${effective}, '$.code')`;
    const rows = await read(sql<{ org: string; code: string }>`select distinct org, ${code} as code from sites
      where repository like 'byogit:%' and ${org === undefined ? sql`true` : sql`org = ${org}`} order by org, code`);
    return new Set(rows.flatMap((row) => originOf(row.org, JSON.parse(row.code) as CodeSource)?.key ?? []));
  }

  return {
    async branch(key, ref) {
      return (await branches(sql`key = ${key} and ref = ${ref}`))[0];
    },
    async branches(key) {
      return [...(await branches(sql`key = ${key} order by ref`))];
    },
    async commits(key, ref) {
      const [row] = await read(sql<CommitsRow>`select * from code_branches where key = ${key} and ref = ${ref}`);
      return row === undefined ? undefined : commitsOf(row);
    },
    // A node that lost the job to another cannot replace newer code with older.
    putBranch: ({ branch, sha, manifest, bytes }, { name, owner }, commits) =>
      changes(sql`insert into code_branches (key, ref, branch, sha, manifest, bytes, commits)
        select key, ref, cast(${branch} as text), cast(${sha} as text), cast(${manifest} as text), cast(${bytes} as bigint),
          cast(${commits === undefined ? null : JSON.stringify(commits)} as text)
        from code_jobs where name = ${name} and owner = ${owner} and state = 'running'
        on conflict (key, ref) do update set commits = excluded.commits, ${sql.join(SERVED.map(unlessRolledBack))}
        returning key`),
    serveCommit: ({ served: { key, ref, sha }, commits }, commit, rolledBack) =>
      changes(sql`update code_branches set branch = ${commit.branch}, sha = ${commit.sha}, manifest = ${commit.manifest}, bytes = ${commit.bytes},
        rolled_back = ${rolledBack === undefined ? null : JSON.stringify(rolledBack)}
        where key = ${key} and ref = ${ref} and sha = ${sha} and commits = ${JSON.stringify(commits)} returning key`),
    deleteBranch: (key, ref) => changes(sql`delete from code_branches where key = ${key} and ref = ${ref} returning key`),
    keys: () => keysOf(sql`select key from code_branches union select key from code_jobs`),
    async unusedKeys() {
      const unused = await keysOf(sql`select key from (select key from code_branches union select key from code_jobs) as known
        where key not like 'byogit:%' and ${IS_UNUSED} order by key`);
      const external = await keysOf(sql`select key from code_branches where key like 'byogit:%'
        union select key from code_jobs where key like 'byogit:%'`);
      if (external.length === 0) return unused;
      const used = await externalKeys();
      return [...unused, ...external.filter((key) => !used.has(key))].toSorted();
    },
    // Checked again in the statements that remove: a site may have been registered in the meantime.
    async deleteUnused(key) {
      if (!key.startsWith('byogit:')) {
        const removed = await changes(sql`delete from code_branches where key = ${key} and ${IS_UNUSED} and ${isIdle(key)} returning key`);
        await change(sql`delete from code_jobs where key = ${key} and state = 'stopped' and ${IS_UNUSED}`);
        return removed;
      }
      const isUsed = async () => (await externalKeys(key.split(':')[1])).has(key);
      if (await isUsed()) return false;
      const removed = await changes(sql`delete from code_branches where key = ${key} and ${isIdle(key)} returning key`);
      // If a new site uses the code that was just removed, the jobs stay, to show why it is missing.
      if (!(await isUsed())) await change(sql`delete from code_jobs where key = ${key} and state = 'stopped'`);
      return removed;
    },
    async requestersOf(key, ref) {
      const rows = await read(sql<{ org: string }>`select org from requested_branches where key = ${key} and ref = ${ref} order by org`);
      return rows.map(({ org }) => org);
    },
    async abandonedBranches() {
      return [...(await read(sql<BranchKey>`select b.key, b.ref from code_branches as b where ${IS_ABANDONED} order by b.key, b.ref`))];
    },
    deleteAbandoned: ({ key, ref }) =>
      changes(sql`delete from code_branches as b where b.key = ${key} and b.ref = ${ref} and ${IS_ABANDONED} and not ${isInProgress('b')}
        returning key`),
    async removeStaleRequests() {
      await change(sql`delete from requested_branches as a where not ${isInProgress('a')}
        and not exists (select 1 from code_branches as b where b.key = a.key and b.ref = a.ref)`);
      await change(sql`delete from requested_branches as b where b.org <> ${ALL}
        and not exists (select 1 from sites where sites.org = b.org and ${KEY_OF_REPOSITORY} = b.key)
        and ${hasRequester(sql`and a.org <> b.org`)}`);
    },
    async manifests() {
      const rows = await read(sql<CommitsRow>`select * from code_branches`);
      return [...new Set(rows.flatMap((row) => [row.manifest, ...commitsOf(row).commits.map(({ manifest }) => manifest)]))];
    },
    async bytesOf(org, enough = -1) {
      const counted = await read(bytesByKey(org));
      const all = sumOf(counted);
      if (all <= enough || !counted.some(({ key }) => key.startsWith('byogit:'))) return all;
      const used = await externalKeys(org);
      return sumOf(counted.filter(({ key }) => !key.startsWith('byogit:') || used.has(key)));
    },
    async bytesOfAll(key) {
      const [row] = await read(sql<{ bytes: number }>`select coalesce(sum(bytes), 0) as bytes from (
        select bytes from code_branches where key = ${key} and ref = ${MAIN}
        union all select b.bytes from requested_branches as a join code_branches as b on b.key = a.key and b.ref = a.ref
          where a.org = ${ALL} and a.key = ${key}
      ) as counted`);
      return row?.bytes ?? 0;
    },
    async isKnown(key) {
      return (await keysOf(sql`select key from code_branches where key = ${key} limit 1`)).length > 0;
    },
  };
}

interface CommitsRow extends StoredBranch {
  /** For a branch that an earlier version stored, null until its next sync. */
  readonly commits: string | null;
  readonly rolled_back: string | null;
}

function commitsOf({ commits, rolled_back: rolledBack, ...served }: CommitsRow): BranchCommits {
  const [first, ...rest] = commits === null ? [] : (JSON.parse(commits) as StoredCommit[]);
  const { branch, sha, manifest, bytes } = served;
  return {
    served,
    commits: [first ?? { branch, sha, manifest, bytes }, ...rest],
    ...(rolledBack !== null && { rolledBack: JSON.parse(rolledBack) as StoredRollBack }),
  };
}

const SERVED = ['branch', 'sha', 'manifest', 'bytes'] as const;

/** While a branch is rolled back, a sync does not change the columns of the served commit. */
function unlessRolledBack(column: (typeof SERVED)[number]): RawBuilder<unknown> {
  const [now, next] = [sql.ref(`code_branches.${column}`), sql.ref(`excluded.${column}`)];
  return sql`${sql.ref(column)} = case when code_branches.rolled_back is null then ${next} else ${now} end`;
}

/** Reads only the branches that an organization requested, however many others have. The addresses of external code are not known here. */
function bytesByKey(org: string) {
  const own = sql`(select lower(repository) from sites where org = ${org} and repository is not null)`;
  return sql<{ key: string; bytes: number }>`select key, sum(bytes) as bytes from (
      select key, bytes from code_branches where ref = ${MAIN} and key in ${own}
      union all select b.key, b.bytes
        from (select distinct key, ref from requested_branches where org in (${org}, ${ALL}) and key in ${own}) as asked
        join code_branches as b on b.key = asked.key and b.ref = asked.ref
      union all select key, bytes from code_branches where key >= ${`byogit:${org}:`} and key < ${`byogit:${org};`}
        and (${STEM_OF_KEY}) in (select ${CODE_OF_SITE} from sites where org = ${org} and repository is not null)
    ) as counted group by key`;
}

function sumOf(counted: readonly { readonly bytes: number }[]): number {
  return counted.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Blobs in parts, so that a range of a large one can be read without all of it. The first part is stored last: it completes the blob. */
export function blobStorage({ read, change }: Database): BlobStorage {
  async function size(hash: string): Promise<number | undefined> {
    return (await read(sql<{ size: number }>`select size from code_blobs where hash = ${hash} and part = 0`))[0]?.size;
  }

  async function* stream(hash: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let part = Math.floor(start / PART); part * PART <= end; part += 1) {
      const [row] = await read(sql<{ bytes: Uint8Array }>`select bytes from code_blobs where hash = ${hash} and part = ${part}`);
      if (row === undefined) throw new MissingBlob(hash);
      yield row.bytes.subarray(Math.max(0, start - part * PART), end + 1 - part * PART);
    }
  }

  return {
    size,
    async write(hash, bytes) {
      if ((await size(hash)) === bytes.length) return;
      // A blob stored under this hash has the same bytes, unless it is damaged.
      for (let part = Math.max(0, Math.ceil(bytes.length / PART) - 1); part >= 0; part -= 1)
        await change(sql`insert into code_blobs (hash, part, size, bytes)
          values (${hash}, ${part}, ${bytes.length}, ${bytes.subarray(part * PART, (part + 1) * PART)})
          on conflict (hash, part) do update set size = excluded.size, bytes = excluded.bytes`);
    },
    async read(hash) {
      const length = await size(hash);
      if (length === undefined) throw new MissingBlob(hash);
      const pieces: Uint8Array[] = [];
      for await (const piece of stream(hash, 0, length - 1)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    stream: (hash, { start, end }) => stream(hash, start, end),
    // Parts without a first one were left by a killed program.
    async *names() {
      for (let [after, part]: [string, number] = ['', 0]; ;) {
        const rows = await read(sql<{ hash: string; part: number }>`select hash, part from code_blobs
          where (hash, part) > (${after}, ${part}) order by hash, part limit ${PORTION}`);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield [...new Set(rows.map(({ hash }) => hash))];
        [after, part] = [last.hash, last.part];
      }
    },
    async remove(hashes) {
      for (const hash of hashes) await change(sql`delete from code_blobs where hash = ${hash}`);
    },
    // Closed with the store's connections.
    close: async () => undefined,
  };
}

const PART = 256 * 1024;
const PORTION = 1000;

/** `taken` is empty, or when a node started to remove the blob. Each call is one statement, or starts with the one that decides. */
export function condemnedBlobs({ read, change, dialect }: Database): CondemnedBlobs {
  // Sorted, so that two nodes do not deadlock on each other's rows.
  const among = (hashes: readonly string[]) => sql`hash in (select value from ${listed(dialect, hashes.toSorted())})`;
  const hashesOf = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
  return {
    async condemn(hashes, now) {
      if (hashes.length === 0) return;
      // "where true" keeps SQLite from parsing "on" as the condition of a join.
      await change(sql`insert into code_condemned (hash, since, taken) select value, cast(${now.toISOString()} as text), ''
        from ${listed(dialect, hashes.toSorted())} where true on conflict do nothing`);
    },
    async rescue(hashes) {
      if (hashes.length === 0) return [];
      await change(sql`delete from code_condemned where taken = '' and ${among(hashes)}`);
      return hashesOf(await read(sql<{ hash: string }>`select hash from code_condemned where taken <> '' and ${among(hashes)}`));
    },
    async due(before, after, limit) {
      return hashesOf(
        await read(sql<{ hash: string }>`select hash from code_condemned where taken = '' and since <= ${before.toISOString()}
          and hash > ${after} order by hash limit ${limit}`),
      );
    },
    async take(hashes, before, now) {
      if (hashes.length === 0) return [];
      return hashesOf(
        await change(sql<{ hash: string }>`update code_condemned set taken = ${now.toISOString()}
          where taken = '' and since <= ${before.toISOString()} and ${among(hashes)} returning hash`),
      );
    },
    async removed(hashes) {
      if (hashes.length > 0) await change(sql`delete from code_condemned where taken <> '' and ${among(hashes)}`);
    },
    async releaseTaken(before) {
      await change(sql`delete from code_condemned where taken <> '' and taken < ${before.toISOString()}`);
    },
  };
}
