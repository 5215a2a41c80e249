import type { QUOTA_NAMES } from '@repoless/contract/operator.ts';
import type { StoredJob } from '../code/rules/ports.ts';

export interface KnownNode {
  readonly name: string;
  readonly self: boolean;
  readonly running: boolean;
}

export interface WaitingWork {
  readonly count: number;
  readonly oldest: string | undefined;
}

/** What whoever runs the service asks of its storage. Each reads many rows: nobody else may ask. */
export interface Overview {
  readonly kind: 'sqlite' | 'postgresql';
  /** The newest migration that was applied to the tables. */
  schema(): Promise<string>;
  /** This program, and the others that use the same storage at this moment. */
  nodes(): Promise<readonly KnownNode[]>;
  /** Code syncs that did not end, by their state. */
  openJobs(): Promise<readonly ({ readonly state: string } & WaitingWork)[]>;
  /** The oldest of them. */
  oldestJobs(limit: number): Promise<readonly StoredJob[]>;
  /** How many code syncs failed since then, of those that are kept. */
  failedJobs(since: Date): Promise<number>;
  openRollouts(): Promise<WaitingWork>;
  /** The organizations that have the most of something. */
  most(quota: (typeof QUOTA_NAMES)[number], limit: number): Promise<readonly { readonly org: string; readonly used: number }[]>;
}
