import { sql } from 'kysely';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { assignments } from '../db/queries.ts';
import type { Database, Query, WriteQueries } from '../db/queries.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { KEY_OF_REPOSITORY } from '../sites/site-queries.ts';
import type { CheckRound, CheckStore, CheckSummary, ListedCheck, CheckResults, SiteCheckRecord } from './rules/ports.ts';
import type { CodeOrigin } from '../code/rules/ports.ts';

interface ListedRow {
  readonly site: string;
  readonly site_version: number;
  readonly repository: string | null;
  readonly complete: number;
  readonly state: SiteState | null;
  readonly summary: string | null;
  readonly checked_at: string | null;
  readonly version: number | null;
  readonly authoring_at: string | null;
  readonly authoring_by: string | null;
  readonly outdated: number;
}

/** `owner` checks the sites of an organization until `lease_until`; no check is needed before `due`. */
interface RoundRow {
  readonly org: string;
  readonly since: string;
  readonly complete: number;
  readonly repeats: number;
  readonly done: number;
  readonly total: number;
}

/** Whether a site has a content root and a code source, as `isComplete` of `core/sites` does. */
const IS_COMPLETE = sql`case when s.content_root is not null and s.repository is not null then 1 else 0 end`;
/** Keys of the origins of a site: see `originOf`. */
const EXTERNAL = sql`'byogit:' || s.org || ':' || substr(s.repository, 8)`;
const IS_OF_ORIGIN = sql`(j.key = lower(s.repository)
  or (s.repository like 'byogit:%' and j.key >= ${EXTERNAL} || ':' and j.key < ${EXTERNAL} || ';'))`;
const IS_OUTDATED = sql`case when c.authoring_version <> s.version then 1 else 0 end`;
const CHECKED = sql`sites as s left join site_checks as c on c.org = s.org and c.site = s.site`;
const isDue = (before: string) => sql`(c.service_at is null or c.service_at < ${before} or c.service_version <> s.version
  or exists (select 1 from code_jobs as j where j.ref = 'main' and j.ended > c.service_at and ${IS_OF_ORIGIN}))`;
const isOfOrg = (org: string) => sql`(j.key in (select lower(repository) from sites where org = ${org} and repository is not null)
  or (j.key >= ${`byogit:${org}:`} and j.key < ${`byogit:${org};`}))`;
const isLeasedBy = ({ org, owner }: { readonly org: string; readonly owner: string }) => sql`org = ${org} and owner = ${owner}`;

