import { EVERYBODY } from '#backend/domain/code/asked-branches.ts';
import type { Dialect } from './tables.ts';

/** Things of an organization that are wrong at a time and are told: LIMITS.openCauses, as it was when the tables were made. */
const MOST_CAUSES = 1000;
/** Messages to a subscription that wait, and events of a message: LIMITS.deliveriesWaiting and deliveryEvents, as they were then. */
const [MOST_WAITING, MOST_EVENTS] = [1000, 1000];
/** When the messages of a day go out that are sent once a day, in UTC. */
const MORNING = 'T06:00:00.000Z';

export function sqliteEventTriggers(): string[] {
  return [
    `create trigger cause_of_job after update of state on code_jobs
      when new.state = 'stopped' and old.state <> 'stopped' begin ${causesOfJob(SQLITE)}; end`,
    `create trigger event_of_new_cause after insert on event_causes when new.open = 1 begin ${eventOfCause}; end`,
    `create trigger event_of_cause after update on event_causes when new.open <> old.open begin ${eventOfCause}; end`,
    `create trigger deliveries_of_event after insert on events begin ${deliveriesOfEvent(SQLITE)}; end`,
    `create trigger items_of_delivery after delete on event_deliveries begin ${ITEMS_OF_DELIVERY}; end`,
  ];
}

export function postgresEventTriggers(): string[] {
  const body = (name: string, work: string) =>
    `create function ${name}() returns trigger language plpgsql as $$ begin ${work}; return null; end $$`;
  return [
    body('cause_of_job', causesOfJob(POSTGRES)),
    body('event_of_cause', eventOfCause),
    body('deliveries_of_event', deliveriesOfEvent(POSTGRES)),
    body('items_of_delivery', ITEMS_OF_DELIVERY),
    `create trigger cause_of_job after update of state on code_jobs for each row
      when (new.state = 'stopped' and old.state <> 'stopped') execute function cause_of_job()`,
    `create trigger event_of_new_cause after insert on event_causes for each row when (new.open = 1) execute function event_of_cause()`,
    `create trigger event_of_cause after update on event_causes for each row when (new.open <> old.open) execute function event_of_cause()`,
    `create trigger deliveries_of_event after insert on events for each row execute function deliveries_of_event()`,
    `create trigger items_of_delivery after delete on event_deliveries for each row execute function items_of_delivery()`,
  ];
}

/** The messages of an event within bounds, in the place of the trigger that made them without any. Each statement leaves events with their messages. */
export function boundedDeliveries(dialect: Dialect): string[] {
  if (dialect === 'postgres')
    return [
      `create or replace function deliveries_of_event() returns trigger language plpgsql as $$ begin ${boundedDeliveriesOf(POSTGRES)}; return null; end $$`,
    ];
  return [
    `create trigger if not exists bounded_deliveries_of_event after insert on events begin ${boundedDeliveriesOf(SQLITE)}; end`,
    `drop trigger if exists deliveries_of_event`,
  ];
}

/** A sync that fails is told to those for whom the branch counts, in the place of the trigger that told all on the repository. */
export function causesOfAskedJobs(dialect: Dialect): string[] {
  const isAsked = IS_ASKED;
  if (dialect === 'postgres')
    return [
      `create or replace function cause_of_job() returns trigger language plpgsql as $$ begin ${causesOfJob(POSTGRES, isAsked)}; return null; end $$`,
    ];
  return [
    `drop trigger cause_of_job`,
    `create trigger cause_of_job after update of state on code_jobs
      when new.state = 'stopped' and old.state <> 'stopped' begin ${causesOfJob(SQLITE, isAsked)}; end`,
  ];
}

/**
 * A failed sync makes room for itself, as what is told when it begins alone does; what gave way tells nothing by that, but by its end. In
 * the place of the triggers that told a failed sync where there was room.
 */
