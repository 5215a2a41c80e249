import { z } from 'zod';
import { PushOutcome } from './job.ts';

/** A branch as the repository names it. */
export const BranchName = z
  .string()
  .min(1, 'Write the name of a branch.')
  .max(255)
  .regex(/^(?!-)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![/.])$/u, 'This is not a valid name of a branch.');

/** What an event tells of one branch. */
export const BranchChange = z.object({ branch: z.string(), type: z.enum(['updated', 'deleted']), commit: z.string().optional() });
export type BranchChange = z.infer<typeof BranchChange>;

/**
 * `accepted`: in progress; `done`: the configuration service was notified; `ignored`: nothing to do (`detail` says why); `refused`: the signature
 * was wrong; `failed`: `detail` says why, and it can be sent again.
 */
export const DeliveryOutcome = z.enum(['accepted', 'done', 'ignored', 'refused', 'failed']);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

/** An event of the git vendor, or a Sync Code of a person, as it was received. Its payload is not kept. */
export const Delivery = z.object({
  id: z.string(),
  /** As the vendor names it: what a repeated delivery is known by. */
  deliveryId: z.string().optional(),
  /** As the vendor names it, e.g. `push`, `repo:push`, `Push Hook`, `git.push`; `sync code` for a person's. */
  event: z.string(),
  received: z.iso.datetime(),
  finished: z.iso.datetime().optional(),
  changes: z.array(BranchChange),
  outcome: DeliveryOutcome,
  detail: z.string().optional(),
  /** Code sync jobs that it began or joined. */
  jobs: PushOutcome.shape.jobs,
  /** How often it was run; repeated deliveries of the vendor are not run again. */
  attempts: z.number().int(),
  /** How often the vendor repeated it. */
  repeats: z.number().int(),
  /** Who sent it again or began it; absent for the vendor's own. */
  user: z.string().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

/** The last 100, newest first. */
export const DeliveryList = z.object({ deliveries: z.array(Delivery) });
export type DeliveryList = z.infer<typeof DeliveryList>;

/** Body of Sync Code, which asks for the branch. */
export const SyncCodeInput = z.strictObject({ branch: BranchName });

/** The branches at the git vendor at this moment, `main` first. */
export const BranchList = z.object({ branches: z.array(z.object({ name: z.string(), commit: z.string() })) });
export type BranchList = z.infer<typeof BranchList>;

export const WebhookAnswer = z.object({
  delivery: z.string(),
  outcome: DeliveryOutcome,
  repeated: z.boolean(),
  detail: z.string().optional(),
});
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;

/** A branch and a tree in the form that clients of code hosts know. */
export const GitBranch = z.object({
  name: z.string(),
  commit: z.object({ sha: z.string(), commit: z.object({ tree: z.object({ sha: z.string() }) }) }),
});
export type GitBranch = z.infer<typeof GitBranch>;

export const GitTree = z.object({
  sha: z.string(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.enum(['blob', 'tree', 'commit']),
      sha: z.string(),
      size: z.number().int().optional(),
    }),
  ),
  truncated: z.boolean(),
});
export type GitTree = z.infer<typeof GitTree>;

export const BuildManagementInfo = z.object({
  name: z.literal('build-management'),
  version: z.string(),
  codeSync: z.object({ url: z.string(), rawUrl: z.string() }),
});
