import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import { assignments, insert } from '../db/queries.ts';
import type { Database, Dialect, Query, WriteQueries } from '../db/queries.ts';
import { Conflicted } from '../db/storage-error.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import type { StartedSite, RolloutRecord, RolloutSiteRecord, RolloutStore, StoredRollout } from './rules/ports.ts';

interface RolloutRow {
  readonly org: string;
  readonly id: string;
  readonly state: RolloutState;
  readonly revision: number;
  readonly document: string;
}

interface SiteRow {
  readonly org: string;
  readonly rollout: string;
  readonly site: string;
  readonly wave: number;
  readonly state: RolloutSiteState;
  readonly stuck: number;
  readonly document: string;
}

// The mark stays when a site is restored.
const STUCK = sql`case when state in ('staged', 'changed') then stuck else 0 end`;
const SITE = sql`org, rollout, site, wave, state, ${STUCK} as stuck, document`;
const IS_OPEN = sql`state in ('running', 'undoing')`;
const IS_ENDED = sql`state in ('done', 'undone')`;
const isOf = (org: string, rollout: string) => sql`org = ${org} and rollout = ${rollout}`;

export function rolloutStore({ read, change }: Database): RolloutStore {
  const sites = async (org: string, rollout: string, condition: RawBuilder<unknown>) =>
    (await read(sql<SiteRow>`select ${SITE} from rollout_sites where ${isOf(org, rollout)} and ${condition}`)).map(storedRolloutSite);
  return {
    async list(org) {
      const rows = await read(sql<RolloutRow>`select org, id, state, revision, document from rollouts where org = ${org}
        order by started desc, id`);
      return rows.map(storedRollout);
    },
    async counts(org, rollout, wave) {
      const rows = await read(sql<{ state: RolloutSiteState; sites: number; worse: number; stuck: number }>`
        select state, count(*) as sites, sum(worse) as worse, sum(${STUCK}) as stuck from rollout_sites
        where ${isOf(org, rollout)} and ${wave === 0 ? sql`true` : sql`wave = ${wave}`} group by state`);
      const sum = (column: 'sites' | 'worse' | 'stuck') => rows.reduce((all, row) => all + row[column], 0);
      return {
        total: sum('sites'),
        states: Object.fromEntries(rows.map((row) => [row.state, row.sites])),
        worse: sum('worse'),
        stuck: sum('stuck'),
      };
    },
    sites: (org, rollout, { state, worse, stuck, after, limit }) => {
      const conditions = [
        sql`site > ${after}`,
        ...(state === '' ? [] : [sql`state = ${state}`]),
        ...(worse === undefined ? [] : [sql`worse = ${Number(worse)}`]),
        ...(stuck === undefined ? [] : [sql`${STUCK} = ${Number(stuck)}`]),
      ];
      return sites(org, rollout, sql`${sql.join(conditions, sql` and `)} order by site limit ${limit}`);
    },
    next: (org, rollout, state, { wave, limit }) =>
      sites(org, rollout, sql`state = ${state} and wave <= ${wave} and stuck = 0 order by position limit ${limit}`),
    // Inside a text of the document the quotes of such a name would be escaped.
    unnoted: (org, rollout, limit) =>
      sites(org, rollout, sql`state = 'waiting' and document not like '%"wrong":%' order by position limit ${limit}`),
    unevaluated: (org, rollout, limit) =>
      sites(org, rollout, sql`state in ('changed', 'staged') and evaluated = 0 order by position limit ${limit}`),
    async open(leased, limit) {
      return [
        ...(await read(sql<{ org: string; id: string }>`select org, id from rollouts where ${IS_OPEN} and lease_until <= ${leased}
          order by lease_until, started limit ${limit}`)),
      ];
    },
    async claim({ org, id, owner, until }, leased) {
      const claimed = await change(sql`update rollouts set owner = ${owner}, lease_until = ${until} where org = ${org} and id = ${id}
        and ${IS_OPEN} and (owner = ${owner} or lease_until <= ${leased}) returning id`);
      return claimed.length > 0;
    },
    // The released lease of a rollout shows when it had its turn: see the order of open ones.
    async release({ org, id, owner, now }) {
      await change(sql`update rollouts set lease_until = ${now} where org = ${org} and id = ${id} and owner = ${owner}`);
    },
    async removeOldest(org, limit) {
      const old = sql`org = ${org} and ${IS_ENDED} and id not in (select id from rollouts where org = ${org}
        order by started desc, id limit ${limit})`;
      await change(sql`delete from rollout_sites where org = ${org} and rollout in (select id from rollouts where ${old})`);
      await change(sql`delete from rollouts where ${old}`);
    },
  };
}