export function causesThatGiveWay(dialect: Dialect): string[] {
  const tells = `new.open <> old.open and new.open <> 2`;
  if (dialect === 'postgres')
    return [
      `create or replace function cause_of_job() returns trigger language plpgsql as $$ declare full_org text; begin
        for full_org in ${fullOrgs(POSTGRES)} loop
          update event_causes set open = 2 where org = full_org and open = 1 and (kind, cause) in (select kind, cause from event_causes as others
            where others.org = full_org and others.open = 1 order by changed desc, kind, cause offset ${MOST_CAUSES - 1});
        end loop;
        ${causesOfJob(POSTGRES, IS_ASKED, ENDS_TOO)}; return null; end $$`,
      `drop trigger event_of_cause on event_causes`,
      `create trigger event_of_cause after update on event_causes for each row when (${tells}) execute function event_of_cause()`,
    ];
  return [
    `drop trigger cause_of_job`,
    `create trigger cause_of_job after update of state on code_jobs
      when new.state = 'stopped' and old.state <> 'stopped' begin ${yieldToJob()}; ${causesOfJob(SQLITE, IS_ASKED, ENDS_TOO)}; end`,
    `drop trigger event_of_cause`,
    `create trigger event_of_cause after update on event_causes when ${tells} begin ${eventOfCause}; end`,
  ];
}

