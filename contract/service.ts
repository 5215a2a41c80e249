import { z } from 'zod';

/** What a client may rely on only where a service announces it. */
export const FEATURES = ['dry-run', 'check-code', 'checks'] as const;
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
  /** Where raw files of its repositories are read: `{codeHostRaw}/{owner}/{repo}/{branch}/{path}`. */
  codeHostRaw: z.string().optional(),
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
  /** What this service is able to do, by name; one that announces nothing is older than the announcements. */
  features: z.array(z.string()).default([]),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

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
