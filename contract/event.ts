import { z } from 'zod';
import { dryRun, ORG_ERRORS, OrgParams } from './endpoint-parts.ts';
import { answer, endpoint, FLAG, integer, json, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SiteName } from './names.ts';

/** Kinds of problems of an organization's sites (docs/contract.md 9.1). */
export const EventKind = z.enum(
  ['sync-failed', 'sync-silent', 'check-failed', 'drift', 'expires-soon', 'secret-ends', 'certificate-ends', 'rollout-stopped'],
  {
    error:
      'An event is "sync-failed", "sync-silent", "check-failed", "drift", "expires-soon", "secret-ends", "certificate-ends" or "rollout-stopped".',
  },
);
export type EventKind = z.infer<typeof EventKind>;

/** `ended`: the problem no longer exists. */
export const EventPhase = z.enum(['began', 'ended']);
export type EventPhase = z.infer<typeof EventPhase>;

/** A problem that started or ended. Both events have the same `cause`. */
export const OrgEvent = z.object({
  id: z.number().int(),
  time: z.iso.datetime(),
  org: z.string(),
  kind: EventKind,
  /** The subject, the same each time: a problem is reported once, however often it is found. */
  cause: z.string(),
  phase: EventPhase,
  open: z.boolean(),
  site: z.string().optional(),
  repository: z.string().optional(),
  ref: z.string().optional(),
  /** The job, the commit at the code host, the check, the key, the secret, the host, or the title of the rollout. */
  about: z.string().optional(),
  /** A sentence, or the time when something expires. Absent for a certificate that doesn't match its host. */
  detail: z.string().optional(),
});
export type OrgEvent = z.infer<typeof OrgEvent>;

/** Newest first. `unread`: the number of events since the caller last marked them as read. */
export const EventList = z.object({
  events: z.array(OrgEvent),
  unread: z.number().int(),
  links: z.object({ next: z.string().optional() }),
});
export type EventList = z.infer<typeof EventList>;

export const ReadMark = z.strictObject({
  upTo: z.number().int('Write the id of an event.').min(0).max(Number.MAX_SAFE_INTEGER),
});
export const Unread = z.object({ unread: z.number().int() });

/** The secret of a signed webhook: `whsec_` and 24 to 64 bytes in base64. */
export const WebhookSecret = z
  .string()
  .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'Write whsec_ and 24 to 64 bytes in base64.');

const WebhookAddress = z
  .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
  .max(LIMITS.addressLength)
  .refine((url) => !/^[^/]*\/\/[^/?#]*@/.test(url) && !url.includes('#'), 'Write the address without a name, a password or a fragment.');

const MailAddress = z.email('Write an e-mail address.').max(LIMITS.mailAddressLength);

/** How the recipient is notified. A webhook without a secret gets one. */
export const ChannelInput = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('webhook'), url: WebhookAddress, secret: WebhookSecret.optional() }),
    z.strictObject({ type: z.literal('email'), to: MailAddress, digest: z.enum(['each', 'daily']).default('each') }),
  ],
  { error: 'The type of a channel is "webhook" or "email".' },
);
export type ChannelInput = z.infer<typeof ChannelInput>;

const SiteNames = z.array(SiteName).min(1, 'Name at least one site.').max(LIMITS.subscriptionSites);

/** The recipient and the events to send (docs/contract.md 9.2): every kind and every site if these are omitted. */
export const SubscriptionInput = z.strictObject({
  kinds: z.array(EventKind).min(1, 'Name at least one kind of event.').max(EventKind.options.length).optional(),
  sites: SiteNames.optional(),
  channel: ChannelInput,
});
export type SubscriptionInput = z.infer<typeof SubscriptionInput>;

/** Only the call that creates the subscription returns its secret. */
export const Channel = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), url: z.string() }),
  z.object({ type: z.literal('email'), to: z.string(), digest: z.enum(['each', 'daily']) }),
]);
export type Channel = z.infer<typeof Channel>;

export const Subscription = z.object({
  id: z.string(),
  kinds: z.array(EventKind).optional(),
  sites: z.array(z.string()).optional(),
  channel: Channel,
  created: z.iso.datetime(),
  /** The owner, as of an API key. */
  createdBy: z.string(),
  /** Nothing is sent, because the recipient may no longer configure the organization. */
  withheld: z.literal(true).optional(),
});
export type Subscription = z.infer<typeof Subscription>;

export const SubscriptionList = z.object({ subscriptions: z.array(Subscription) });
/** `secret` signs the messages to a webhook; it is shown only once. */
export const CreatedSubscription = Subscription.extend({ secret: z.string().optional() });
export type CreatedSubscription = z.infer<typeof CreatedSubscription>;

/** `waiting`: it will be sent at `next`; `failed`: no further attempt is made. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message. `id` is its `webhook-id`, the same at each attempt. */
export const EventDelivery = z.object({
  id: z.string(),
  state: DeliveryState,
  created: z.iso.datetime(),
  attempts: z.number().int(),
  next: z.iso.datetime().optional(),
  ended: z.iso.datetime().optional(),
  status: z.number().int().optional(),
  /** Why the last attempt failed, a sentence. */
  problem: z.string().optional(),
});
export type EventDelivery = z.infer<typeof EventDelivery>;
export const EventDeliveryList = z.object({ deliveries: z.array(EventDelivery) });

