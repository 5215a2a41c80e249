import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { endpoints } from '#contract/endpoints.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { SealedValue } from '../secrets/sealed-value.ts';
import type { Outcome, Verb } from '../verb.ts';
import { githubKey } from './code-origin.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { JobRunner } from './ports.ts';
import { forgetBranch, syncPushed } from './pushes.ts';
import { sameText } from './same-text.ts';

const name = z.string().regex(/^[a-zA-Z0-9_.-]+$/);
const PushEvent = z.looseObject({
  ref: z.string(),
  deleted: z.boolean().optional(),
  repository: z.looseObject({ name, owner: z.looseObject({ login: name.optional(), name: name.optional() }) }),
});
type PushEvent = z.infer<typeof PushEvent>;

/**
 * Pushes as the code host tells of them. Order of defence: signature over the bytes as they came, event, delivery seen
 * before, body, repository. The secret is that of the settings; without one nothing is let in.
 */
export function githubWebhook(
  runner: Pick<JobRunner, 'wake' | 'changed'>,
  secret: SealedValue | undefined,
): Verb<(typeof endpoints)['githubWebhook']> {
  return async (context, { headers, raw = new Uint8Array() }) => {
    requireSignature(secret, headers['x-hub-signature-256'], raw);
    const event = headers['x-github-event'] ?? '';
    if (event !== 'push') return acknowledged(`The event "${event}" changes no code.`);
    const push = parsedPush(raw);
    const branch = /^refs\/heads\/(.+)$/.exec(push.ref)?.[1];
    if (branch === undefined) return acknowledged('Tags change no code.');
    const origin = await knownOrigin(context, push);
    if (origin === undefined) return acknowledged('No site uses this repository.');
    if (await wasSeen(context, headers['x-github-delivery'])) return acknowledged('This delivery was taken already.');
    const told = { origins: [origin], branch, user: 'webhook' };
    const body = push.deleted === true ? await forgetBranch(context, runner, told) : await syncPushed(context, runner, told);
    await remember(context, headers['x-github-delivery']);
    return { status: push.deleted === true ? 200 : 202, body };
  };
}

function requireSignature(secret: SealedValue | undefined, header: string | undefined, raw: Uint8Array): void {
  const presented = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1]?.toLowerCase();
  const fits = secret?.use(
    (value) => presented !== undefined && sameText(presented, createHmac('sha256', value).update(raw).digest('hex')),
  );
  if (fits === true) return;
  const why =
    secret === undefined ? 'Set GITHUB_WEBHOOK_SECRET first.' : 'Use the secret of the setting GITHUB_WEBHOOK_SECRET at the code host.';
  throw new Refusal('INVALID_SIGNATURE', `The signature X-Hub-Signature-256 is missing or wrong. ${why}`);
}

function parsedPush(raw: Uint8Array): PushEvent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body');
  }
  const push = PushEvent.safeParse(value);
  if (push.success) return push.data;
  throw new Refusal('BODY_INVALID', 'The body is no push event of a repository.');
}

async function knownOrigin(context: Context, { repository }: PushEvent): Promise<CodeOrigin | undefined> {
  const owner = repository.owner.login ?? repository.owner.name;
  if (owner === undefined) return undefined;
  const key = githubKey(owner, repository.name);
  const origin = { type: 'github', key, owner, repo: repository.name, repository: `github:${owner}/${repository.name}` } as const;
  if (await context.store.code.isKnown(key)) return origin;
  return (await context.store.reads.sitesOfRepository(origin.repository)).length > 0 ? origin : undefined;
}

/** A delivery that the code host sends again is acknowledged and not run again. One without an id is always run. */
async function wasSeen({ store }: Context, delivery: string | undefined): Promise<boolean> {
  return delivery !== undefined && (await store.shortLived.get('webhook', delivery.slice(0, LONGEST_ID))) !== undefined;
}

/** After its work is stored: what failed may be sent again. */
async function remember({ store, now }: Context, delivery: string | undefined): Promise<void> {
  if (delivery === undefined) return;
  await store.shortLived.put('webhook', delivery.slice(0, LONGEST_ID), true, new Date(now().getTime() + REMEMBERED));
}

function acknowledged(ignored: string): Outcome {
  return { status: 200, body: { ignored, jobs: [] } };
}

const LONGEST_ID = 200;
const REMEMBERED = 3 * 24 * 60 * 60 * 1000;
