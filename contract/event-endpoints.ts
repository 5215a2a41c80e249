import { z } from 'zod';
import { endpoint, FLAG, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import {
  CreatedSubscription,
  EventDelivery,
  EventDeliveryList,
  EventList,
  ReadMark,
  Subscription,
  SubscriptionInput,
  SubscriptionList,
  Unread,
} from './event.ts';
import { SiteName } from './names.ts';
import { dryRun, OrgParams } from './site-endpoints.ts';

const SubscriptionId = z.string().regex(/^[a-f0-9-]{1,64}$/, 'The identifier of a subscription holds hexadecimal digits and "-".');
const MessageId = z.string().regex(/^msg_[a-f0-9_-]{1,100}$/, 'The identifier of a message begins with "msg_".');
const READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;
const CHANGE_ERRORS = [...READ_ERRORS, ...WRITE_ERRORS, 'SUBSCRIPTION_REFUSED'] as const;
const common = { tag: 'Events' } as const;
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ description, media: ['application/json'] as const, schema });
const json = <S extends z.ZodType>(schema: S) => ({ media: ['application/json'] as const, schema });
const all = { path: '/config/{org}/subscriptions.json', params: OrgParams } as const;
const OneParams = OrgParams.extend({ subscription: SubscriptionId });
const one = { path: '/config/{org}/subscriptions/{subscription}.json', params: OneParams } as const;
/** E-mail addresses are people. */
const read = { ...common, method: 'GET', query: NO_QUERY, permission: 'people:read', preconditions: true } as const;
const write = { ...common, query: WRITE_QUERY, permission: 'org:configure', preconditions: true } as const;

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
      limit: z.coerce.number().int().min(1).max(100).optional(),
      before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    permission: 'org:read',
    answers: { 200: answer('the events, newest first; a `link` header with rel="next" where there are more', EventList) },
    errors: READ_ERRORS,
    summary: "List the problems of an organization's sites, and those that were resolved",
  }),
  readEvents: endpoint({
    ...common,
    method: 'POST',
    path: '/config/{org}/events/read.json',
    params: OrgParams,
    query: NO_QUERY,
    body: json(ReadMark),
    permission: 'org:configure',
    outside: 'events',
    answers: { 200: answer('how many are newer', Unread) },
    errors: READ_ERRORS,
    summary: 'Mark events as read, for oneself',
  }),
  listSubscriptions: endpoint({
    ...read,
    ...all,
    answers: { 200: answer('the subscriptions, without their secrets', SubscriptionList) },
    errors: READ_ERRORS,
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
    errors: [...READ_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Read a subscription',
  }),
  putSubscription: endpoint({
    ...write,
    ...one,
    method: 'PUT',
    body: json(SubscriptionInput),
    answers: { 200: answer('the subscription as it is stored', z.union([Subscription, dryRun.schema])) },
    errors: [...CHANGE_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Replace a subscription; a webhook keeps its secret where none is sent',
  }),
  deleteSubscription: endpoint({
    ...write,
    ...one,
    method: 'DELETE',
    answers: { 200: dryRun, 204: { description: 'removed, with its deliveries' } },
    errors: [...READ_ERRORS, 'PRECONDITION_FAILED', 'STORAGE_FULL', 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'Remove a subscription',
  }),
  testSubscription: endpoint({
    ...common,
    method: 'POST',
    path: '/config/{org}/subscriptions/{subscription}/test.json',
    params: OneParams,
    query: NO_QUERY,
    permission: 'org:configure',
    outside: 'events',
    answers: { 202: answer('a test message is sent', EventDelivery) },
    errors: [...READ_ERRORS, 'SUBSCRIPTION_NOT_FOUND', 'SUBSCRIPTION_REFUSED', 'STORAGE_FULL'],
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
    errors: [...READ_ERRORS, 'SUBSCRIPTION_NOT_FOUND'],
    summary: 'List the messages sent to a subscription, with their results',
  }),
  sendMessageAgain: endpoint({
    ...common,
    method: 'POST',
    path: '/config/{org}/subscriptions/{subscription}/deliveries/{message}.json',
    params: OneParams.extend({ message: MessageId }),
    query: NO_QUERY,
    permission: 'org:configure',
    outside: 'events',
    answers: { 202: answer('it is sent again, with the same id', EventDelivery) },
    errors: [...READ_ERRORS, 'SUBSCRIPTION_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'SUBSCRIPTION_REFUSED'],
    summary: 'Send a delivery again',
  }),
} as const;
