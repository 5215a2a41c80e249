import { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import { SITE_READ_ERRORS, SiteParams } from './site-endpoints.ts';
import { Site } from './site.ts';

/** What holds for a site over the profile that it extends (docs/contract.md 3.12). */
export const aggregateEndpoints = {
  getAggregate: endpoint({
    method: 'GET',
    path: '/config/{org}/aggregated/{site}.json',
    params: SiteParams,
    query: NO_QUERY,
    permission: 'aggregate:read',
    answers: {
      200: {
        description: 'the site over its profile, without people, keys and secrets for callers who do not administer its configuration',
        media: ['application/json'],
        schema: Site,
      },
    },
    errors: SITE_READ_ERRORS,
    tag: 'Profiles',
    summary: 'Read the effective configuration of a site: its own over that of the profile that it extends',
    preconditions: true,
  }),
  getAggregateRobots: endpoint({
    method: 'GET',
    path: '/config/{org}/aggregated/{site}/robots.txt',
    params: SiteParams,
    query: NO_QUERY,
    permission: 'aggregate:read',
    answers: { 200: { description: 'the robots.txt of the site, or that of its profile', media: ['text/plain'], schema: z.string() } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag: 'Profiles',
    summary: 'Read the effective robots.txt of a site',
    preconditions: true,
  }),
  getAggregatePart: endpoint({
    method: 'GET',
    path: '/config/{org}/aggregated/{site}/{part*}',
    params: SiteParams.extend({ part: z.string() }),
    query: NO_QUERY,
    permission: 'aggregate:read',
    answers: {
      200: {
        description: 'the part, e.g. at `cdn/prod.json`, as the whole aggregate shows it',
        media: ['application/json'],
        schema: z.unknown(),
      },
    },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'PROPERTY_UNKNOWN', 'CONFIG_TYPE_INVALID'],
    tag: 'Profiles',
    summary: 'Read one part of the effective configuration of a site',
    preconditions: true,
  }),
} as const;
