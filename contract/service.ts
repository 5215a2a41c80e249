import { z } from 'zod';
import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';

/** What a client may rely on only where a service announces it. */
export const FEATURES = ['dry-run', 'check-code', 'checks', 'events', 'rollouts', 'log'] as const;
export type Feature = (typeof FEATURES)[number];

/**
 * What a client must know of a deployment before it can do anything; needs no token.
 * `previewDomain` and `liveDomain` carry the port where there is one.
 */
export const ServiceInfo = z.object({
  name: z.literal('repoless'),
  version: z.string(),
  protocol: z.enum(['http', 'https']),
  previewDomain: z.string(),
  liveDomain: z.string(),
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  codeHost: z.string(),
  /** Scheme and host of build management, where external repositories can be used. */
  buildManagement: z.string().optional(),
  /** The value of `projectType` in the authoring system that means repoless (not certain there, so a setting). */
  repolessProjectType: z.string(),
  /** Page template for the configuration page (not certain there, so a setting). */
  configurationTemplate: z.string(),
  /** Name of the property that shows the technical account in the Edge Delivery configuration. */
  technicalAccountProperty: z.string(),
  connector: z.string(),
  /** Seconds that an API key may live at most. */
  apiKeyLifetimeLimit: z.number().int().optional(),
  /** Scheme and host of the vendor's hosted service, where this program only passes calls on to it. */
  hosted: z.string().optional(),
  /** What this service is able to do, by name; one that announces nothing is older than the announcements. */
  features: z.array(z.string()).default([]),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

/** Whether a service can do what every one of our own can; one in front of the hosted service, only what it announces. */
export function offers({ hosted, features }: Pick<ServiceInfo, 'hosted' | 'features'>, feature: Feature): boolean {
  return hosted === undefined || features.includes(feature);
}

/** That a program answers at all. */
export const Live = z.object({ status: z.literal('live') });

/** Whether a program takes work. */
export const Health = z.object({
  status: z.enum(['ready', 'stopping', 'failing', 'overloaded']),
  /** What fails. */
  problem: z.string().optional(),
});
export type Health = z.infer<typeof Health>;

/** A document of the calls for tools, as OpenAPI 3.1 has it. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

/** What a program says of itself to anybody. */
export const aboutProgram = {
  method: 'GET',
  params: NO_PARAMS,
  query: NO_QUERY,
  permission: 'public',
  errors: [],
  tag: 'Service',
} as const;

const probe = { ...aboutProgram, unlimited: true } as const;

/** Calls that both programs have: how whoever supervises them learns of their state, and their document. */
export const probes = {
  live: endpoint({
    ...probe,
    path: '/live',
    answers: { 200: { description: 'the process responds; nothing else is checked', media: ['application/json'], schema: Live } },
    summary: 'Check whether the process responds',
  }),
  ready: endpoint({
    ...probe,
    path: '/ready',
    answers: {
      200: { description: 'ready', media: ['application/json'], schema: Health },
      503: { description: 'stopping, overloaded, or the storage fails', media: ['application/json'], schema: Health },
    },
    summary: 'Check whether this node should get requests',
  }),
  health: endpoint({
    ...probe,
    path: '/health',
    answers: {
      200: { description: 'ready', media: ['application/json'], schema: Health },
      503: { description: 'stopping, or the storage fails', media: ['application/json'], schema: Health },
    },
    summary: 'Check whether the program is ready',
  }),
  openApi: endpoint({
    ...aboutProgram,
    path: '/openapi.json',
    answers: { 200: { description: 'this document', media: ['application/json'], schema: OpenApiDocument } },
    summary: 'OpenAPI 3.1 document',
  }),
} as const;

export const serviceEndpoints = {
  getService: endpoint({
    ...aboutProgram,
    path: '/service.json',
    answers: {
      200: { description: 'what a client needs to know about this deployment', media: ['application/json'], schema: ServiceInfo },
    },
    summary: 'Describe this deployment',
  }),
  getLive: probes.live,
  getReady: probes.ready,
  getHealth: probes.health,
  getOpenApi: probes.openApi,
  getOpenApiAliases: endpoint({
    ...probes.openApi,
    path: '/openapi-aliases.json',
    summary: 'OpenAPI 3.1 document of the other addresses of the same calls',
  }),
  getOpenApiDryRun: endpoint({
    ...probes.openApi,
    path: '/openapi-dry-run.json',
    summary: 'OpenAPI 3.1 document of the writes as they are tried, by ?dryRun=true',
  }),
} as const;

/** Sites that a service before the hosted one reads for a list of them, to know where their pages are. */
export const SITES_READ_FOR_LIST = 40;
