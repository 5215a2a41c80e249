import { sql } from 'kysely';
import { CODE_OF_SITE, STEM_OF_KEY } from './code-keys.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { JobRow } from './tables.ts';

const KEY = slot<string>('key');
const REF = slot<string>('ref');
const NAME = slot<string>('name');
const OWNER = slot<string>('owner');
const STOPPED = 'stopped';
const JOB_SLOTS: JobRow = {
  name: NAME,
  key: KEY,
  ref: REF,
  state: slot('state'),
  created: slot('created'),
  origin: slot('origin'),
  record: slot('record'),
  owner: OWNER,
  lease_until: slot('lease_until'),
  attempts: slot('attempts'),
  again: slot('again'),
  begun_by: slot('begun_by'),
  joined: slot('joined'),
  asked_by: slot('asked_by'),
  ended: slot('ended'),
  failed: slot('failed'),
};
const END_SLOTS = {
  ended: slot<string | null>('ended'),
  failed: slot<number>('failed'),
  outcome: slot<string>('outcome'),
  stopped: slot<string>('stopped'),
  problem: slot<string>('problem'),
};
const BRANCH_SLOTS = {
  key: KEY,
  ref: REF,
  branch: slot<string>('branch'),
  sha: slot<string>('sha'),
  manifest: slot<string>('manifest'),
  bytes: slot<number>('bytes'),
};

/** As `shareOfJob` says: what an organization alone asked for counts as its own. */
const SHARE = sql<string>`case when joined = 0 and begun_by is not null and key like 'github:%' then 'github:' || lower(begun_by) || '/' else key end`;
/** Jobs whose share does not begin so; an empty text leaves none out. */
const beside = (name: 'one' | 'two' | 'three') =>
  sql<boolean>`(${slot<string>(name)} = '' or substr(${SHARE}, 1, length(${slot<string>(name)})) <> ${slot<string>(name)})`;

const EXTERNAL = 'byogit:%';
const USED = sql`(select ${CODE_OF_SITE} from sites where repository is not null)`;
const IS_UNUSED = sql<boolean>`(${STEM_OF_KEY}) not in ${USED}`;

