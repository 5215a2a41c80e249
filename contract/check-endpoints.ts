import { z } from 'zod';
import { CheckStarted, OrgChecks, SiteCheck, SiteCheckInput } from './checked-site.ts';
import { endpoint, NO_QUERY } from './endpoint.ts';
import { json, OrgParams, SITE_READ_ERRORS, SiteParams } from './site-endpoints.ts';

const ofOrg = { path: '/config/{org}/checks.json', params: OrgParams, tag: 'Checks' } as const;
const ofSite = { path: '/config/{org}/sites/{site}/checks.json', params: SiteParams, query: NO_QUERY, tag: 'Checks' } as const;
const ORG_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;

/** The states of sites, from the latest findings (docs/contract.md 3.16). */
export const checkEndpoints = {
  getOrgChecks: endpoint({
    method: 'GET',
    ...ofOrg,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: z.string().max(200).optional(),
    }),
    permission: 'org:read',
    answers: {
      200: {
        description: 'the sites in the order of their names, a thousand at most; a `link` header with rel="next" where there are more',
        media: ['application/json'],
        schema: OrgChecks,
      },
    },
    errors: ORG_ERRORS,
    summary: 'Read the state of the sites of an organization',
  }),
  startOrgCheck: endpoint({
    method: 'POST',
    ...ofOrg,
    outside: 'check',
    query: NO_QUERY,
    permission: 'org:configure',
    answers: {
      202: { description: 'begun, or joined where one is under way', media: ['application/json'], schema: CheckStarted },
    },
    errors: [...ORG_ERRORS, 'STORAGE_FULL'],
    summary: 'Check all sites of an organization now',
  }),
  getSiteCheck: endpoint({
    method: 'GET',
    ...ofSite,
    permission: 'people:read',
    answers: { 200: { description: 'the latest findings', media: ['application/json'], schema: SiteCheck } },
    errors: SITE_READ_ERRORS,
    summary: 'Read the latest findings of a site',
  }),
  putSiteCheck: endpoint({
    method: 'PUT',
    ...ofSite,
    outside: 'check',
    body: json(SiteCheckInput),
    permission: 'config:write',
    answers: {
      200: { description: 'stored: everything now known about the site', media: ['application/json'], schema: SiteCheck },
    },
    errors: [...SITE_READ_ERRORS, 'STORAGE_FULL'],
    summary: 'Store the findings of a person who could read the authoring system',
  }),
} as const;