export function checkStore({ read, change }: Database): CheckStore {
  return {
    async list(org, { after, limit }) {
      const rows = await read(sql<ListedRow>`select s.site, s.version as site_version, s.repository, ${IS_COMPLETE} as complete, c.state,
        c.summary, c.checked_at, c.version, c.authoring_at, c.authoring_by, ${IS_OUTDATED} as outdated from ${CHECKED}
        where s.org = ${org} and s.site > ${after} order by s.site limit ${limit}`);
      return rows.map(listedCheck);
    },
    async states(org) {
      type Row = { state: SiteState | null; repository: string | null; complete: number; outdated: number; sites: number };
      const rows = await read(sql<Row>`select state, min(repository) as repository, complete, outdated, count(*) as sites
        from (select c.state, s.repository, ${KEY_OF_REPOSITORY} as code, ${IS_COMPLETE} as complete, ${IS_OUTDATED} as outdated
          from ${CHECKED} where s.org = ${org}) as each_site
        group by state, code, complete, outdated`);
      return rows.map(({ state, repository, complete, outdated, sites }) => ({
        state: state ?? undefined,
        repository: repository ?? undefined,
        isComplete: complete === 1,
        isAuthoringOutdated: outdated === 1,
        sites,
      }));
    },
    async technicalAccount(org, author) {
      const rows = await read(sql<{ technical_account: string }>`select technical_account from site_checks
        where org = ${org} and environment = ${author} order by authoring_at desc limit 1`);
      return rows[0]?.technical_account;
    },
    async repositories(org) {
      return [
        ...(await read(sql<{ repository: string; sites: number }>`select min(repository) as repository, count(*) as sites from sites
          where org = ${org} and repository is not null group by ${KEY_OF_REPOSITORY}`)),
      ];
    },
    async openSyncs(org, ref) {
      const rows = await read(
        sql<{ key: string }>`select j.key from code_jobs as j where j.ref = ${ref} and j.state <> 'stopped' and ${isOfOrg(org)}`,
      );
      return rows.map(({ key }) => key);
    },
    async changes(org, since, limit) {
      return [
        ...(await read(sql<{ day: string; count: number }>`select day, count(*) as count from (select substr(time, 1, 10) as day from audit
          where org = ${org} and time >= ${since} and action not like 'start-sync/%' and action not like 'stop-sync/%'
          order by time desc limit ${limit}) as counted group by day`)),
      ];
    },
    async syncs(org, since) {
      return [
        ...(await read(sql<{ day: string; count: number; failed: number }>`select substr(j.ended, 1, 10) as day, count(*) as count,
          sum(j.failed) as failed from code_jobs as j where j.ended >= ${since} and ${isOfOrg(org)} group by substr(j.ended, 1, 10)`)),
      ];
    },
    async due(org, { before, after, limit }) {
      const rows = await read(sql<{ site: string }>`select s.site from ${CHECKED} where s.org = ${org} and s.site > ${after}
        and ${isDue(before)} order by s.site limit ${limit}`);
      return rows.map(({ site }) => site);
    },
    async countDue(org, before) {
      const [row] = await read(sql<{ count: number }>`select count(*) as count from ${CHECKED} where s.org = ${org} and ${isDue(before)}`);
      return row?.count ?? 0;
    },
    async dueOrgs(now, leased, limit) {
      const rows = await read(sql<{ org: string }>`select o.org from orgs as o left join check_rounds as r on r.org = o.org
        where coalesce(r.due, '') <= ${now} and coalesce(r.lease_until, '') <= ${leased}
        order by coalesce(r.due, ''), o.org limit ${limit}`);
      return rows.map(({ org }) => org);
    },
    async syncedOrigins(since, ref, { after, limit }) {
      const rows = await read(sql<{ origin: string }>`select distinct origin from code_jobs where ended >= ${since} and ref = ${ref}
        and origin > ${after} order by origin limit ${limit}`);
      const origins = rows.map(({ origin }) => JSON.parse(origin) as CodeOrigin);
      return {
        origins: [...new Map(origins.map((origin) => [origin.key, origin])).values()],
        next: rows.length < limit ? undefined : rows.at(-1)?.origin,
      };
    },
    // An interrupted round restarts as the same kind, behind those that have waited longer: rounds that always fail block no one.
    async claimRound({ org, owner, now, leased, until }, complete) {
      const rows = await change(sql<RoundRow>`insert into check_rounds (org, due, owner, lease_until, since, complete, repeats, done, total)
        values (${org}, ${now}, ${owner}, ${until}, ${now}, ${complete ? 1 : 0}, 0, 0, 0)
        on conflict (org) do update set owner = excluded.owner, lease_until = excluded.lease_until, since = excluded.since,
          complete = case when check_rounds.complete + check_rounds.repeats > 0 then 1 else excluded.complete end, repeats = 0, done = 0, total = 0,
          due = excluded.due
        where check_rounds.lease_until <= ${leased} returning *`);
      return rows.map(checkRound)[0];
    },
    async joinRound(org, leased) {
      const rows = await change(sql<RoundRow>`update check_rounds set repeats = case when complete = 1 then repeats else 1 end
        where org = ${org} and lease_until > ${leased} returning *`);
      return rows.map(checkRound)[0];
    },
    async saveRound(lease, { done, total }) {
      const saved = await change(sql`update check_rounds set done = ${done}, total = ${total}, lease_until = ${lease.until}
        where ${isLeasedBy(lease)} returning org`);
      return saved.length > 0;
    },
    async finishRound(lease, due) {
      const finished = await change(sql`update check_rounds set owner = '', lease_until = '', complete = 0, due = ${due}
        where ${isLeasedBy(lease)} and repeats = 0 returning org`);
      return finished.length > 0;
    },
    async releaseRound(lease) {
      await change(sql`update check_rounds set owner = '', lease_until = '' where ${isLeasedBy(lease)} returning org`);
    },
    async round(org, leased) {
      return (await read(sql<RoundRow>`select * from check_rounds where org = ${org} and lease_until > ${leased}`)).map(checkRound)[0];
    },
  };
}

