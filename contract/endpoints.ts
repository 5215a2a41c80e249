import type { z } from 'zod';
import { assistantEndpoints } from './assistant.ts';
import { auditEndpoints } from './audit.ts';
import { authoringEndpoints } from './authoring.ts';
import { codeCheckEndpoints } from './code-check.ts';
import { apiKeyEndpoints, siteTokenEndpoints } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { eventEndpoints } from './event.ts';
import { historyEndpoints } from './history.ts';
import { jobEndpoints } from './job.ts';
import { operatorEndpoints } from './operator.ts';
import { orgEndpoints } from './org.ts';
import { editorEndpoints, partEndpoints, profilePartEndpointsOf, siteYamlEndpoints } from './part-endpoints.ts';
import { peopleEndpoints } from './people-endpoints.ts';
import { aggregateEndpoints, profileEndpoints } from './profile-endpoints.ts';
import { rolloutEndpoints } from './rollout.ts';
import { secretEndpoints } from './secret.ts';
import { servedCodeEndpoints } from './served-code.ts';
import { serviceEndpoints } from './service.ts';
import { sessionEndpoints } from './session.ts';
import { checkEndpoints } from './site-check.ts';
import { siteEndpoints } from './site-endpoints.ts';
import { PROFILE_PART_NAMES, type ProfilePart, SITE_PART_NAMES, type SitePart } from './site.ts';
import { statusEndpoints } from './status.ts';

/** The table of every call of the service except those of the parts of a site, by identifier. */
export const endpoints = {
  ...siteEndpoints,
  ...siteYamlEndpoints,
  ...profileEndpoints,
  ...editorEndpoints,
  ...aggregateEndpoints,
  ...historyEndpoints,
  ...auditEndpoints,
  ...secretEndpoints,
  ...siteTokenEndpoints,
  ...apiKeyEndpoints,
  ...eventEndpoints,
  ...jobEndpoints,
  ...servedCodeEndpoints,
  ...codeCheckEndpoints,
  ...statusEndpoints,
  ...checkEndpoints,
  ...rolloutEndpoints,
  ...orgEndpoints,
  ...peopleEndpoints,
  ...sessionEndpoints,
  ...authoringEndpoints,
  ...assistantEndpoints,
  ...serviceEndpoints,
  ...operatorEndpoints,
} as const;
export type Endpoints = typeof endpoints;
export type EndpointId = keyof Endpoints;

type Parts = { [P in SitePart]: ReturnType<typeof partEndpoints<P>> };
/** The calls of each part of a site: `sitePartEndpoints['access/admin'].set`. */
export const sitePartEndpoints = Object.fromEntries(SITE_PART_NAMES.map((part) => [part, partEndpoints(part)])) as Parts;

type ProfileParts = { [P in ProfilePart]: ReturnType<typeof profilePartEndpointsOf<P>> };
export const profilePartEndpoints = Object.fromEntries(
  PROFILE_PART_NAMES.map((part) => [part, profilePartEndpointsOf(part)]),
) as ProfileParts;

const PART_OPERATIONS = { get: 'get', set: 'set', remove: 'delete' } as const;
export type PartOperation = keyof typeof PART_OPERATIONS;

/** The identifier of the call of a part: `setSiteAccessAdmin` sets `access/admin` of a site. */
export function partEndpointId(owner: 'Site' | 'Profile', part: SitePart, operation: PartOperation): string {
  // robots.txt has its own calls.
  const words = (part === 'robots' ? 'robots/json' : part).split('/').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${PART_OPERATIONS[operation]}${owner}${words.join('')}`;
}

/**
 * Every row with its identifier, which has only letters: `getSite`, `setSiteAccessAdmin` for a part, `setProfileAccessAdmin` for one of a
 * profile.
 */
export function allEndpoints(): [id: string, row: Endpoint][] {
  const siteParts = SITE_PART_NAMES.flatMap((part) => partRows('Site', part, sitePartEndpoints[part]));
  const profileParts = PROFILE_PART_NAMES.flatMap((part) => partRows('Profile', part, profilePartEndpoints[part]));
  return [...Object.entries<Endpoint>(endpoints), ...siteParts, ...profileParts];
}

function partRows(owner: 'Site' | 'Profile', part: SitePart, rows: Readonly<Record<PartOperation, Endpoint>>): [string, Endpoint][] {
  const operations = ['get', 'set', 'remove'] as const;
  return operations.map((operation) => [partEndpointId(owner, part, operation), rows[operation]]);
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = E extends { body: { schema: infer S extends z.ZodType; optional: true } }
  ? z.output<S> | undefined
  : E extends { body: { schema: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;
