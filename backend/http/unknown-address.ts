import { z } from 'zod';
import { endpoint, NO_QUERY } from '#contract/endpoint.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import { SiteParams } from '#contract/site-endpoints.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { bindCall } from './call.ts';
import type { Call } from './call.ts';

const row = {
  path: '/config/{org}/sites/{site}/{part*}',
  params: SiteParams.extend({ part: z.string() }),
  query: NO_QUERY,
  answers: {},
  errors: ['PROPERTY_UNKNOWN'],
  tag: 'Sites',
  summary: 'A part that no site has',
} as const;

/** Calls for parts that no site has: only who may read or write the site learns which parts there are. */
export function unknownPartCalls(): Call[] {
  return [
    bindCall(endpoint({ ...row, method: 'GET', permission: 'config:read' }), refuse),
    bindCall(endpoint({ ...row, method: 'POST', permission: 'config:write' }), refuse),
    bindCall(endpoint({ ...row, method: 'PUT', permission: 'config:write' }), refuse),
    bindCall(endpoint({ ...row, method: 'DELETE', permission: 'config:write' }), refuse),
  ];
}

function refuse(_: unknown, { params }: { params: { part: string } }): never {
  const name = params.part.replace(/\.json$/, '');
  throw new Refusal('PROPERTY_UNKNOWN', `A site has no part "${name}". Its parts are ${SITE_PART_NAMES.join(', ')}.`);
}

/** A configuration is JSON, but for robots.txt: every other ending is refused before anything is looked up. */
export function refuseConfigType(url: string): void {
  if (/^\/config\/[^?]+(?:\.json|\/robots\.txt)(?:\?|$)/.test(url)) return;
  throw new Refusal('CONFIG_TYPE_INVALID', 'invalid config type');
}

export function refuseRoute(): never {
  throw new Refusal('ROUTE_NOT_FOUND', 'There is nothing at this address. The calls of the service are listed at /openapi.json.');
}
