import { EventKind } from '@repoless/contract/event.ts';
import type { StoredSubscription } from '../events/rules/ports.ts';
import { document, optionalText, text } from './row.ts';
import type { Row } from './row.ts';
import type { SubscriptionRow } from './tables.ts';

export function subscriptionRow({ id, org, kinds, sites, channel, created, createdBy, ownerNames }: StoredSubscription): SubscriptionRow {
  const how =
    channel.type === 'webhook'
      ? { target: channel.url, rhythm: 'each', sealed: channel.sealed }
      : { target: channel.to, rhythm: channel.digest, sealed: null };
  return {
    id,
    org,
    kinds: listed(kinds),
    sites: listed(sites),
    channel: channel.type,
    ...how,
    created: created.toISOString(),
    created_by: createdBy,
    owner_names: ownerNames === undefined ? null : JSON.stringify(ownerNames),
  };
}

export function storedSubscription(row: Row): StoredSubscription {
  const target = text(row, 'target');
  const ownerNames = optionalText(row, 'owner_names');
  return {
    id: text(row, 'id'),
    org: text(row, 'org'),
    kinds: names(row, 'kinds')?.flatMap((kind) => EventKind.safeParse(kind).data ?? []),
    sites: names(row, 'sites'),
    channel:
      text(row, 'channel') === 'webhook'
        ? { type: 'webhook', url: target, sealed: text(row, 'sealed') }
        : { type: 'email', to: target, digest: text(row, 'rhythm') === 'daily' ? 'daily' : 'each' },
    created: new Date(text(row, 'created')),
    createdBy: text(row, 'created_by'),
    ...(ownerNames !== undefined && { ownerNames: document<readonly string[]>(ownerNames) }),
  };
}

function listed(items: readonly string[] | undefined): string {
  return items === undefined ? '' : `,${items.join(',')},`;
}

function names(row: Row, column: 'kinds' | 'sites'): string[] | undefined {
  const value = text(row, column);
  return value === '' ? undefined : value.slice(1, -1).split(',');
}
