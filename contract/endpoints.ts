import type { z } from 'zod';
import { auditEndpoints } from './audit-endpoints.ts';
import { apiKeyEndpoints } from './api-key-endpoints.ts';
import { authoringEndpoints } from './authoring-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { historyEndpoints } from './history-endpoints.ts';
import { jobEndpoints } from './job-endpoints.ts';
import { orgEndpoints } from './org-endpoints.ts';
import { peopleEndpoints } from './people-endpoints.ts';
import { secretEndpoints } from './secret-endpoints.ts';
import { serviceEndpoints } from './service-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { partEndpoints, profilePartEndpointsOf } from './part-endpoints.ts';
import { PROFILE_PART_NAMES } from './profile.ts';
import type { ProfilePart } from './profile.ts';
import { profileEndpoints } from './profile-endpoints.ts';
import { siteEndpoints } from './site-endpoints.ts';
import { SITE_PART_NAMES } from './site.ts';
import type { SitePart } from './site.ts';

/** THE table: every call of the service but the calls of the parts of a site, by its identifier. */
export const endpoints = {
  ...siteEndpoints,
  ...profileEndpoints,
  ...historyEndpoints,
  ...auditEndpoints,
  ...secretEndpoints,
  ...apiKeyEndpoints,
  ...jobEndpoints,
  ...orgEndpoints,
  ...peopleEndpoints,
  ...sessionEndpoints,
  ...authoringEndpoints,
  ...serviceEndpoints,
} as const;
export type Endpoints = typeof endpoints;
export type EndpointId = keyof Endpoints;

type Parts = { [P in SitePart]: ReturnType<typeof partEndpoints<P>> };
/** The calls of every part of a site: `sitePartEndpoints['access/admin'].set`. */
export const sitePartEndpoints = Object.fromEntries(SITE_PART_NAMES.map((part) => [part, partEndpoints(part)])) as Parts;

type ProfileParts = { [P in ProfilePart]: ReturnType<typeof profilePartEndpointsOf<P>> };
/** The calls of every part of a profile. */
export const profilePartEndpoints = Object.fromEntries(
  PROFILE_PART_NAMES.map((part) => [part, profilePartEndpointsOf(part)]),
) as ProfileParts;

/** Every row with its identifier: `getSite`, `access/admin:set` for a part, `profile/access/admin:set` for one of a profile. */
export function allEndpoints(): [id: string, row: Endpoint][] {
  const parts = SITE_PART_NAMES.flatMap((part) =>
    Object.entries(sitePartEndpoints[part]).map(([verb, row]): [string, Endpoint] => [`${part}:${verb}`, row]),
  );
  const profileParts = PROFILE_PART_NAMES.flatMap((part) =>
    Object.entries(profilePartEndpoints[part]).map(([verb, row]): [string, Endpoint] => [`profile/${part}:${verb}`, row]),
  );
  return [...Object.entries<Endpoint>(endpoints), ...parts, ...profileParts];
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = E extends { body: { schema: infer S extends z.ZodType; optional: true } }
  ? z.output<S> | undefined
  : E extends { body: { schema: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;
