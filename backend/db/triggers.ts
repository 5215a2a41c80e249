import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { ALL_ORGANIZATIONS } from '../code/rules/code-origin.ts';
import type { Dialect } from './queries.ts';

/** The triggers of the tables, with the functions that PostgreSQL needs for them. */
export function triggers(dialect: Dialect): string[] {
  return [
    ...audit(dialect),
    ...usage(dialect),
    ...authoringHosts(dialect),
    ...(dialect === 'postgres' ? requestedBranches.flatMap(postgresTrigger) : requestedBranches.map(sqliteTrigger)),
    ...(dialect === 'postgres' ? postgresEvents() : sqliteEvents()),
  ];
}

interface Trigger {
  readonly name: string;
  readonly event: string;
  readonly when?: string;
  readonly work: string;
}

function sqliteTrigger({ name, event, when, work }: Trigger): string {
  return `create trigger ${name} after ${event}${when === undefined ? '' : ` when ${when}`} begin ${work}; end`;
}

function postgresTrigger({ name, event, when, work }: Trigger): string[] {
  return [triggerFunction(name, `begin ${work}; return null; end`), postgresTriggerOf(name, event, when)];
}

function triggerFunction(name: string, body: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$ ${body} $$`;
}

function postgresTriggerOf(name: string, event: string, when: string | undefined, functionName = name): string {
  return `create trigger ${name} after ${event} for each row ${when === undefined ? '' : `when (${when}) `}execute function ${functionName}()`;
}

/**
 * Each entry of the audit trail contains the hash of the one before it in its organization, as history/audit/chain.ts computes it. SQLite
 * has one writer, which does so itself. On PostgreSQL nodes write concurrently: adding an entry locks the end of its organization's chain
 * until the commit.
 */
function audit(dialect: Dialect): string[] {
  if (dialect === 'sqlite') return [];
  return [
    `create function repoless_audit_hash(entry audit) returns text language sql immutable as $$
      select encode(sha256(convert_to(string_agg(
        case when part is null then '-' else octet_length(convert_to(part, 'UTF8')) || ':' || part end, ',' order by place), 'UTF8')), 'hex')
      from unnest(array[
        entry.previous, entry.id::text, entry.org, entry.seq::text, entry.site, entry.time, entry.changed_by, entry.action,
        entry.request_id, entry.from_version::text, entry.to_version::text
      ]) with ordinality as parts(part, place)
    $$`,
    triggerFunction(
      'repoless_chain_audit',
      `begin
        loop
          update audit_heads set entries = entries + 1 where org = new.org returning entries, hash into new.seq, new.previous;
          exit when found;
          insert into audit_heads (org, entries, hash) values (new.org, 0, '') on conflict do nothing;
        end loop;
        new.hash := repoless_audit_hash(new);
        update audit_heads set hash = new.hash where org = new.org;
        return new;
      end`,
    ),
    `create trigger audit_chained before insert on audit for each row execute function repoless_chain_audit()`,
  ];
}

const USAGE = ['sites', 'versions', 'bytes', 'secrets', 'api_keys'] as const;

/** What a row of a table adds to the usage of its organization; `row` stands for the row. */
const COUNTED: Readonly<Record<string, Partial<Record<(typeof USAGE)[number], string>>>> = {
  orgs: { bytes: 'octet_length(row.config)' },
  profiles: { bytes: 'octet_length(row.config)' },
  sites: { sites: '1', bytes: `octet_length(row.config) + octet_length(coalesce(row.aggregate, ''))` },
  versions: { versions: '1 - row.removed', bytes: `octet_length(coalesce(row.data, ''))` },
  secrets: { secrets: '1' },
  api_keys: { api_keys: '1' },
};

/**
 * The database updates an organization's counts with each change, so that rows need not be counted. PostgreSQL has several rows for each:
 * concurrent transactions block each other less.
 */
function usage(dialect: Dialect): string[] {
  return Object.entries(COUNTED).flatMap(([table, counts]) => {
    const add = (row: 'new' | 'old', signs: readonly ('+' | '-')[]) => {
      const added = USAGE.map((name) =>
        signs.map((sign) => `${sign} (${(counts[name] ?? '0').replaceAll('row.', sign === '+' ? 'new.' : 'old.')})`).join(' '),
      );
      return `insert into org_usage (org, shard, ${USAGE.join(', ')}) values (${row}.org, ${dialect === 'sqlite' ? '0' : 'pg_backend_pid() % 16'}, ${added.join(', ')})
        on conflict (org, shard) do update set ${USAGE.map((name) => `${name} = org_usage.${name} + excluded.${name}`).join(', ')}`;
    };
    if (dialect === 'sqlite')
      return [
        sqliteTrigger({ name: `usage_${table}_insert`, event: `insert on ${table}`, work: add('new', ['+']) }),
        sqliteTrigger({ name: `usage_${table}_delete`, event: `delete on ${table}`, work: add('old', ['-']) }),
        sqliteTrigger({ name: `usage_${table}_update`, event: `update on ${table}`, work: add('new', ['-', '+']) }),
      ];
    const body = `begin
      if tg_op = 'INSERT' then ${add('new', ['+'])}; end if;
      if tg_op = 'DELETE' then ${add('old', ['-'])}; end if;
      if tg_op = 'UPDATE' then ${add('new', ['-', '+'])}; end if;
      return null; end`;
    return [
      triggerFunction(`usage_of_${table}`, body),
      postgresTriggerOf(`usage_${table}`, `insert or update or delete on ${table}`, undefined, `usage_of_${table}`),
    ];
  });
}

/**
 * Refuses a root on an authoring host that the operator assigned to another organization, as the unique index refuses one that another site
 * claimed, even for two concurrent writes. The stored checks of a removed site are deleted with it.
 */
function authoringHosts(dialect: Dialect): string[] {
  const sentence = 'The authoring host is of another organization: sites.content_root';
  const isRefused = (host: string) => `exists (select 1 from authoring_hosts where host = ${host} and org <> new.org)`;
  const deleteChecks = 'delete from site_checks where org = old.org and site = old.site';
  if (dialect === 'sqlite') {
    const when = `new.content_root is not null and ${isRefused(`substr(new.content_root, 1, instr(new.content_root, '/') - 1)`)}`;
    const work = `select raise(abort, '${sentence}')`;
    return [
      sqliteTrigger({ name: 'root_of_new_site', event: 'insert on sites', when, work }),
      sqliteTrigger({
        name: 'root_of_site',
        event: 'update of content_root on sites',
        when: `new.content_root is not old.content_root and ${when}`,
        work,
      }),
      sqliteTrigger({ name: 'site_checks_of_removed', event: 'delete on sites', work: deleteChecks }),
    ];
  }
  const claimed = 'new.content_root is not null';
  return [
    // Assigning a host waits for concurrent claims of roots; later claims see it.
    triggerFunction(
      'root_of_site',
      `begin
        lock table authoring_hosts in row share mode;
        if ${isRefused(`split_part(new.content_root, '/', 1)`)} then
          raise exception using errcode = 'unique_violation', constraint = 'sites_content_root', message = '${sentence}';
        end if;
        return null; end`,
    ),
    postgresTriggerOf('root_of_new_site', 'insert on sites', claimed, 'root_of_site'),
    postgresTriggerOf(
      'root_of_site',
      'update of content_root on sites',
      `${claimed} and new.content_root is distinct from old.content_root`,
    ),
    ...postgresTrigger({ name: 'site_checks_of_removed', event: 'delete on sites', work: deleteChecks }),
  ];
}

const IS_REQUESTED = `new.key like 'github:%' and new.ref <> 'main'`;

/**
 * Which organizations requested a branch of a repository of the code host. `main` belongs to all that use the repository, and external code
 * to one organization. Written with the job, so that it is complete even if a program ends in between.
 */
const requestedBranches: readonly Trigger[] = [
  {
    name: 'requested_by_job',
    event: 'insert on code_jobs',
    when: `${IS_REQUESTED} and coalesce(new.requested_by, new.started_by) is not null`,
    work: `insert into requested_branches (key, ref, org) values (new.key, new.ref, coalesce(new.requested_by, new.started_by)) on conflict do nothing`,
  },
  {
    name: 'requested_by_joining',
    event: 'update of requested_by on code_jobs',
    when: `${IS_REQUESTED} and new.requested_by is not null`,
    work: `insert into requested_branches (key, ref, org) values (new.key, new.ref, new.requested_by) on conflict do nothing`,
  },
  {
    name: 'requested_by_anyone',
    event: 'insert on code_branches',
    when: IS_REQUESTED,
    work: `insert into requested_branches (key, ref, org)
      select new.key, new.ref, coalesce((select coalesce(requested_by, started_by) from code_jobs
        where key = new.key and ref = new.ref and state <> 'stopped'), '${ALL_ORGANIZATIONS}')
      where not exists (select 1 from requested_branches where key = new.key and ref = new.ref) on conflict do nothing`,
  },
  {
    name: 'request_removed',
    event: 'delete on code_branches',
    when: `old.key like 'github:%'`,
    work: `delete from requested_branches where key = old.key and ref = old.ref`,
  },
];

/** LIMITS.openCauses, deliveriesWaiting and deliveryEvents, at the time when the tables were created. */
const [MAX_CAUSES, MAX_WAITING, MAX_EVENTS] = [1000, 1000, 1000];
/** When daily messages are sent, in UTC. */
const MORNING = 'T06:00:00.000Z';

const JOB_STOPPED = `new.state = 'stopped' and old.state <> 'stopped'`;
const CAUSE_CHANGED = 'new.open <> old.open and new.open <> 2';
const CAUSE_RENEWED = 'new.open = 1 and old.open = 1 and new.changed <> old.changed';

/** Problems that start or end (`event_causes`) create events, which create messages for subscribers. */
function sqliteEvents(): string[] {
  const causeOfJob = { name: 'cause_of_job', event: 'update of state on code_jobs', when: JOB_STOPPED };
  const ofCause = (name: string, event: string, when: string) => ({ name, event: `${event} on event_causes`, when, work: EVENT_OF_CAUSE });
  return [
    { ...causeOfJob, work: `${yieldToJob()}; ${causesOfJob(SQLITE)}` },
    ofCause('event_of_new_cause', 'insert', 'new.open = 1'),
    ofCause('event_of_cause', 'update', CAUSE_CHANGED),
    ofCause('event_of_renewed_cause', 'update', CAUSE_RENEWED),
    { name: 'deliveries_of_event', event: 'insert on events', work: deliveriesOfEvent(SQLITE) },
    { name: 'items_of_delivery', event: 'delete on event_deliveries', work: ITEMS_OF_DELIVERY },
  ].map(sqliteTrigger);
}

function postgresEvents(): string[] {
  return [
    triggerFunction(
      'cause_of_job',
      `declare full_org text; begin
        for full_org in ${fullOrgs(POSTGRES)} loop
          update event_causes set open = 2 where org = full_org and open = 1 and (kind, cause) in (select kind, cause from event_causes as others
            where others.org = full_org and others.open = 1 order by changed desc, kind, cause offset ${MAX_CAUSES - 1});
        end loop;
        ${causesOfJob(POSTGRES)}; return null; end`,
    ),
    postgresTriggerOf('cause_of_job', 'update of state on code_jobs', JOB_STOPPED),
    triggerFunction('event_of_cause', `begin ${EVENT_OF_CAUSE}; return null; end`),
    postgresTriggerOf('event_of_new_cause', 'insert on event_causes', 'new.open = 1', 'event_of_cause'),
    postgresTriggerOf('event_of_cause', 'update on event_causes', CAUSE_CHANGED),
    postgresTriggerOf('event_of_renewed_cause', 'update on event_causes', CAUSE_RENEWED, 'event_of_cause'),
    ...postgresTrigger({ name: 'deliveries_of_event', event: 'insert on events', work: deliveriesOfEvent(POSTGRES) }),
    ...postgresTrigger({ name: 'items_of_delivery', event: 'delete on event_deliveries', work: ITEMS_OF_DELIVERY }),
  ];
}

interface Expressions {
  /** The organization and the repository in the key of an external one: byogit:<org>:<owner>/<repo>:<hash>. */
  readonly keyOrg: string;
  readonly keyRepository: string;
  readonly morningAfter: string;
}

const SQLITE: Expressions = {
  keyOrg: `substr(new.key, 8, instr(substr(new.key, 8), ':') - 1)`,
  keyRepository: `'byogit:' || substr(new.key, 8 + instr(substr(new.key, 8), ':'), length(new.key) - 24 - instr(substr(new.key, 8), ':'))`,
  morningAfter: `date(substr(new.time, 1, 10), '+1 day') || '${MORNING}'`,
};
const POSTGRES: Expressions = {
  keyOrg: `split_part(new.key, ':', 2)`,
  keyRepository: `'byogit:' || split_part(new.key, ':', 3)`,
  morningAfter: `to_char(substr(new.time, 1, 10)::date + 1, 'YYYY-MM-DD') || '${MORNING}'`,
};

/**
 * A failed sync is a cause for each organization that uses the repository and for which the branch counts, within its limit; a successful
 * one ends them. A sync that someone stopped says nothing about the code.
 */
function causesOfJob(expressions: Expressions): string {
  return `insert into event_causes (kind, cause, org, site, repository, ref, open, changed, about, detail)
    select 'sync-failed', new.key || '#' || new.ref, using_it.org, null, using_it.repository, new.ref, 1, new.stopped, new.name, new.problem
    from ${usingIt(expressions)}
    where new.outcome = 'failed' ${IS_REQUESTED_AGAIN}
      and (select count(*) from event_causes as others where others.org = using_it.org and others.open = 1) < ${MAX_CAUSES}
    order by using_it.org
    on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
      where event_causes.open <> 1;
  update event_causes set open = 0, changed = new.stopped, about = new.name, detail = null
    where kind = 'sync-failed' and cause = new.key || '#' || new.ref and open <> 0 and new.outcome = 'done'`;
}

/** The organizations that use the repository of a job. */
function usingIt({ keyOrg, keyRepository }: Expressions): string {
  return `(
      select distinct org, new.key as repository from sites where repository is not null and lower(repository) = new.key
      union select ${keyOrg}, ${keyRepository} where new.key like 'byogit:%'
    ) as using_it`;
}

const IS_REQUESTED_AGAIN = `and (new.key not like 'github:%' or new.ref = 'main'
      or exists (select 1 from requested_branches as a where a.key = new.key and a.ref = new.ref and a.org in (using_it.org, '${ALL_ORGANIZATIONS}'))
      or not exists (select 1 from requested_branches as a where a.key = new.key and a.ref = new.ref))`;

/** The organizations to be notified of a failed sync that have reached their limit of causes: the oldest of each is evicted (2). */
function fullOrgs(expressions: Expressions): string {
  const isNew = `not exists (select 1 from event_causes as present where present.kind = 'sync-failed' and present.cause = new.key || '#' || new.ref
        and present.org = using_it.org and present.open <> 0)`;
  const isFull = `(select count(*) from event_causes as others where others.org = using_it.org and others.open = 1) >= ${MAX_CAUSES}`;
  return `select using_it.org from ${usingIt(expressions)}
    where new.outcome = 'failed' and using_it.org is not null and ${isFull} and ${isNew} ${IS_REQUESTED_AGAIN}`;
}

function yieldToJob(): string {
  return `update event_causes set open = 2 where open = 1 and (kind, cause, org) in (select kind, cause, org from (
      select c.kind, c.cause, c.org, row_number() over (partition by c.org order by c.changed desc, c.kind, c.cause) as place
      from event_causes as c where c.open = 1 and c.org in (${fullOrgs(SQLITE)})
    ) as placed where place >= ${MAX_CAUSES})`;
}

const EVENT_OF_CAUSE = `insert into events (time, org, kind, cause, phase, site, repository, ref, about, detail)
  values (new.changed, new.org, new.kind, new.cause, case new.open when 1 then 'began' else 'ended' end,
    new.site, new.repository, new.ref, new.about, new.detail)`;

/** Subscriptions to an event: to its kind, and, if they name one, to its site or one on its repository. */
const SUBSCRIPTIONS = `from event_subscriptions as s where s.org = new.org
  and (s.kinds = '' or s.kinds like '%,' || new.kind || ',%')
  and (s.sites = '' or s.sites like '%,' || new.site || ',%' or exists (
    select 1 from sites where sites.org = new.org and lower(sites.repository) = lower(new.repository) and sites.repository is not null
      and s.sites like '%,' || sites.site || ',%'))`;
const DELIVERY = `'msg_' || s.id || '_' || case s.rhythm when 'daily' then substr(new.time, 1, 10) else cast(new.id as text) end`;

/** A message beyond the limit of waiting ones is not sent, and says so; a daily message contains its first events. */
function deliveriesOfEvent({ morningAfter }: Expressions): string {
  const problem = `'${codeSentence('messageUnsent', { limit: '1,000' })}'`;
  const isFull = `(select count(*) from event_deliveries as w where w.subscription = s.id and w.state = 'waiting') >= ${MAX_WAITING}`;
  return `insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, problem, ended, owner, lease_until)
    select id, new.org, subscription, case when is_full then 'failed' else 'waiting' end, new.time, next_at, 0,
      case when is_full then ${problem} end, case when is_full then new.time end, '', ''
    from (select ${DELIVERY} as id, s.id as subscription, case s.rhythm when 'daily' then ${morningAfter} else new.time end as next_at,
      ${isFull} as is_full ${SUBSCRIPTIONS}) as made order by subscription on conflict (id) do nothing;
  insert into event_delivery_items (delivery, event) select ${DELIVERY}, new.id ${SUBSCRIPTIONS}
    and (select count(*) from event_delivery_items as item where item.delivery = ${DELIVERY}) < ${MAX_EVENTS}
    order by s.id on conflict (delivery, event) do nothing`;
}

const ITEMS_OF_DELIVERY = `delete from event_delivery_items where delivery = old.id`;
