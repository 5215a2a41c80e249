import type { DeliveryState, EventKind, OrgEvent } from '@repoless/contract/event.ts';
import type { Lease } from '../../domain/queue.ts';

/** A stored subscription. `sealed`: the secret of a webhook, never its value. */
export interface StoredSubscription {
  readonly id: string;
  readonly org: string;
  readonly kinds: readonly EventKind[] | undefined;
  readonly sites: readonly string[] | undefined;
  readonly channel:
    | { readonly type: 'webhook'; readonly url: string; readonly sealed: string }
    | { readonly type: 'email'; readonly to: string; readonly digest: 'each' | 'daily' };
  readonly created: Date;
  readonly createdBy: string;
  /** For the subscriber's own address: the owner's names, in lower case. They show whether the owner still administers the organization. */
  readonly ownerNames?: readonly string[];
}

/** A problem at a site or a repository that starts or ends. Without a change of state it has no effect. */
export interface CauseChange {
  readonly kind: EventKind;
  /** The problem's identifier, the same each time. */
  readonly cause: string;
  readonly org: string;
  readonly site?: string;
  readonly repository?: string;
  readonly ref?: string;
  readonly isOpen: boolean;
  /** An ISO time. */
  readonly time: string;
  readonly about: string;
  /** A sentence, or when something expires; absent if the problem ended. */
  readonly detail?: string;
}

export interface StoredDelivery {
  /** The same for each attempt. */
  readonly id: string;
  readonly org: string;
  readonly subscription: string;
  readonly state: DeliveryState;
  readonly created: Date;
  readonly next: Date;
  readonly attempts: number;
  readonly status: number | undefined;
  readonly problem: string | undefined;
  readonly ended: Date | undefined;
}

export interface Attempted {
  readonly id: string;
  readonly owner: string;
  readonly status: number | undefined;
  readonly problem: string | undefined;
}

/** What is due by `now` is sent. */
export interface DeliveryLease extends Lease {
  /** What the owner is working on for the organization. */
  readonly running: readonly string[];
}

export interface EventFilter {
  readonly site?: string | undefined;
  readonly open?: boolean | undefined;
  /** Ids below it. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Events, and messages about them. Neither is created here: the database does so itself, in the transaction of the change. Each change is
 * durable on its own when its promise resolves.
 */
export interface EventStore {
  /** Newest first. */
  events(org: string, filter: EventFilter): Promise<OrgEvent[]>;
  openCauses(org: string, kind: EventKind): Promise<string[]>;
  unread(org: string, person: string): Promise<number>;
  /** Never moves back. */
  markRead(org: string, person: string, upTo: number): Promise<void>;
  /** Newest first. */
  deliveries(subscription: string, limit: number): Promise<StoredDelivery[]>;
  /** Sends a message without an event; undefined if one to the subscription is waiting and due, or if the limit is reached. */
  test(message: Pick<StoredDelivery, 'id' | 'org' | 'subscription'>, now: Date): Promise<StoredDelivery | undefined>;
  /**
   * Resends it, whatever its result, a daily one not before the end of its day; undefined if the subscription has no such delivery,
   * `full` if the limit of others is waiting.
   */
  resend(subscription: string, id: string, now: Date): Promise<StoredDelivery | 'full' | undefined>;
  /**
   * Organizations with something to send, sorted by name after `behind`, wrapping around. `leased`: leases that end before it have
   * expired.
   */
  waitingOrgs(now: Date, leased: Date, turn: { readonly behind: string; readonly limit: number }): Promise<string[]>;
  /**
   * Claims the oldest delivery of an organization, including this owner's expired ones, but none of `running`, at most
   * `LIMITS.deliveriesOfOrg`.
   */
  claim(org: string, lease: DeliveryLease): Promise<StoredDelivery | undefined>;
  eventsOf(delivery: string): Promise<OrgEvent[]>;
  /** It is never automatically sent again. */
  sent(attempt: Attempted, now: Date): Promise<void>;
  /** It is retried at `next`; without it, never. */
  failed(attempt: Attempted, now: Date, next: Date | undefined): Promise<void>;
  /** Releases it as if it had not been started. */
  release(id: string, owner: string): Promise<void>;
  /** How many due messages are waiting, and since when the oldest. */
  waiting(now: Date): Promise<{ readonly count: number; readonly oldest: Date | undefined }>;
  /** How many open causes were displaced by newer ones, of all organizations. */
  displaced(): Promise<number>;
  /** Ends the sync failure of a deleted branch, for everyone. */
  endSync(key: string, ref: string, now: Date): Promise<void>;
  /** Records what expires before `soon`, ends what no longer exists, and deletes what is old. */
  tidy(now: Date, soon: Date, old: Date): Promise<void>;
}