/** What is wrong still when its event is no longer kept is told again. */
export function eventOfRenewedCause(dialect: Dialect): string[] {
  const isRenewed = 'new.open = 1 and old.open = 1 and new.changed <> old.changed';
  if (dialect === 'postgres')
    return [
      `create trigger event_of_renewed_cause after update on event_causes for each row when (${isRenewed}) execute function event_of_cause()`,
    ];
  return [`create trigger event_of_renewed_cause after update on event_causes when ${isRenewed} begin ${eventOfCause}; end`];
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
 * One cause for each organization whose sites use the repository, and of which the condition holds that may follow. A sync that somebody stopped says
 * nothing of the code.
 */
function causesOfJob(
  expressions: Expressions,
  condition = '',
  { toBegin, toEnd }: typeof ENDS_TOO = { toBegin: 'open = 0', toEnd: 'open = 1' },
): string {
  return `insert into event_causes (kind, cause, org, site, repository, ref, open, changed, about, detail)
    select 'sync-failed', new.key || '#' || new.ref, using_it.org, null, using_it.repository, new.ref, 1, new.stopped, new.name, new.problem
    from ${usingIt(expressions)}
    where new.outcome = 'failed' ${condition}
      and (select count(*) from event_causes as others where others.org = using_it.org and others.open = 1) < ${MOST_CAUSES}
    order by using_it.org
    on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
      where event_causes.${toBegin};
  update event_causes set open = 0, changed = new.stopped, about = new.name, detail = null
    where kind = 'sync-failed' and cause = new.key || '#' || new.ref and ${toEnd} and new.outcome = 'done'`;
}

/** What tells of causes that gave way, too: they begin anew where there is room, and end. */
const ENDS_TOO = { toBegin: 'open <> 1', toEnd: 'open <> 0' };

/** The organizations that are told of a sync. */
function usingIt({ keyOrg, keyRepository }: Expressions): string {
  return `(
      select distinct org, new.key as repository from sites where repository is not null and lower(repository) = new.key
      union select ${keyOrg}, ${keyRepository} where new.key like 'byogit:%'
    ) as using_it`;
}

/** Those for whom the branch counts. */
const IS_ASKED = `and (new.key not like 'github:%' or new.ref = 'main'
      or exists (select 1 from asked_branches as a where a.key = new.key and a.ref = new.ref and a.org in (using_it.org, '${EVERYBODY}'))
      or not exists (select 1 from asked_branches as a where a.key = new.key and a.ref = new.ref))`;

/** The organizations that are to be told of a failed sync, and have as many causes as may be. */
function fullOrgs(expressions: Expressions): string {
  const isNew = `not exists (select 1 from event_causes as present where present.kind = 'sync-failed' and present.cause = new.key || '#' || new.ref
        and present.org = using_it.org and present.open <> 0)`;
  const isFull = `(select count(*) from event_causes as others where others.org = using_it.org and others.open = 1) >= ${MOST_CAUSES}`;
  return `select using_it.org from ${usingIt(expressions)}
    where new.outcome = 'failed' and using_it.org is not null and ${isFull} and ${isNew} ${IS_ASKED}`;
}

/** The oldest of each of them give way, on SQLite. */
function yieldToJob(): string {
  return `update event_causes set open = 2 where open = 1 and (kind, cause, org) in (select kind, cause, org from (
      select c.kind, c.cause, c.org, row_number() over (partition by c.org order by c.changed desc, c.kind, c.cause) as place
      from event_causes as c where c.open = 1 and c.org in (${fullOrgs(SQLITE)})
    ) as placed where place >= ${MOST_CAUSES})`;
}

const eventOfCause = `insert into events (time, org, kind, cause, phase, site, repository, ref, about, detail)
  values (new.changed, new.org, new.kind, new.cause, case new.open when 1 then 'began' else 'ended' end,
    new.site, new.repository, new.ref, new.about, new.detail)`;

/** Subscriptions that an event is for: of its kind, and of its site or one on its repository, where they name these. */
const SUBSCRIPTIONS = `from event_subscriptions as s where s.org = new.org
  and (s.kinds = '' or s.kinds like '%,' || new.kind || ',%')
  and (s.sites = '' or s.sites like '%,' || new.site || ',%' or exists (
    select 1 from sites where sites.org = new.org and lower(sites.repository) = lower(new.repository) and sites.repository is not null
      and s.sites like '%,' || sites.site || ',%'))`;
const SUBSCRIBED = `${SUBSCRIPTIONS}
  order by s.id`;
const DELIVERY = `'msg_' || s.id || '_' || case s.rhythm when 'daily' then substr(new.time, 1, 10) else cast(new.id as text) end`;

function deliveriesOfEvent({ morningAfter }: Expressions): string {
  return `insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
    select ${DELIVERY}, new.org, s.id, 'waiting', new.time, case s.rhythm when 'daily' then ${morningAfter} else new.time end, 0, '', ''
    ${SUBSCRIBED} on conflict (id) do nothing;
  insert into event_delivery_items (delivery, event) select ${DELIVERY}, new.id ${SUBSCRIBED} on conflict (delivery, event) do nothing`;
}

/** A message beside which too many wait is not sent, and says so; a message of a day tells of its first events. */
function boundedDeliveriesOf({ morningAfter }: Expressions): string {
  const problem = `'Not sent: 1,000 messages to this recipient were waiting already. Send it again when they have arrived.'`;
  const isFull = `(select count(*) from event_deliveries as w where w.subscription = s.id and w.state = 'waiting') >= ${MOST_WAITING}`;
  return `insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, problem, ended, owner, lease_until)
    select id, new.org, subscription, case when is_full then 'failed' else 'waiting' end, new.time, next_at, 0,
      case when is_full then ${problem} end, case when is_full then new.time end, '', ''
    from (select ${DELIVERY} as id, s.id as subscription, case s.rhythm when 'daily' then ${morningAfter} else new.time end as next_at,
      ${isFull} as is_full ${SUBSCRIPTIONS}) as made order by subscription on conflict (id) do nothing;
  insert into event_delivery_items (delivery, event) select ${DELIVERY}, new.id ${SUBSCRIPTIONS}
    and (select count(*) from event_delivery_items as told where told.delivery = ${DELIVERY}) < ${MOST_EVENTS}
    order by s.id on conflict (delivery, event) do nothing`;
}

const ITEMS_OF_DELIVERY = `delete from event_delivery_items where delivery = old.id`;