/** Every query about jobs and branches. What changes something answers a row for each that it changed. */
export function codeStatements(compile: Compile) {
  return {
    jobs: compile('jobs', (db) =>
      db
        .selectFrom('code_jobs')
        .selectAll()
        .where('key', '=', KEY)
        .where('ref', '=', REF)
        .orderBy('created', 'desc')
        .orderBy('name', 'desc')
        .limit(slot<number>('limit')),
    ),
    refs: compile('job-refs', (db) => db.selectFrom('code_jobs').select('ref').distinct().where('key', '=', KEY).orderBy('ref')),
    job: compile('job', (db) => db.selectFrom('code_jobs').selectAll().where('name', '=', NAME)),
    addJob: compile('add-job', (db) =>
      db
        .insertInto('code_jobs')
        .values(JOB_SLOTS)
        .onConflict((conflict) => conflict.doNothing())
        .returning('name'),
    ),
    joinJob: compile('join-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ again: 1, joined: sql<number>`case when begun_by = ${slot<string | null>('begun_by')} then joined else 1 end` })
        .set({ asked_by: slot<string | null>('asked_by') })
        .where('key', '=', KEY)
        .where('ref', '=', REF)
        .where('state', '<>', STOPPED)
        .returning('name'),
    ),
    openJobs: compile('open-jobs', (db) =>
      db.selectFrom('code_jobs').selectAll().where('state', '<>', STOPPED).orderBy('created').orderBy('name').limit(slot<number>('limit')),
    ),
    idleJobs: compile('idle-jobs', (db) =>
      db
        .selectFrom('code_jobs')
        .selectAll()
        .where('state', '<>', STOPPED)
        .where('lease_until', '<=', slot<string>('now'))
        .where(beside('one'))
        .where(beside('two'))
        .where(beside('three'))
        .orderBy('lease_until')
        .limit(slot<number>('limit')),
    ),
    // What was joined before it is begun needs no second round.
    claimJob: compile('claim-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ owner: OWNER, lease_until: slot<string>('until'), state: 'running', again: 0 })
        .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
        .where('name', '=', NAME)
        .where('state', '<>', STOPPED)
        .where('lease_until', '<=', slot<string>('now'))
        .returningAll(),
    ),
    saveJob: compile('save-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ record: slot<string>('record'), lease_until: slot<string>('until') })
        .where('name', '=', NAME)
        .where('owner', '=', OWNER)
        .where('state', '=', 'running')
        .returning('name'),
    ),
    releaseJob: compile('release-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ record: slot<string>('record'), lease_until: slot<string>('since') })
        .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
        .where('name', '=', NAME)
        .where('owner', '=', OWNER)
        .where('state', '=', 'running')
        .returning('name'),
    ),
    takeAgain: compile('take-again', (db) =>
      db
        .updateTable('code_jobs')
        .set({ again: 0 })
        .where('name', '=', NAME)
        .where('owner', '=', OWNER)
        .where('state', '=', 'running')
        .where('again', '=', 1)
        .returning('name'),
    ),
    finishJob: compile('finish-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ record: slot<string>('record'), state: STOPPED, ...END_SLOTS })
        .where('name', '=', NAME)
        .where('owner', '=', OWNER)
        .where('state', '=', 'running')
        .where('again', '=', 0)
        .returning('name'),
    ),
    stopJob: compile('stop-job', (db) =>
      db
        .updateTable('code_jobs')
        .set({ record: slot<string>('record'), state: STOPPED, ...END_SLOTS })
        .where('name', '=', NAME)
        .where('state', '<>', STOPPED)
        .returning('name'),
    ),
    pruneJobs: compile('prune-jobs', (db) =>
      db
        .deleteFrom('code_jobs')
        .where('key', '=', KEY)
        .where('ref', '=', REF)
        .where('state', '=', STOPPED)
        .where('name', 'not in', (kept) =>
          kept
            .selectFrom('code_jobs')
            .select('name')
            .where('key', '=', KEY)
            .where('ref', '=', REF)
            .orderBy('created', 'desc')
            .orderBy('name', 'desc')
            .limit(slot<number>('keep')),
        )
        .returning('name'),
    ),
    branch: compile('branch', (db) => db.selectFrom('code_branches').selectAll().where('key', '=', KEY).where('ref', '=', REF)),
    branches: compile('branches', (db) => db.selectFrom('code_branches').selectAll().where('key', '=', KEY).orderBy('ref')),
    // Who lost the job to somebody else cannot put older code in the place of newer.
    putBranch: compile('put-branch', (db) =>
      db
        .insertInto('code_branches')
        .columns(['key', 'ref', 'branch', 'sha', 'manifest', 'bytes'])
        .expression((eb) =>
          eb
            .selectFrom('code_jobs')
            .select(['code_jobs.key', 'code_jobs.ref'])
            .select([
              sql<string>`cast(${BRANCH_SLOTS.branch} as text)`.as('branch'),
              sql<string>`cast(${BRANCH_SLOTS.sha} as text)`.as('sha'),
              sql<string>`cast(${BRANCH_SLOTS.manifest} as text)`.as('manifest'),
              sql<number>`cast(${BRANCH_SLOTS.bytes} as bigint)`.as('bytes'),
            ])
            .where('code_jobs.name', '=', NAME)
            .where('code_jobs.owner', '=', OWNER)
            .where('code_jobs.state', '=', 'running'),
        )
        .onConflict((conflict) =>
          conflict.columns(['key', 'ref']).doUpdateSet({
            branch: BRANCH_SLOTS.branch,
            sha: BRANCH_SLOTS.sha,
            manifest: BRANCH_SLOTS.manifest,
            bytes: BRANCH_SLOTS.bytes,
          }),
        )
        .returning('key'),
    ),
    deleteBranch: compile('delete-branch', (db) =>
      db.deleteFrom('code_branches').where('key', '=', KEY).where('ref', '=', REF).returning('key'),
    ),
    // Asked again in the statement that removes: a site may have been registered meanwhile.
    unusedKeys: compile('unused-keys', (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('code_branches').select('key').union(eb.selectFrom('code_jobs').select('key')).as('known'))
        .select('key')
        .where('key', 'not like', EXTERNAL)
        .where(IS_UNUSED)
        .orderBy('key'),
    ),
    externalKeys: compile('external-keys', (db) =>
      db
        .selectFrom('code_branches')
        .select('key')
        .where('key', 'like', EXTERNAL)
        .union((eb) => eb.selectFrom('code_jobs').select('key').where('key', 'like', EXTERNAL)),
    ),
    keys: compile('code-keys', (db) => db.selectFrom('code_branches').select('key').union(db.selectFrom('code_jobs').select('key'))),
    deleteUnusedBranches: compile('delete-unused-branches', (db) =>
      db
        .deleteFrom('code_branches')
        .where('key', '=', KEY)
        .where(IS_UNUSED)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('code_jobs').select('name').where('key', '=', KEY).where('state', '<>', STOPPED))))
        .returning('key'),
    ),
    deleteIdleBranches: compile('delete-idle-branches', (db) =>
      db
        .deleteFrom('code_branches')
        .where('key', '=', KEY)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('code_jobs').select('name').where('key', '=', KEY).where('state', '<>', STOPPED))))
        .returning('key'),
    ),
    deleteStoppedJobs: compile('delete-stopped-jobs', (db) =>
      db.deleteFrom('code_jobs').where('key', '=', KEY).where('state', '=', STOPPED).returning('name'),
    ),
    deleteUnusedJobs: compile('delete-unused-jobs', (db) =>
      db.deleteFrom('code_jobs').where('key', '=', KEY).where('state', '=', STOPPED).where(IS_UNUSED).returning('name'),
    ),
    manifests: compile('manifests', (db) => db.selectFrom('code_branches').select('manifest').distinct()),
    isKnown: compile('is-known', (db) => db.selectFrom('code_branches').select('key').where('key', '=', KEY).limit(1)),
  };
}