const SubscriptionId = z.string().regex(/^[a-f0-9-]{1,64}$/, 'The identifier of a subscription holds hexadecimal digits and "-".');
const MessageId = z.string().regex(/^msg_[a-f0-9_-]{1,100}$/, 'The identifier of a message begins with "msg_".');
const CHANGE_ERRORS = [...ORG_ERRORS, ...WRITE_ERRORS, 'SUBSCRIPTION_REFUSED'] as const;
const common = { tag: 'Events' } as const;
const all = { path: '/config/{org}/subscriptions.json', params: OrgParams } as const;
const OneParams = OrgParams.extend({ subscription: SubscriptionId });
const one = { path: '/config/{org}/subscriptions/{subscription}.json', params: OneParams } as const;
/** E-mail addresses are personal data. */
const read = { ...common, method: 'GET', query: NO_QUERY, permission: 'people:read', preconditions: true } as const;
const write = { ...common, query: WRITE_QUERY, permission: 'org:configure', preconditions: true } as const;

const action = { ...common, method: 'POST', query: NO_QUERY, permission: 'org:configure', outside: 'events' } as const;

/** Problems of an organization's sites, and who is notified (docs/contract.md 9.1). */
export const eventEndpoints = {
  listEvents: endpoint({
    ...common,
    method: 'GET',
    path: '/config/{org}/events.json',
    params: OrgParams,
    query: z.object({
      site: SiteName.optional(),
      open: FLAG.optional(),
      limit: integer(1, 100).optional(),
      before: integer(1, Number.MAX_SAFE_INTEGER).optional(),
    }),
    permission: 'org:read',
    answers: { 200: answer('the events, newest first; a `link` header with rel="next" if there are more', EventList) },
    errors: ORG_ERRORS,
    summary: "List the problems of an organization's sites, and those that were resolved",
  }),
  readEvents: endpoint({
    ...action,
    path: '/config/{org}/events/read.json',
    params: OrgParams,
    body: json(ReadMark),
    answers: { 200: answer('the number of newer events', Unread) },
    errors: ORG_ERRORS,
    summary: 'Mark events as read for yourself',
  }),
  listSubscriptions: endpoint({
    ...read,
    ...all,
    answers: { 200: answer('the subscriptions, without their secrets', SubscriptionList) },
    errors: ORG_ERRORS,
    summary: 'List who is notified of events of an organization',
  }),
  createSubscription: endpoint({
    ...write,
    ...all,
    method: 'POST',
    body: json(SubscriptionInput),
    answers: { 200: dryRun, 201: answer('created; the secret of a webhook is shown only once', CreatedSubscription) },
    errors: CHANGE_ERRORS,
    summary: 'Subscribe to events by a signed webhook or by e-mail',
  }),
  getSubscription: endpoint({
    ...read,
    ...one,
    answers: { 200: answer('the subscription without its secret', Subscription) },
    errors: [...ORG_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Read a subscription',
  }),
  putSubscription: endpoint({
    ...write,
    ...one,
    method: 'PUT',
    body: json(SubscriptionInput),
    answers: { 200: answer('the subscription as it is stored', z.union([Subscription, dryRun.schema])) },
    errors: [...CHANGE_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Replace a subscription; a webhook keeps its secret if none is sent',
  }),
  deleteSubscription: endpoint({
    ...write,
    ...one,
    method: 'DELETE',
    answers: { 200: dryRun, 204: { description: 'removed, with its deliveries' } },
    errors: [...ORG_ERRORS, 'PRECONDITION_FAILED', 'STORAGE_FULL', 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Remove a subscription',
  }),
  testSubscription: endpoint({
    ...action,
    path: '/config/{org}/subscriptions/{subscription}/test.json',
    params: OneParams,
    answers: { 202: answer('a test message is sent', EventDelivery) },
    errors: [...ORG_ERRORS, 'SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_REFUSED', 'STORAGE_FULL'],
    summary: 'Send a test message to a subscription',
  }),
  listMessages: endpoint({
    ...common,
    method: 'GET',
    path: '/config/{org}/subscriptions/{subscription}/deliveries.json',
    params: OneParams,
    query: NO_QUERY,
    permission: 'people:read',
    answers: { 200: answer('the latest deliveries, newest first', EventDeliveryList) },
    errors: [...ORG_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'List the messages sent to a subscription, with their results',
  }),
  sendMessageAgain: endpoint({
    ...action,
    path: '/config/{org}/subscriptions/{subscription}/deliveries/{message}.json',
    params: OneParams.extend({ message: MessageId }),
    answers: { 202: answer('sent again with the same id', EventDelivery) },
    errors: [...ORG_ERRORS, 'SUBSCRIPTION_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'SUBSCRIPTION_REFUSED'],
    summary: 'Send a delivery again',
  }),
} as const;
