import { sql } from 'kysely';
import { EventKind } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { assignments } from '../db/queries.ts';
import type { Query, WriteQueries } from '../db/queries.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import type { StoredSubscription } from './rules/ports.ts';

/** `kinds` and `sites` are names between commas, one at each end; empty for all. `owner_names` is a JSON list. */
interface SubscriptionRow {
  readonly id: string;
  readonly org: string;
  readonly kinds: string;
  readonly sites: string;
  readonly channel: StoredSubscription['channel']['type'];
  readonly target: string;
  readonly rhythm: string;
  readonly sealed: string | null;
  readonly created: string;
  readonly created_by: string;
  readonly owner_names: string | null;
}

export function subscriptionReads(query: Query): Pick<Reads, 'subscriptions' | 'webhookSubscriptions'> {
  return {
    async subscriptions(org) {
      const rows = await query(sql<SubscriptionRow>`select * from event_subscriptions where org = ${org} order by created, id`);
      return rows.map(storedSubscription);
    },
    async webhookSubscriptions() {
      return (await query(sql<SubscriptionRow>`select * from event_subscriptions where channel = 'webhook'`)).map(storedSubscription);
    },
  };
}

export function subscriptionWrites({ must, may }: WriteQueries): Pick<Writes, 'putSubscription' | 'deleteSubscription'> {
  return {
    async putSubscription(subscription, before) {
      const row = subscriptionRow(subscription);
      if (before !== undefined) return await must(sql`update event_subscriptions set ${assignments(row)} where id = ${row.id}`);
      const values = Object.values(row).map((value) => sql`cast(${value} as text)`);
      await must(sql`insert into event_subscriptions (${sql.raw(Object.keys(row).join(', '))}) select ${sql.join(values)}
        where (select count(*) from event_subscriptions as others where others.org = ${row.org}) < ${sql.lit(LIMITS.subscriptions)}`);
    },
    async deleteSubscription(id) {
      await must(sql`delete from event_subscriptions where id = ${id}`);
      await may(sql`delete from event_deliveries where subscription = ${id}`);
    },
  };
}

function subscriptionRow({ id, org, kinds, sites, channel, created, createdBy, ownerNames }: StoredSubscription): SubscriptionRow {
  const isWebhook = channel.type === 'webhook';
  return {
    id,
    org,
    kinds: joined(kinds),
    sites: joined(sites),
    channel: channel.type,
    target: isWebhook ? channel.url : channel.to,
    rhythm: isWebhook ? 'each' : channel.digest,
    sealed: isWebhook ? channel.sealed : null,
    created: created.toISOString(),
    created_by: createdBy,
    owner_names: ownerNames === undefined ? null : JSON.stringify(ownerNames),
  };
}

function storedSubscription(row: SubscriptionRow): StoredSubscription {
  const { id, org, kinds, sites, channel, target, rhythm, sealed, created, created_by: createdBy, owner_names: ownerNames } = row;
  return {
    id,
    org,
    kinds: names(kinds)?.flatMap((kind) => EventKind.safeParse(kind).data ?? []),
    sites: names(sites),
    channel:
      channel === 'webhook'
        ? { type: 'webhook', url: target, sealed: sealed ?? '' }
        : { type: 'email', to: target, digest: rhythm === 'daily' ? 'daily' : 'each' },
    created: new Date(created),
    createdBy,
    ...(ownerNames !== null && { ownerNames: JSON.parse(ownerNames) as readonly string[] }),
  };
}

function joined(items: readonly string[] | undefined): string {
  return items === undefined ? '' : `,${items.join(',')},`;
}

function names(value: string): string[] | undefined {
  return value === '' ? undefined : value.slice(1, -1).split(',');
}
