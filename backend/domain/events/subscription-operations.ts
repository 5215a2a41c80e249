import type { eventEndpoints } from '#contract/event-endpoints.ts';
import type { Subscription, SubscriptionInput } from '#contract/event.ts';
import { LIMITS } from '#contract/limits.ts';
import { etagOf } from '../canonical.ts';
import { REMOVAL, runWrite } from '../changes/run-write.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { permit, requireUser, unclaimed } from '../roles/permit.ts';
import { findSubscription } from './find-subscription.ts';
import type { StoredSubscription } from './ports.ts';
import { newWebhookSecret, webhookSecretPlace } from './webhook-secret.ts';

type Rows = typeof eventEndpoints;

/** To whom the service sends e-mail (decision 0103). */
export interface MailRules {
  /** Whether it sends any. */
  readonly sends: boolean;
  /** Domains, in small letters, whose addresses anybody may name. */
  readonly domains: readonly string[];
}

export const listSubscriptions: Operation<Rows['listSubscriptions']> = async ({ store: { reads } }, { params: { org } }) => {
  if ((await reads.org(org)) === undefined) throw unclaimed(org);
  const body = { subscriptions: (await reads.subscriptions(org)).map(shown) };
  return { result: 'done', body, etag: etagOf(body) };
};

export const getSubscription: Operation<Rows['getSubscription']> = async ({ store: { reads } }, { params: { org, subscription } }) => {
  const body = shown(await findSubscription(reads, org, subscription));
  return { result: 'done', body, etag: etagOf(body) };
};

export function createSubscription(mail: MailRules): Operation<Rows['createSubscription']> {
  return (context, input) => {
    const { org } = input.params;
    const secret = input.body.channel.type === 'webhook' ? (input.body.channel.secret ?? newWebhookSecret()) : undefined;
    const made = stored(context, input.body, { id: context.newId(), org, secret });
    return runWrite(context, input, async (reads) => {
      permit(context.caller, 'org:configure', { name: org, org: await reads.org(org) });
      requireReceiver(context, mail, input.body);
      checkPreconditions(input, undefined);
      requireFew(await reads.subscriptions(org));
      const body = shown(made);
      const { id: _id, ...dryRunResult } = body;
      return {
        result: 'created',
        body: { ...body, ...(secret !== undefined && { secret }) },
        etag: etagOf(body),
        dryRunResult,
        diff: difference({}, dryRunResult),
        store: (writes) => put(context, writes, made, 'create-subscription'),
      };
    });
  };
}

export function putSubscription(mail: MailRules): Operation<Rows['putSubscription']> {
  return (context, input) => {
    const { org, subscription: id } = input.params;
    return runWrite(context, input, async (reads) => {
      permit(context.caller, 'org:configure', { name: org, org: await reads.org(org) });
      const present = await findSubscription(reads, org, id);
      checkPreconditions(input, etagOf(shown(present)));
      requireReceiver(context, mail, input.body);
      const { created, createdBy } = present;
      const next = { ...stored(context, input.body, { id, org, secret: undefined, present }), created, createdBy };
      const body = shown(next);
      return {
        result: 'done',
        body,
        etag: etagOf(body),
        diff: difference(shown(present), body),
        store: (writes) => put(context, writes, next, 'put-subscription'),
      };
    });
  };
}

export const deleteSubscription: Operation<Rows['deleteSubscription']> = (context, input) => {
  const { org, subscription: id } = input.params;
  return runWrite(context, input, async (reads) => {
    permit(context.caller, 'org:configure', { name: org, org: await reads.org(org) });
    const present = await findSubscription(reads, org, id);
    checkPreconditions(input, etagOf(shown(present)));
    return {
      result: 'removed',
      diff: REMOVAL,
      async store(writes) {
        await writes.deleteSubscription(id);
        await audit(context, writes, present, 'delete-subscription');
      },
    };
  });
};

interface Made {
  readonly id: string;
  readonly org: string;
  /** Of a new webhook. */
  readonly secret: string | undefined;
  readonly present?: StoredSubscription;
}

function stored(context: Context, { kinds, sites, channel }: SubscriptionInput, { id, org, secret, present }: Made): StoredSubscription {
  const about = {
    id,
    org,
    kinds: kinds === undefined ? undefined : [...new Set(kinds)],
    sites: sites === undefined ? undefined : [...new Set(sites)],
    created: context.now(),
    createdBy: requireUser(context.caller).email,
  };
  if (channel.type === 'email') return { ...about, channel };
  const given = secret ?? channel.secret;
  const kept = given === undefined && present?.channel.type === 'webhook' ? present.channel.sealed : undefined;
  if (given === undefined && kept === undefined) throw withoutSecret();
  const sealed = kept ?? context.box.seal(given ?? '', webhookSecretPlace({ org, id }));
  return { ...about, channel: { type: 'webhook', url: channel.url, sealed } };
}

/** What is told of a subscription: everything but its secret. */
function shown({ id, kinds, sites, channel, created, createdBy }: StoredSubscription): Subscription {
  return {
    id,
    ...(kinds !== undefined && { kinds: [...kinds] }),
    ...(sites !== undefined && { sites: [...sites] }),
    channel: channel.type === 'webhook' ? { type: 'webhook', url: channel.url } : channel,
    created: created.toISOString(),
    createdBy,
  };
}

/** Nobody makes the service write to strangers: to one's own address, or to one of a domain that the operator named. */
function requireReceiver({ caller }: Context, mail: MailRules, { channel }: SubscriptionInput): void {
  if (channel.type !== 'email') return;
  if (!mail.sends)
    throw new Refusal(
      'SUBSCRIPTION_REFUSED',
      'This service sends no e-mail. Subscribe with a webhook, or ask the operator to set SMTP_URL.',
    );
  const to = channel.to.toLowerCase();
  const user = requireUser(caller);
  if (user.key === undefined && user.email.toLowerCase() === to) return;
  if (mail.domains.includes(to.slice(to.lastIndexOf('@') + 1))) return;
  const own = user.key === undefined ? ` You are signed in as ${user.email}.` : '';
  throw new Refusal(
    'SUBSCRIPTION_REFUSED',
    `E-mail goes to your own address, or to one of a domain that the operator lists in MAIL_DOMAINS; ${channel.to} is neither.${own}`,
  );
}

function requireFew(present: readonly StoredSubscription[]): void {
  if (present.length < LIMITS.subscriptions) return;
  throw new Refusal(
    'SUBSCRIPTION_REFUSED',
    `The organization has ${LIMITS.subscriptions} subscriptions, which is the limit. Remove one first.`,
  );
}

function withoutSecret(): Refusal {
  const sentence = 'The subscription was one by e-mail and has no secret. Send one, or make a new subscription.';
  return new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/channel/secret', detail: sentence }] });
}

async function put(context: Context, writes: Writes, subscription: StoredSubscription, operation: string): Promise<void> {
  await writes.putSubscription(subscription);
  await audit(context, writes, subscription, operation);
}

async function audit(context: Context, writes: Writes, { org, id }: StoredSubscription, operation: string): Promise<void> {
  const user = requireUser(context.caller).email;
  await writes.addAudit({ org, time: context.now(), user, action: `${operation}/${id}`, requestId: context.requestId });
}
