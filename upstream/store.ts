import { Patch } from '@repoless/contract/endpoint-parts.ts';
import { z } from 'zod';

/** What one write through the bridge changed. The documents before and after are without credentials. */
export const StoredChange = z.object({
  id: z.string(),
  /** When it was sent. */
  time: z.iso.datetime(),
  org: z.string(),
  /** `sites/de`, `profiles/base`, or empty: the organization itself. */
  subject: z.string(),
  /** What the caller is called: an e-mail address, or `api-key:<id>`. */
  user: z.string(),
  /** The call of the contract, e.g. `POST /config/wknd/sites/de/access.json`. */
  call: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  diff: Patch,
  /** The version that the hosted service gave it, where it told. */
  version: z.number().int().optional(),
  /** By which the vendor's support finds the request. */
  invocation: z.string().optional(),
  /** `stored`: as it was sent. `differs`: the hosted service stored something else. */
  outcome: z.enum(['stored', 'differs']),
});
export type StoredChange = z.infer<typeof StoredChange>;

/** Keeps what the hosted service does not: who changed what through the bridge. */
export interface Store {
  put(change: StoredChange): Promise<void>;
  /** Of an organization, the oldest first. */
  changes(org: string): Promise<readonly StoredChange[]>;
}