export function rolloutReads(query: Query): Pick<Reads, 'rollout' | 'rolloutSite'> {
  return {
    async rollout(org, id) {
      const [row] = await query(sql<RolloutRow>`select org, id, state, revision, document from rollouts where org = ${org} and id = ${id}`);
      return row && storedRollout(row);
    },
    async rolloutSite(org, id, site) {
      const [row] = await query(sql<SiteRow & { during: RolloutState }>`
        select s.org, s.rollout, s.site, s.wave, s.state, s.stuck, s.document, r.state as during from rollout_sites as s
        join rollouts as r on r.org = s.org and r.id = s.rollout where s.org = ${org} and s.rollout = ${id} and s.site = ${site}`);
      return row && { row: storedRolloutSite(row), state: row.during };
    },
  };
}

function storedRollout({ org, id, state, revision, document }: RolloutRow): StoredRollout {
  return { ...(JSON.parse(document) as Omit<RolloutRecord, 'org' | 'id' | 'state'>), org, id, state, revision };
}

function storedRolloutSite({ org, rollout, site, wave, state, stuck, document }: SiteRow): RolloutSiteRecord {
  const details = JSON.parse(document) as Omit<RolloutSiteRecord, 'org' | 'rollout' | 'site' | 'wave' | 'state'>;
  return { ...details, org, rollout, site, wave, state, ...(stuck === 1 && { stuck: true }) };
}

export function rolloutWrites({ dialect, rows, must, may }: WriteQueries): Pick<Writes, 'changeRollout'> {
  return {
    async changeRollout(change) {
      switch (change.kind) {
        case 'start': {
          const { org, id, state, started } = change.rollout;
          const open = await rows(sql<{ id: string }>`select id from rollouts where org = ${org} and not ${IS_ENDED}`);
          if (!open.every((row) => change.beside.includes(row.id))) throw new Conflicted();
          await must(insert('rollouts', { org, id, state, started, revision: 1, document: documentOf(change.rollout) }));
          return await must(
            sql`insert into rollout_sites (org, rollout, site, position, wave, state, document)
              select cast(${org} as text), cast(${id} as text), site, position, wave, 'waiting', document
              from (${rowsOfSites(dialect, change.sites)}) as given`,
            change.sites.length,
          );
        }
        case 'put': {
          const { org, id, state } = change.rollout;
          return await must(sql`update rollouts set state = ${state}, revision = revision + 1, document = ${documentOf(change.rollout)}
            where org = ${org} and id = ${id} and revision = ${change.expected}`);
        }
        case 'site': {
          const { org, rollout, site } = change.row;
          return await must(sql`update rollout_sites set ${assignments(siteColumns(change.row))}
            where ${isOf(org, rollout)} and site = ${site} and state = ${change.expected}
              and exists (select 1 from rollouts as r where r.org = ${org} and r.id = ${rollout} and r.state = ${change.during})`);
        }
        case 'sites': {
          const { org, rollout, from, to, extending } = change;
          const isWanted =
            extending === undefined
              ? sql`true`
              : sql`exists (select 1 from sites as s where s.org = rollout_sites.org and s.site = rollout_sites.site and s.profile = ${extending})`;
          return await may(sql`update rollout_sites set state = ${to} where ${isOf(org, rollout)} and state = ${from} and ${isWanted}`);
        }
        case 'unstick':
          return await may(sql`update rollout_sites set stuck = 0 where ${isOf(change.org, change.rollout)} and stuck = 1`);
      }
    },
  };
}

/** The sites of a rollout as rows of one value, whatever their number. */
function rowsOfSites(dialect: Dialect, sites: readonly StartedSite[]) {
  const json = JSON.stringify(sites.map(({ site, wave, ...details }) => [site, wave, JSON.stringify(details)]));
  return dialect === 'postgres'
    ? sql`select (value ->> 0) as site, (place - 1)::int as position, (value ->> 1)::int as wave, (value ->> 2) as document
        from json_array_elements(${json}::text::json) with ordinality as listed(value, place)`
    : sql`select value ->> 0 as site, key as position, value ->> 1 as wave, value ->> 2 as document from json_each(${json})`;
}

function documentOf(rollout: RolloutRecord): string {
  const { title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped } = rollout;
  return JSON.stringify({ title, edits, profile, waves, wave, by, requestId, started, startedBy, ended, stopped });
}

function siteColumns({ org: _org, rollout: _rollout, site: _site, wave: _wave, state, worse, stuck, ...details }: RolloutSiteRecord) {
  return {
    state,
    evaluated: worse === undefined ? 0 : 1,
    worse: worse !== undefined && worse.length > 0 ? 1 : 0,
    stuck: stuck === undefined ? 0 : 1,
    document: JSON.stringify({ ...details, ...(worse !== undefined && { worse }) }),
  };
}
