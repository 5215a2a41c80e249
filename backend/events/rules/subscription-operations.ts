import type { eventEndpoints, Subscription, SubscriptionInput } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { randomBytes } from 'node:crypto';
import { defined } from '@repoless/contract/json.ts';
import { difference } from '@repoless/contract/difference.ts';
import { bodyInvalid, checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { GRANTS } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import { creatorOfNew, creatorOf } from '../../access/api-key-operations.ts';
import { permit, unclaimed } from '../../access/permit.ts';
import type { DocumentCall } from '../../changes/change.ts';
import { created, type Prepared, removed, runWrite } from '../../changes/part-calls.ts';
import type { Context, Operation, Outcome } from '../../domain/context.ts';
import { etagOf } from '../../domain/documents.ts';
import type { Reads, StoredOrg, Writes } from '../../domain/ports.ts';
import type { SecretLocation } from '../../secrets/secret-box.ts';
import type { StoredSubscription } from './ports.ts';
import { requireUser, type User } from '../../sessions/identity.ts';
import { rolesOf } from '../../access/roles.ts';

type Rows = typeof eventEndpoints;

export function listSubscriptions(mail: MailRules): Operation<Rows['listSubscriptions']> {
  return async ({ store: { reads } }, { params: { org } }) => {
    const stored = await reads.org(org);
    if (stored === undefined) throw unclaimed(org);
    const subscriptions: Subscription[] = [];
    for (const subscription of await reads.subscriptions(org)) subscriptions.push(await shown(reads, subscription, mail, stored));
    const body = { subscriptions };
    return { result: 'done', body, etag: etagOf(body) };
  };
}

export function getSubscription(mail: MailRules): Operation<Rows['getSubscription']> {
  return async ({ store: { reads } }, { params: { org, subscription } }) => {
    const found = await findSubscription(reads, org, subscription);
    const body = await shown(reads, found, mail, await reads.org(org));
    return { result: 'done', body, etag: subscriptionEtag(body, found) };
  };
}

export function createSubscription(mail: MailRules): Operation<Rows['createSubscription']> {
  return (context, input) => {
    const { org } = input.params;
    const secret = input.body.channel.type === 'webhook' ? (input.body.channel.secret ?? newWebhookSecret()) : undefined;
    const id = context.newId();
    return configure(context, input, async (reads, configured) => {
      requireAddress(context, mail, input.body);
      checkPreconditions(input, undefined);
      requireBelowLimit(await reads.subscriptions(org));
      const createdBy = await creatorOfNew(reads, requireUser(context.caller));
      const subscription = stored(context, input.body, { id, org, secret, created: context.now(), createdBy });
      const body = await shown(reads, subscription, mail, configured);
      return created(body, {
        etag: subscriptionEtag(body, subscription),
        secrets: defined({ secret }),
        store: (writes) => put(context, writes, 'create-subscription', subscription),
      });
    });
  };
}

export function putSubscription(mail: MailRules): Operation<Rows['putSubscription']> {
  return (context, input) => {
    const { org, subscription: id } = input.params;
    return configure(context, input, async (reads, configured) => {
      const current = await findSubscription(reads, org, id);
      const before = await shown(reads, current, mail, configured);
      checkPreconditions(input, subscriptionEtag(before, current));
      requireAddress(context, mail, input.body);
      const { created, createdBy } = current;
      const next = stored(context, input.body, { id, org, secret: undefined, current, created, createdBy });
      const body = await shown(reads, next, mail, configured);
      return {
        result: 'done',
        body,
        etag: subscriptionEtag(body, next),
        diff: [...difference(before, body), ...(sendsSecret(input.body) ? [NEW_SECRET] : [])],
        store: (writes) => put(context, writes, 'put-subscription', next, current),
      };
    });
  };
}

export function deleteSubscription(mail: MailRules): Operation<Rows['deleteSubscription']> {
  return (context, input) => {
    const { org, subscription: id } = input.params;
    return configure(context, input, async (reads, configured) => {
      const current = await findSubscription(reads, org, id);
      checkPreconditions(input, subscriptionEtag(await shown(reads, current, mail, configured), current));
      return removed(async (writes) => {
        await writes.deleteSubscription(id);
        await audit(context, writes, current, 'delete-subscription');
      });
    });
  };
}

/** A write by a caller who may configure the organization. */
function configure(
  context: Context,
  input: DocumentCall<{ readonly org: string }>,
  prepare: (reads: Reads, org: StoredOrg | undefined) => Promise<Prepared>,
): Promise<Outcome> {
  const name = input.params.org;
  return runWrite(context, input, async (reads) => {
    const org = await reads.org(name);
    permit(context.caller, 'org:configure', { name, org });
    return await prepare(reads, org);
  });
}

interface Stored {
  readonly id: string;
  readonly org: string;
  /** For a new webhook. */
  readonly secret: string | undefined;
  readonly created: Date;
  readonly createdBy: string;
  readonly current?: StoredSubscription;
}

function stored(
  context: Context,
  { kinds, sites, channel }: SubscriptionInput,
  { id, org, secret, created, createdBy, current }: Stored,
): StoredSubscription {
  const user = requireUser(context.caller);
  const about = { id, org, kinds: kinds && [...new Set(kinds)], sites: sites && [...new Set(sites)], created, createdBy };
  if (channel.type === 'email') return { ...about, channel, ...(isOwn(user, channel.to) && { ownerNames: user.names }) };
  const entered = secret ?? channel.secret;
  const storedSecret = entered === undefined && current?.channel.type === 'webhook' ? current.channel.sealed : undefined;
  if (entered === undefined && storedSecret === undefined) throw withoutSecret();
  const sealed = storedSecret ?? context.box.seal(entered ?? '', webhookSecretLocation({ org, id }));
  return { ...about, channel: { type: 'webhook', url: channel.url, sealed } };
}

/** The shown subscription: everything but its secret, and whether its recipient may be notified. */
async function shown(reads: Reads, subscription: StoredSubscription, mail: MailRules, org: StoredOrg | undefined): Promise<Subscription> {
  const { id, kinds, sites, channel, created, createdBy } = subscription;
  return {
    id,
    ...defined({ kinds: kinds && [...kinds], sites: sites && [...sites] }),
    channel: channel.type === 'webhook' ? { type: 'webhook', url: channel.url } : channel,
    created: created.toISOString(),
    createdBy: await creatorOf(reads, createdBy),
    ...(!mayReceive(subscription, mail, org?.config) && { withheld: true }),
  };
}

/**
 * Covers what is shown, and the sealed secret, which differs each time one is set: without the service's key nothing can be learned about
 * the secret, not even whether it is the same.
 */
function subscriptionEtag(body: Subscription, { channel }: StoredSubscription): string {
  return etagOf(channel.type === 'webhook' ? { ...body, sealed: channel.sealed } : body);
}

function sendsSecret({ channel }: SubscriptionInput): boolean {
  return channel.type === 'webhook' && channel.secret !== undefined;
}

/** Answers never contain a secret, but say that it has changed. */
const NEW_SECRET = { op: 'replace' as const, path: '/channel/secret', value: '[sealed]' };

function requireAddress({ caller }: Context, mail: MailRules, { channel }: SubscriptionInput): void {
  if (channel.type === 'email') requireReceiver(requireUser(caller), mail, channel.to);
}

function requireBelowLimit(current: readonly StoredSubscription[]): void {
  if (current.length < LIMITS.subscriptions) return;
  const sentence = `The organization has ${LIMITS.subscriptions} subscriptions, which is the limit. Remove one first.`;
  throw new Refusal('SUBSCRIPTION_REFUSED', sentence, { data: { reason: 'limit', limit: `${LIMITS.subscriptions}` } });
}

function withoutSecret(): Refusal {
  return bodyInvalid('/channel/secret', 'This was an e-mail subscription, which has no secret. Send one, or create a new subscription.');
}

async function put(
  context: Context,
  writes: Writes,
  operation: string,
  subscription: StoredSubscription,
  before?: StoredSubscription,
): Promise<void> {
  await writes.putSubscription(subscription, before);
  await audit(context, writes, subscription, operation);
}

async function audit(context: Context, writes: Writes, { org, id }: StoredSubscription, operation: string): Promise<void> {
  const user = requireUser(context.caller).email;
  await writes.addAudit({ org, time: context.now(), user, action: `${operation}/${id}`, requestId: context.requestId });
}

/** A subscription of another organization counts as missing. */
export async function findSubscription(reads: Reads, org: string, id: string): Promise<StoredSubscription> {
  const found = (await reads.subscriptions(org)).find((subscription) => subscription.id === id);
  if (found !== undefined) return found;
  throw new Refusal('SUBSCRIPTION_NOT_FOUND', `The organization "${org}" has no subscription "${id}".`);
}

/** A secret in the format of Standard Webhooks. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The owner that it is sealed for; no site can have this name. */
export function webhookSecretLocation({ org, id }: { readonly org: string; readonly id: string }): SecretLocation {
  return { org, site: '', name: `subscription/${id}` };
}

/** Who may receive e-mail from the service. */
export interface MailRules {
  readonly sends: boolean;
  /** Domains, in lower case, whose addresses anyone may use. */
  readonly domains: readonly string[];
}

/** No one may make the service write to strangers: only to the caller's own address, or to one of a domain that the operator allowed. */
function requireReceiver(user: User, mail: MailRules, to: string): void {
  if (!mail.sends)
    throw new Refusal(
      'SUBSCRIPTION_REFUSED',
      'This service does not send e-mail. Subscribe with a webhook, or ask the operator to set SMTP_URL.',
      { data: { reason: 'noMail' } },
    );
  if (isOwn(user, to) || isAllowed(mail, to)) return;
  const own = user.key === undefined ? ` You are signed in as ${user.email}.` : '';
  const sentence = `E-mail is sent only to your own address or to domains that the operator lists in MAIL_DOMAINS; ${to} is neither.${own}`;
  throw new Refusal('SUBSCRIPTION_REFUSED', sentence, { data: { reason: 'mailAddress', to } });
}

/** Whether an address belongs to the signed-in person; an API key has none. */
function isOwn(user: User, to: string): boolean {
  return user.key === undefined && user.email.toLowerCase() === to.toLowerCase();
}

/**
 * Whether the recipient may be notified now: an own address only while its owner may configure the organization, by any of the names at the
 * time of the subscription. Takes the current organization; undefined if it no longer exists.
 */
export function mayReceive(
  { channel, ownerNames }: StoredSubscription,
  mail: Pick<MailRules, 'domains'>,
  org: Pick<Org, 'name' | 'users' | 'groups'> | undefined,
): boolean {
  if (channel.type !== 'email' || isAllowed(mail, channel.to)) return true;
  if (org === undefined) return false;
  const address = channel.to.toLowerCase();
  // An earlier version of the program leaves the names when it replaces the address.
  const names = ownerNames?.includes(address) === true ? ownerNames : [address];
  const roles = rolesOf({ kind: 'user', email: channel.to, names, tokenId: '', credential: 'header' }, org);
  return GRANTS['org:configure'].some((role) => roles.has(role));
}

function isAllowed({ domains }: Pick<MailRules, 'domains'>, to: string): boolean {
  return domains.includes(to.slice(to.lastIndexOf('@') + 1).toLowerCase());
}

/**
 * The id of a message without an event, sent to try a subscription. Events have numbers from 1 on and digests the dates of their days, so 0
 * is unused.
 */
export function testMessageId(subscription: string, unique: string): string {
  return `msg_${subscription}_0_${unique.replaceAll('-', '')}`;
}

export function isTestMessage(id: string): boolean {
  return /_0_[a-f0-9]+$/.test(id);
}

/**
 * When a message that is sent now may go out: a daily one not before the next morning (docs/contract.md 9.4), because it includes the rest
 * of the day. The id of such a message ends with its day.
 */
export function dueTime(message: string, now: Date): Date {
  const day = /_(\d{4}-\d{2}-\d{2})$/.exec(message)?.[1];
  const morning = day === undefined ? Number.NaN : Date.parse(`${day}T06:00:00.000Z`) + DAY;
  return morning > now.getTime() ? new Date(morning) : now;
}

const DAY = 24 * 60 * 60_000;
