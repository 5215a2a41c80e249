import { z } from 'zod';
import { endpoint, NO_QUERY } from '#contract/endpoint.ts';
import { ProfileParams } from '#contract/profile-endpoints.ts';
import { PROFILE_PART_NAMES } from '#contract/profile.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import { SiteParams } from '#contract/site-endpoints.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { bindCall } from './call.ts';
import type { Call } from './call.ts';

const row = { query: NO_QUERY, answers: {}, errors: ['PROPERTY_UNKNOWN'] } as const;
const ofSite = {
  ...row,
  path: '/config/{org}/sites/{site}/{part*}',
  params: SiteParams.extend({ part: z.string() }),
  tag: 'Sites',
  summary: 'A part that no site has',
} as const;
const ofProfile = {
  ...row,
  path: '/config/{org}/profiles/{profile}/{part*}',
  params: ProfileParams.extend({ part: z.string() }),
  tag: 'Profiles',
  summary: 'A part that no profile has',
} as const;

/** Calls for parts that no site or profile has: only who may read or write it learns which parts there are. */
export function unknownPartCalls(): Call[] {
  return [
    bindCall(endpoint({ ...ofSite, method: 'GET', permission: 'config:read' }), refusePart('site', SITE_PART_NAMES)),
    ...WRITES.map((method) => bindCall(endpoint({ ...ofSite, method, permission: 'config:write' }), refusePart('site', SITE_PART_NAMES))),
    bindCall(endpoint({ ...ofProfile, method: 'GET', permission: 'org:read' }), refusePart('profile', PROFILE_PART_NAMES)),
    ...WRITES.map((method) =>
      bindCall(endpoint({ ...ofProfile, method, permission: 'org:configure' }), refusePart('profile', PROFILE_PART_NAMES)),
    ),
  ];
}

const WRITES = ['POST', 'PUT', 'DELETE'] as const;

function refusePart(noun: string, parts: readonly string[]): (_: unknown, input: { params: { part: string } }) => never {
  return (_, { params }) => {
    const name = params.part.replace(/\.json$/, '');
    throw new Refusal('PROPERTY_UNKNOWN', `A ${noun} has no part "${name}". Its parts are ${parts.join(', ')}.`);
  };
}

/** A configuration is JSON, but for robots.txt: every other ending is refused before anything is looked up. */
export function refuseConfigType(url: string): void {
  if (/^\/config\/[^?]+(?:\.json|\/robots\.txt)(?:\?|$)/.test(url)) return;
  throw new Refusal('CONFIG_TYPE_INVALID', 'invalid config type');
}

export function refuseRoute(): never {
  throw new Refusal('ROUTE_NOT_FOUND', 'There is nothing at this address. The calls of the service are listed at /openapi.json.');
}
