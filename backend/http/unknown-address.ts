import { dryRun, ProfileParams, SiteParams } from '@repoless/contract/endpoint-parts.ts';
import { endpoint, type Endpoint, NO_QUERY, WRITE_QUERY } from '@repoless/contract/endpoint.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { notOfferedAt, notOfferedSentence } from '@repoless/contract/public-api.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { z } from 'zod';
import { Refusal } from '../domain/errors.ts';
import type { Call } from './call.ts';
import { parseParams } from './parse-input.ts';

const ofSite = {
  path: '/config/{org}/sites/{site}/{part*}',
  params: SiteParams.extend({ part: z.string() }),
  tag: 'Sites',
  summary: 'A part that no site has',
} as const;
const ofProfile = {
  path: '/config/{org}/profiles/{profile}/{part*}',
  params: ProfileParams.extend({ part: z.string() }),
  tag: 'Profiles',
  summary: 'A part that no profile has',
} as const;

/** Calls for parts that no site or profile has: only who may read or write it learns which parts there are. */
export function unknownPartCalls(): Call[] {
  return [
    refusedPart(endpoint({ ...ofSite, ...READ, permission: 'config:read' }), 'site', SITE_PART_NAMES),
    ...WRITES.map((method) => refusedPart(endpoint({ ...ofSite, ...WRITE, method, permission: 'config:write' }), 'site', SITE_PART_NAMES)),
    refusedPart(endpoint({ ...ofProfile, ...READ, permission: 'org:read' }), 'profile', PROFILE_PART_NAMES),
    ...WRITES.map((method) =>
      refusedPart(endpoint({ ...ofProfile, ...WRITE, method, permission: 'org:configure' }), 'profile', PROFILE_PART_NAMES),
    ),
  ];
}

const WRITES = ['POST', 'PUT', 'DELETE'] as const;

const errors = ['PROPERTY_UNKNOWN'] as const;
const READ = { method: 'GET', query: NO_QUERY, answers: {}, errors } as const;
const WRITE = { query: WRITE_QUERY, answers: { 200: dryRun }, errors, preconditions: true } as const;

/** Whatever else such a call sends is not looked at. */
function refusedPart(row: Endpoint, noun: string, parts: readonly string[]): Call {
  return {
    row,
    params: (found) => parseParams(row.params, found),
    run: async (_, { params }) => {
      const name = String(params['part']).replace(/\.json$/, '');
      throw new Refusal('PROPERTY_UNKNOWN', `A ${noun} has no part "${name}". Its parts are ${parts.join(', ')}.`);
    },
  };
}

/** The refusal of a call that the public service has and this one does not, the same for everybody; undefined for other addresses. */
export function notOffered({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): Refusal | undefined {
  const found = notOfferedAt(method, originalUrl.split('?', 1)[0] ?? '');
  return found === undefined ? undefined : new Refusal('NOT_OFFERED', notOfferedSentence(found));
}

/** A configuration is JSON, but for robots.txt, query.yaml and sitemap.yaml: every other ending is refused before anything is looked up. */
export function refuseConfigType(url: string): void {
  refuseDoubleSlash(url);
  if (/^\/config\/[^?]+(?:\.json|\/robots\.txt|\/content\/(?:query|sitemap)\.yaml)(?:\?|$)/.test(url)) return;
  throw new Refusal('CONFIG_TYPE_INVALID', 'invalid config type');
}

/** An address that would be another one without its empty segment. */
export function refuseDoubleSlash(url: string): void {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('//')) return;
  throw new Refusal('ROUTE_NOT_FOUND', `The address has two slashes in a row. Write "${path.replaceAll(/\/{2,}/g, '/')}".`);
}

/** An address of the code of a site that lacks the branch. */
function refuseNoBranch(url: string): void {
  const [, site] = /^\/code(\/[a-z0-9-]+\/[a-z0-9-]+)\/?(?:\?|$)/.exec(url) ?? [];
  if (site === undefined) return;
  throw new Refusal('ROUTE_NOT_FOUND', `The address of code needs a branch. Write "/code${site}/${DEFAULT_REF}".`);
}

export function refuseRoute(request: { readonly method: string; readonly originalUrl: string }): never {
  refuseDoubleSlash(request.originalUrl);
  refuseNoBranch(request.originalUrl);
  const refusal = notOffered(request);
  if (refusal !== undefined) throw refusal;
  throw new Refusal('ROUTE_NOT_FOUND', 'There is no call at this address. /openapi.json lists the calls of the service.');
}
