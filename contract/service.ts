import { z } from 'zod';
import type { HostDomains } from './addresses.ts';
import { answer, endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';

/** Capabilities on which a client may rely only if the service announces them. */
export const FEATURES = ['dry-run', 'check-code', 'checks', 'events', 'rollouts', 'log'] as const;
export type Feature = (typeof FEATURES)[number];

/** What a client must know of a deployment before anything else; needs no token. `previewDomain` and `liveDomain` include the port, if any. */
export const ServiceInfo = z.object({
  name: z.literal('repoless'),
  version: z.string(),
  protocol: z.enum(['http', 'https']),
  previewDomain: z.string(),
  liveDomain: z.string(),
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  codeHost: z.string(),
  /** Scheme and host of build management, if external repositories can be used. */
  buildManagement: z.string().optional(),
  /** The value of `projectType` in the authoring system that means repoless (uncertain, so it is a setting). */
  repolessProjectType: z.string(),
  /** Page template for the configuration page (uncertain, so it is a setting). */
  configurationTemplate: z.string(),
  /** Name of the property that shows the technical account in the Edge Delivery configuration. */
  technicalAccountProperty: z.string(),
  connector: z.string(),
  /** Maximum lifetime of an API key in seconds. */
  apiKeyLifetimeLimit: z.number().int().optional(),
  /** Scheme and host of the vendor's hosted service, if this program only forwards calls to it. */
  hosted: z.string().optional(),
  /** The capabilities of this service, by name; a service that announces none is older than the announcements. */
  features: z.array(z.string()).default([]),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

export function hostDomains({
  protocol,
  previewDomain,
  liveDomain,
}: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain'>): HostDomains {
  return { protocol, preview: previewDomain, live: liveDomain };
}

/** Whether a service has a capability: our own always does; a service in front of the hosted one, only if it announces it. */
export function offers({ hosted, features }: Pick<ServiceInfo, 'hosted' | 'features'>, feature: Feature): boolean {
  return hosted === undefined || features.includes(feature);
}

export const Live = z.object({ status: z.literal('live') });

/** Whether a program accepts work. */
export const Health = z.object({
  status: z.enum(['ready', 'stopping', 'failing', 'overloaded']),
  problem: z.string().optional(),
});
export type Health = z.infer<typeof Health>;

/** An OpenAPI 3.1 document of the calls, for tools. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

export const aboutProgram = {
  method: 'GET',
  params: NO_PARAMS,
  query: NO_QUERY,
  permission: 'public',
  errors: [],
  tag: 'Service',
} as const;

const probe = { ...aboutProgram, unlimited: true } as const;

/** Calls of both programs: their state, for whatever supervises them, and their document. */
export const probes = {
  live: endpoint({
    ...probe,
    path: '/live',
    answers: { 200: answer('the process responds; nothing else is checked', Live) },
    summary: 'Check whether the process responds',
  }),
  ready: endpoint({
    ...probe,
    path: '/ready',
    answers: {
      200: answer('ready', Health),
      503: answer('stopping, overloaded, or the storage fails', Health),
    },
    summary: 'Check whether this node should get requests',
  }),
  health: endpoint({
    ...probe,
    path: '/health',
    answers: {
      200: answer('ready', Health),
      503: answer('stopping, or the storage fails', Health),
    },
    summary: 'Check whether the program is ready',
  }),
  openApi: endpoint({
    ...aboutProgram,
    path: '/openapi.json',
    answers: { 200: answer('this document', OpenApiDocument) },
    summary: 'OpenAPI 3.1 document',
  }),
} as const;

export const serviceEndpoints = {
  getService: endpoint({
    ...aboutProgram,
    path: '/service.json',
    answers: { 200: answer('what a client needs to know about this deployment', ServiceInfo) },
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
    summary: 'OpenAPI 3.1 document of the writes as dry runs (?dryRun=true)',
  }),
} as const;

/** Sites that a service in front of the hosted one reads for a list, to find out where their pages are. */
export const SITES_READ_FOR_LIST = 40;
