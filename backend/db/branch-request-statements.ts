import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { EVERYBODY } from '../code/rules/asked-branches.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { CODE_OF_SITE, STEM_OF_KEY } from './code-keys.ts';
import { REPOSITORY_KEY } from './repository-key.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const KEY = slot<string>('key');
const REF = slot<string>('ref');
const ORG = slot<string>('org');
const MAIN = sql.lit(DEFAULT_REF);
const ALL = sql.lit(EVERYBODY);

/** Repositories of the code host that the organization has sites on, as keys name them. */
const OWN = sql`(select lower(repository) from sites where org = ${ORG} and repository is not null)`;
/** Whoever asked for the branch `b` has a site on its repository, or all who have one share it. */
const hasAsker = (beside = sql``) => sql`exists (select 1 from asked_branches as a where a.key = b.key and a.ref = b.ref ${beside}
  and (a.org = ${ALL} or exists (select 1 from sites where sites.org = a.org and ${REPOSITORY_KEY} = a.key)))`;
const IS_LEFT = sql`b.key like 'github:%' and b.ref <> ${MAIN} and not ${hasAsker()}`;
const isUnderWay = (of: 'a' | 'b') => sql`exists (select 1 from code_jobs as j
  where j.key = ${sql.ref(`${of}.key`)} and j.ref = ${sql.ref(`${of}.ref`)} and j.state <> 'stopped')`;

/** Every query about whom branches count for. */
export function branchRequestStatements(compile: Compile) {
  const raw = (name: string, query: RawBuilder<unknown>) => compile(name, (db) => ({ compile: () => query.compile(db) }));
  return {
    askedBy: compile('asked-by', (db) =>
      db.selectFrom('asked_branches').select('org').where('key', '=', KEY).where('ref', '=', REF).orderBy('org'),
    ),
    // Of what it asked for alone is read as much as it asked for, however many branches others have. Which external code has addresses that a site
    // has is not known here: see `usedCode`.
    bytesOf: raw(
      'code-bytes',
      sql`select key, sum(bytes) as bytes from (
        select key, bytes from code_branches where ref = ${MAIN} and key in ${OWN}
        union all select b.key, b.bytes
          from (select distinct key, ref from asked_branches where org in (${ORG}, ${ALL}) and key in ${OWN}) as asked
          join code_branches as b on b.key = asked.key and b.ref = asked.ref
        union all select key, bytes from code_branches where key >= ${slot<string>('from')} and key < ${slot<string>('until')}
          and (${STEM_OF_KEY}) in (select ${CODE_OF_SITE} from sites where org = ${ORG} and repository is not null)
      ) as counted group by key`,
    ),
    bytesOfAll: raw(
      'code-bytes-of-all',
      sql`select coalesce(sum(bytes), 0) as bytes from (
        select bytes from code_branches where key = ${KEY} and ref = ${MAIN}
        union all select b.bytes from asked_branches as a join code_branches as b on b.key = a.key and b.ref = a.ref
          where a.org = ${ALL} and a.key = ${KEY}
      ) as counted`,
    ),
    leftBranches: raw('left-branches', sql`select b.key, b.ref from code_branches as b where ${IS_LEFT} order by b.key, b.ref`),
    // Asked again in the statement that removes: a site may have been registered meanwhile.
    deleteLeft: raw(
      'delete-left-branch',
      sql`delete from code_branches as b where b.key = ${KEY} and b.ref = ${REF} and ${IS_LEFT} and not ${isUnderWay('b')} returning key`,
    ),
    forgetUnstored: raw(
      'forget-unstored-asked',
      sql`delete from asked_branches as a where not exists (select 1 from code_branches as b where b.key = a.key and b.ref = a.ref)
        and not ${isUnderWay('a')} returning key`,
    ),
    forgetGone: raw(
      'forget-gone-asked',
      sql`delete from asked_branches as b where b.org <> ${ALL}
        and not exists (select 1 from sites where sites.org = b.org and ${REPOSITORY_KEY} = b.key)
        and ${hasAsker(sql`and a.org <> b.org`)} returning key`,
    ),
  };
}
