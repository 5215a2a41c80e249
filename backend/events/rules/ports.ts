import type { DeliveryState, EventKind, OrgEvent } from '@repoless/contract/event.ts';
import type { Lease } from '../../domain/queue.ts';

/** Who is told of what, as it is stored. `sealed`: the secret of a webhook; never the value. */
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
  /** Of an own address: the names that its owner had, in small letters. By these they administer the organization, or do no longer. */
  readonly ownerNames?: readonly string[];
}

/** Something at a site or a repository that is wrong from now on, or in order again. What is so already tells nothing. */
export interface CauseChange {
  readonly kind: EventKind;
  /** What it is, the same each time. */
  readonly cause: string;
  readonly org: string;
  readonly site?: string;
  readonly repository?: string;
  readonly ref?: string;
  readonly isOpen: boolean;
  /** An ISO time. */
  readonly time: string;
  readonly about: string;
  /** A sentence, or when something ends; nothing of what is in order again. */
  readonly detail?: string;
}

/** A message to be sent, of one event or of those of a day. */
export interface StoredDelivery {
  /** The same at each attempt. */
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

/** What became of an attempt. */
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
 * Events, and the messages that tell of them. Neither is written here: the database does that itself, in the transaction of the change
 * that an event tells of. Each change is durable by itself when its promise resolves.
 */
export interface EventStore {
  /** Newest first. */
  events(org: string, filter: EventFilter): Promise<OrgEvent[]>;
  /** What is wrong of a kind, in order. */
  openCauses(org: string, kind: EventKind): Promise<string[]>;
  unread(org: string, person: string): Promise<number>;
  /** Never goes back. */
  markRead(org: string, person: string, upTo: number): Promise<void>;
  /** Newest first. */
  deliveries(subscription: string, limit: number): Promise<StoredDelivery[]>;
  /** Sends a message that tells of no event; undefined where one to the subscription waits that is due, or as many as may. */
  test(message: Pick<StoredDelivery, 'id' | 'org' | 'subscription'>, now: Date): Promise<StoredDelivery | undefined>;
  /** Sends it anew, whatever became of it, one of a day not before that is over; undefined where the subscription has no such delivery, `full` where as many others wait as may. */
  again(subscription: string, id: string, now: Date): Promise<StoredDelivery | 'full' | undefined>;
  /** Organizations that have something to be sent, in the order of their names from `behind` on, and around. `leased`: leases that end before it are over. */
  waitingOrgs(now: Date, leased: Date, turn: { readonly behind: string; readonly limit: number }): Promise<string[]>;
  /**
   * Takes the oldest delivery of an organization for oneself; one's own whose lease ended as well, but none of `running`, `LIMITS.deliveriesOfOrg` at
   * most.
   */
  claim(org: string, lease: DeliveryLease): Promise<StoredDelivery | undefined>;
  /** The events that a delivery tells of, the oldest first. */
  eventsOf(delivery: string): Promise<OrgEvent[]>;
  /** It is never sent again by itself. */
  sent(attempt: Attempted, now: Date): Promise<void>;
  /** It is tried again at `next`, or given up where that is left out. */
  failed(attempt: Attempted, now: Date, next: Date | undefined): Promise<void>;
  /** Gives it back as if it had not been begun. */
  release(id: string, owner: string): Promise<void>;
  /** How many messages wait that are due, and since when the oldest. */
  waiting(now: Date): Promise<{ readonly count: number; readonly oldest: Date | undefined }>;
  /** How many open causes gave way to newer ones, of all organizations. */
  givenWay(): Promise<number>;
  /** Ends the failure of the sync of a branch that is gone, for everybody. */
  endSync(key: string, ref: string, now: Date): Promise<void>;
  /** Notes what ends before `soon`, ends what is no longer there, and forgets what is old. */
  look(now: Date, soon: Date, old: Date): Promise<void>;
}
