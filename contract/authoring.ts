import { z } from 'zod';

/** Header of the caller's own authoring token: `Bearer <token>`. */
export const AUTHORING_TOKEN_HEADER = 'x-content-source-authorization';

/** What the relay passes on, and nothing else (authoring-system facts, section 2). Paths as the authoring system sees them, decoded. */
export const RELAYED_READS: readonly RegExp[] = [
  /^\/content(\/[^/]+)*\.(\d+\.|infinity\.)?json$/,
  /^\/conf(\/[^/]+)*\.(\d+\.|infinity\.)?json$/,
  /^\/libs\/granite\/csrf\/token\.json$/,
  /^\/bin\/[A-Za-z0-9_-]+\.delivery\/[^/]+\/[^/]+\/[^/]+(\/.*)?$/,
];
export const RELAYED_WRITES: readonly RegExp[] = [
  /^\/conf\/[^/]+(\/[^/]+)*\/settings\/cloudconfigs\/edge-delivery-service-configuration(\/(jcr:content|_jcr_content))?$/,
  /^\/content(\/[^/]+)+\/(jcr:content|_jcr_content)$/,
  /^\/content(\/[^/]+)+\/configuration$/,
  /^\/bin\/wcmcommand$/,
];

/** Where an Edge Delivery configuration lies below a `/conf` path. */
export const EDGE_CONFIGURATION = 'settings/cloudconfigs/edge-delivery-service-configuration';

/** An Edge Delivery configuration as Sling answers it; names are the authoring system's. */
export const EdgeConfiguration = z.looseObject({
  owner: z.string().optional(),
  repo: z.string().optional(),
  ref: z.string().optional(),
  projectType: z.coerce.string().optional(),
  edgeHost: z.string().optional(),
  siteAuthToken: z.string().optional(),
});
export type EdgeConfiguration = z.infer<typeof EdgeConfiguration>;

/** The properties of a page (its `jcr:content`) that matter here. */
export const PageContent = z.looseObject({
  'jcr:title': z.string().optional(),
  'cq:conf': z.string().optional(),
  'cq:template': z.string().optional(),
  'sling:resourceType': z.string().optional(),
  'jcr:language': z.string().optional(),
});
export type PageContent = z.infer<typeof PageContent>;

export const CsrfToken = z.object({ token: z.string() });

/** A sheet as the delivery address answers it. */
export const Sheet = z.looseObject({ data: z.array(z.looseObject({ key: z.string(), value: z.string() })) });
export type Sheet = z.infer<typeof Sheet>;