function listedCheck(row: ListedRow): ListedCheck {
  const { site, site_version: version, repository, complete, state, summary, authoring_at: at, authoring_by: by, outdated } = row;
  return {
    site,
    version,
    repository: repository ?? undefined,
    isComplete: complete === 1,
    check:
      state === null
        ? undefined
        : {
            state,
            summary: JSON.parse(summary ?? '') as CheckSummary,
            at: row.checked_at ?? '',
            version: row.version ?? 0,
            authoring: at === null || by === null ? undefined : { at, by },
            isAuthoringOutdated: outdated === 1,
          },
  };
}

function checkRound({ org, since, complete, repeats, done, total }: RoundRow): CheckRound {
  return { org, since, complete: complete + repeats > 0, done, total };
}

export function siteCheckReads(query: Query): Pick<Reads, 'siteCheck'> {
  return {
    async siteCheck(org, site) {
      const [row] = await query(sql<{
        revision: number;
        state: SiteState;
        summary: string;
        results: string;
        authoring_version: number | null;
      }>`
        select revision, state, summary, results, authoring_version from site_checks where org = ${org} and site = ${site}`);
      if (row === undefined) return undefined;
      const { state, revision } = row;
      return {
        org,
        site,
        state,
        revision,
        results: storedResults(row.results, row.authoring_version),
        summary: JSON.parse(row.summary) as CheckSummary,
      };
    },
  };
}

/** The column is newer than the document if the site's profile was changed since. */
function storedResults(json: string, version: number | null): CheckResults {
  const { authoring, ...others } = JSON.parse(json) as CheckResults;
  return authoring === undefined ? others : { ...others, authoring: { ...authoring, version: version ?? authoring.version } };
}

/** A check is removed with its site. */
export function siteCheckWrites({ dialect, must }: WriteQueries): Pick<Writes, 'putSiteCheck'> {
  // On PostgreSQL a transaction that removes the site waits, and then removes the check too.
  const locked = dialect === 'postgres' ? sql`for key share` : sql``;
  return {
    async putSiteCheck(check, before) {
      const { org, site } = check;
      const columns = checkColumns(check);
      const seen = before?.revision ?? 0;
      if (seen > 0)
        return await must(sql`update site_checks set ${assignments({ revision: seen + 1, ...columns })}
          where org = ${org} and site = ${site} and revision = ${seen}`);
      const values = Object.entries(columns).map(([column, value]) =>
        column.endsWith('version') ? sql`cast(${value} as integer)` : sql`cast(${value} as text)`,
      );
      await must(sql`insert into site_checks (org, site, revision, ${sql.raw(Object.keys(columns).join(', '))})
        select org, site, 1, ${sql.join(values)} from sites where org = ${org} and site = ${site} ${locked} on conflict do nothing`);
    },
  };
}

/** `version` is that of the older of the two results, `checked_at` the time of the newer. */
function checkColumns({ state, results, summary }: SiteCheckRecord) {
  const { service, authoring } = results;
  const both = [service, authoring].filter((result) => result !== undefined);
  const environment = authoring?.isForAll === true ? authoring.environment : undefined;
  return {
    state,
    version: Math.min(...both.map(({ version }) => version)),
    checked_at: both.reduce((newest, { at }) => (at > newest ? at : newest), ''),
    service_at: service?.at ?? null,
    service_version: service?.version ?? null,
    authoring_at: authoring?.at ?? null,
    authoring_by: authoring?.by ?? null,
    authoring_version: authoring?.version ?? null,
    environment: environment?.author ?? null,
    technical_account: environment?.technicalAccount ?? null,
    summary: JSON.stringify(summary),
    results: JSON.stringify(results),
  };
}
