import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { JobStarter } from '@repoless/contract/job.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context, Operation, Outcome } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, yieldToEventLoop } from '../../domain/fair-share.ts';
import { isHexSigned } from '../../secrets/secret-box.ts';
import { requireJson } from '../../domain/documents.ts';
import { githubKey } from './code-origin.ts';
import type { BranchProbe, CodeOrigin, JobRunner } from './ports.ts';
import { removeBranch, syncPushed } from './start-syncs.ts';

const name = z.string().regex(/^[a-zA-Z0-9_.-]+$/);
const PushEvent = z.looseObject({
  ref: z.string(),
  deleted: z.boolean().optional(),
  repository: z.looseObject({ name, owner: z.looseObject({ login: name.optional(), name: name.optional() }) }),
});
type PushEvent = z.infer<typeof PushEvent>;

/** Order of defence: signature over the raw bytes, event, repeated delivery, body, repository. Without a secret nothing is accepted. */
export function githubWebhook(
  runner: Pick<JobRunner, 'wake' | 'changed'>,
  secret: SealedValue | undefined,
  probe: BranchProbe,
): Operation<(typeof endpoints)['githubWebhook']> {
  const intake = createPushIntake();
  const remember = rememberingDeliveries();
  return async (context, { headers, rest, raw = new Uint8Array() }) => {
    requireSignature(secret, headers['x-hub-signature-256'], raw);
    rest?.();
    const event = headers['x-github-event'] ?? '';
    if (event !== 'push') return acknowledged(`The event "${event}" changes no code.`);
    const { ref, deleted, repository } = parsedPush(raw);
    const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    if (branch === undefined) return acknowledged('Tags change no code.');
    const { name } = repository;
    const owner = repository.owner.login ?? repository.owner.name;
    if (owner === undefined) return acknowledged(UNUSED);
    const names = namesOf(headers, raw);
    for (const one of names) if (await wasSeen(context, one)) return acknowledged('This delivery was already accepted.');
    const isDeleted = deleted === true;
    const about = JSON.stringify([owner.toLowerCase(), name.toLowerCase(), branch, isDeleted]);
    return await intake({ owner: owner.toLowerCase(), about, names }, async (all) => {
      const origin = await knownOrigin(context, { owner, name });
      if (origin === undefined) return acknowledged(UNUSED);
      const push = { origins: [origin], branch, user: 'webhook' satisfies JobStarter };
      const isGone = isDeleted && (await isMissing(probe, origin, branch));
      const body = isGone ? await removeBranch(context, runner, push) : await syncPushed(context, runner, push);
      await remember(context, all);
      return { result: isGone ? 'done' : 'accepted', body };
    });
  };
}

function requireSignature(secret: SealedValue | undefined, header: string | undefined, raw: Uint8Array): void {
  if (secret?.use((value) => isHexSigned(header, raw, value)) === true) return;
  const why =
    secret === undefined ? 'Set GITHUB_WEBHOOK_SECRET first.' : 'Use the secret of the setting GITHUB_WEBHOOK_SECRET at the code host.';
  throw new Refusal('INVALID_SIGNATURE', `The signature X-Hub-Signature-256 is missing or wrong. ${why}`);
}

function parsedPush(raw: Uint8Array): PushEvent {
  const push = PushEvent.safeParse(requireJson(raw));
  if (push.success) return push.data;
  throw new Refusal('BODY_INVALID', 'The body is not a push event of a repository.');
}

async function knownOrigin(context: Context, { owner, name: repo }: { owner: string; name: string }): Promise<CodeOrigin | undefined> {
  const key = githubKey(owner, repo);
  const origin = { type: 'github', key, owner, repo, repository: `github:${owner}/${repo}` } as const;
  if (await context.store.code.isKnown(key)) return origin;
  return (await context.store.reads.orgsOfRepository(origin.repository, { limit: 1 })).length > 0 ? origin : undefined;
}

/** Its name, which is not signed, and the signed bytes: they include the time of the push, so no two pushes have the same. */
function namesOf(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): string[] {
  const delivery = headers['x-github-delivery'];
  const signed = `signed ${createHash('sha256').update(raw).digest('hex')}`;
  return delivery === undefined ? [signed] : [delivery.slice(0, LONGEST_ID), signed];
}

