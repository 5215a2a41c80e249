import { z } from 'zod';
import { answer, endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { JobState } from './job.ts';

const time = z.iso.datetime();
const count = z.number().int().min(0);

const Node = z.object({
  /** Its address, as the database sees it, and its process. */
  name: z.string(),
  /** The node that answered this call. */
  self: z.boolean(),
  /** Whether it has reported in the last few seconds. */
  running: z.boolean(),
});

/** Waiting work. `oldest`: since when the oldest has been waiting. */
const Waiting = z.object({ waiting: count, oldest: time.optional() });

export const QUOTA_NAMES = ['sites', 'repositories', 'versions', 'configurationBytes', 'codeBytes', 'secrets', 'apiKeys'] as const;
export const QUEUE_NAMES = ['syncs', 'rollouts', 'messages'] as const;

export const ServiceState = z.object({
  time,
  service: z.object({
    version: z.string(),
    node: z.string().describe('the version of Node.js'),
    started: time.describe('when this node was started'),
    uptime: count.describe('in seconds'),
  }),
  storage: z.object({
    kind: z.enum(['sqlite', 'postgresql']),
    schema: z.string().describe('the latest migration of the tables'),
  }),
  nodes: z.array(Node),
  jobs: z.object({
    states: z.array(z.object({ state: JobState, count, oldest: time.optional() })).describe('unfinished code syncs'),
    failed: count.describe('stored code syncs that failed in the last 24 hours'),
    oldest: z
      .array(z.object({ name: z.string(), code: z.string(), ref: z.string(), state: JobState, created: time, attempts: count }))
      .describe('unfinished code syncs, oldest first'),
  }),
  /** A queue is absent if this deployment has no such work. */
  queues: z.partialRecord(z.enum(QUEUE_NAMES), Waiting),
  failures: z
    .array(z.object({ time, requestId: z.string(), error: z.string() }))
    .describe('unexpected errors of this node, newest first; the log has the details'),
  quotas: z
    .array(z.object({ org: z.string(), quota: z.enum(QUOTA_NAMES), used: count, limit: count }))
    .describe('organizations closest to their quotas'),
  hosted: z
    .object({
      address: z.string(),
      answers: z
        .array(z.object({ status: z.string(), count, average: count }))
        .describe(
          'since this node was started, by status; `none`: no response. `average` is in milliseconds, without the time in the queue',
        ),
      organizations: z
        .array(z.object({ org: z.string(), running: count, waiting: count }))
        .describe('organizations with requests in progress, those with the most waiting requests first'),
      refused: count.describe('tokens that were not accepted'),
      keys: z
        .array(z.object({ org: z.string(), id: z.string(), ends: z.iso.datetime().optional() }))
        .describe('the stored API keys with which the service checks the sites of organizations by itself'),
    })
    .optional()
    .describe('requests of this node to the hosted service'),
});
export type ServiceState = z.infer<typeof ServiceState>;

const page = { method: 'GET', params: NO_PARAMS, query: NO_QUERY, tag: 'Service' } as const;

export const operatorEndpoints = {
  operatorPage: endpoint({
    ...page,
    path: '/admin',
    // Callers who are not signed in are redirected to the sign-in; others than operators get a page that says so.
    permission: 'public',
    answers: {
      200: { description: 'the state of the service as a page, for operators', media: ['text/html'] },
      302: { description: 'not signed in: redirects to the sign-in, and back' },
      401: { description: 'in front of the hosted service: a page that asks for a token', media: ['text/html'] },
      403: { description: 'a page for callers who are not operators', media: ['text/html'] },
    },
    errors: ['STORAGE_UNAVAILABLE'],
    summary: 'Show the page for operators',
  }),
  getServiceState: endpoint({
    ...page,
    path: '/admin/state',
    permission: 'operator',
    answers: { 200: answer('nodes, jobs, queues, failures and quotas', ServiceState) },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'STORAGE_UNAVAILABLE'],
    summary: 'Read the state of the service',
  }),
} as const;