/** The repository decides the state of a branch: a late or repeated event removes no existing branch. */
async function isMissing(probe: BranchProbe, origin: CodeOrigin, branch: string): Promise<boolean> {
  const ref = sanitizeRef(branch);
  if (ref === '' || ref === DEFAULT_REF) return true;
  const found = await probe(origin, { ref, branch });
  if (found.state === 'found' || found.state === 'missing') return found.state === 'missing';
  const sentence = `${found.sentence} It is unknown whether the branch "${branch}" was deleted, so its code is kept. Send the event again.`;
  throw new Refusal('CODE_HOST_UNREACHABLE', sentence, { retryAfter: 60 });
}

/** A repeated delivery is acknowledged and not processed again. */
async function wasSeen({ store }: Context, name: string): Promise<boolean> {
  return (await store.shortLived.get('webhook', name)) !== undefined;
}

/** Remembers deliveries whose work is stored: failed ones may be resent. Expired names are deleted in bulk. */
function rememberingDeliveries(): (context: Context, names: readonly string[]) => Promise<void> {
  let [running, since] = [0, 0];
  return async ({ store: { shortLived }, now }, names) => {
    running += 1;
    since += names.length;
    try {
      await shortLived.putAll('webhook', names, true, new Date(now().getTime() + REMEMBERED));
      await yieldToEventLoop();
      if (running > 1 && since < DELETED_AFTER) return;
      since = 0;
      await shortLived.retainLatest('webhook', LIMITS.rememberedDeliveries);
    } finally {
      running -= 1;
    }
  };
}

function acknowledged(ignored: string): Outcome {
  return { result: 'done', body: { ignored, jobs: [] } };
}

const UNUSED = 'No site uses this repository.';
const DELETED_AFTER = 100;
const LONGEST_ID = 200;
const REMEMBERED = 3 * 24 * 60 * 60 * 1000;

/** A signed push that was not received before. */
interface Delivered {
  readonly owner: string;
  /** What was pushed: a branch of a repository, or its deletion. */
  readonly about: string;
  readonly names: readonly string[];
}

/** Processes all pushes to the same branch that arrived before its turn at once. The work receives their names. */
type PushIntake = (delivered: Delivered, work: (names: readonly string[]) => Promise<Outcome>) => Promise<Outcome>;

/**
 * Pushes of an owner are processed one after the other, those of different owners in turn: each stores its sync while others write. The
 * sync reads the state of the branch when it starts, so one sync is enough for all waiting pushes. Refuses with OVERLOADED beyond the
 * limit.
 */
export function createPushIntake(): PushIntake {
  const { pushesAtOnce: atOnce, pushesWaiting, pushesOfOwnerWaiting } = LIMITS;
  const turns = createFairShare({ atOnce, perShare: 1, waitingPerShare: Infinity, waiting: Infinity, workName: 'pushes' });
  const batches = new Map<string, { readonly names: string[]; readonly outcome: Promise<Outcome> }>();
  const waiting = new Map<string, number>();
  let allWaiting = 0;

  const count = (owner: string, more: 1 | -1) => {
    allWaiting += more;
    const left = (waiting.get(owner) ?? 0) + more;
    if (left === 0) waiting.delete(owner);
    else waiting.set(owner, left);
  };
  const startBatch = ({ owner, about }: Delivered, work: (names: readonly string[]) => Promise<Outcome>) => {
    const names: string[] = [];
    const outcome = turns.run(owner, async () => {
      // Other requests have a turn between any two.
      await yieldToEventLoop();
      batches.delete(about);
      return await work(names);
    });
    const batch = { names, outcome };
    batches.set(about, batch);
    return batch;
  };
  return async (delivered, work) => {
    const { owner, about, names } = delivered;
    if ((waiting.get(owner) ?? 0) >= pushesOfOwnerWaiting || allWaiting >= pushesWaiting) {
      const message = 'Too many pushes are waiting. This one was not stored. Send it again in a few seconds, or use Sync Code.';
      throw new Refusal('OVERLOADED', message, { retryAfter: 10 });
    }
    count(owner, 1);
    try {
      const batch = batches.get(about) ?? startBatch(delivered, work);
      batch.names.push(...names);
      return await batch.outcome;
    } finally {
      count(owner, -1);
    }
  };
}
