import { z } from 'zod';
import { endpoint, FLAG, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { DryRun } from './history.ts';
import { OrgName, SiteName } from './names.ts';
import { ChangeQuery, ConfirmQuery, GetSiteQuery, PostSiteQuery, PutSiteQuery } from './site-query.ts';
import { Robots, Site, SiteInput, SiteList } from './site.ts';
import { Group, GroupName } from './access.ts';

export const OrgParams = z.object({ org: OrgName });
export const SiteParams = z.object({ org: OrgName, site: SiteName });
const GroupParams = SiteParams.extend({ group: GroupName });

/** The answer to a removal that is only tried. */
export const dryRun = {
  description: 'with ?dryRun=true: what would be stored and the difference',
  media: ['application/json'],
  schema: DryRun,
} as const;
export const stored = (description: string, schema: z.ZodType) => ({
  description,
  media: ['application/json'] as const,
  schema: z.union([schema, DryRun]),
});
export const json = <S extends z.ZodType>(schema: S, optional?: true) => ({
  media: ['application/json'] as const,
  schema,
  ...(optional === true ? { optional } : {}),
});
export const SITE_WRITE_ERRORS = [
  ...WRITE_ERRORS,
  'NOT_AUTHENTICATED',
  'NOT_AUTHORIZED',
  'ORG_NOT_FOUND',
  'HOST_LABEL_TOO_LONG',
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
  'WOULD_LOCK_OUT',
] as const;
export const SITE_READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SITE_NOT_FOUND'] as const;

/** Of writes that may bring another code source. */
export const SOURCE_ERRORS = [
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'REPOSITORY_NOT_READY',
  'CODE_HOST_UNREACHABLE',
  'BUILD_MANAGEMENT_UNREACHABLE',
] as const;

const MIGRATION_ERRORS = ['MIGRATION_NOT_POSSIBLE', 'CODE_HOST_UNREACHABLE'] as const;

const path = '/config/{org}/sites/{site}.json' as const;

export const siteEndpoints = {
  listSites: endpoint({
    method: 'GET',
    path: '/config/{org}/sites.json',
    params: OrgParams,
    query: z.object({
      details: FLAG.optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: z.string().max(200).optional(),
    }),
    permission: 'org:read',
    answers: {
      200: {
        description: 'the sites in the order of their names; a `link` header with rel="next" where there are more',
        media: ['application/json'],
        schema: SiteList,
      },
    },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'Sites',
    summary: 'List the sites of an organization',
  }),
  getSite: endpoint({
    method: 'GET',
    path,
    params: SiteParams,
    query: GetSiteQuery,
    permission: 'config:read',
    answers: {
      200: {
        description:
          'the site configuration; with ?migrate=true, the one that its repository proposes, for callers who administer the configuration; nothing is stored',
        media: ['application/json'],
        schema: Site,
      },
    },
    errors: [...SITE_READ_ERRORS, ...MIGRATION_ERRORS, 'BODY_INVALID', 'HOST_LABEL_TOO_LONG', 'CONTENT_ADDRESS_MISMATCH'],
    tag: 'Sites',
    summary: 'Read a site configuration, or the one that its repository proposes',
    warns: true,
    preconditions: true,
  }),
  putSite: endpoint({
    method: 'PUT',
    path,
    params: SiteParams,
    query: PutSiteQuery,
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('updated or replaced, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...SOURCE_ERRORS, ...MIGRATION_ERRORS],
    tag: 'Sites',
    summary: 'Create a site, update the parts that the body names, or (?migrate=true, no body) take it from its repository',
    call: 1,
    warns: true,
    preconditions: true,
  }),
  postSite: endpoint({
    method: 'POST',
    path,
    params: SiteParams,
    query: PostSiteQuery,
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('replaced, restored, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...SOURCE_ERRORS, ...MIGRATION_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    tag: 'Sites',
    summary: 'Create a further site for the same repository, replace a site whole, or restore a version of it',
    call: 2,
    warns: true,
    preconditions: true,
  }),
  deleteSite: endpoint({
    method: 'DELETE',
    path,
    params: SiteParams,
    query: ChangeQuery,
    permission: 'site:delete',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...SITE_READ_ERRORS, 'SECRET_IN_USE', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    tag: 'Sites',
    summary: 'Remove a site',
    preconditions: true,
  }),
  getRobots: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/robots.txt',
    params: SiteParams,
    query: NO_QUERY,
    permission: 'config:read',
    answers: { 200: { description: 'the robots.txt of the live host', media: ['text/plain'], schema: z.string() } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag: 'Sites',
    summary: 'Read robots.txt',
    preconditions: true,
  }),
  setRobots: endpoint({
    method: 'POST',
    path: '/config/{org}/sites/{site}/robots.txt',
    params: SiteParams,
    query: ChangeQuery,
    body: { media: ['text/plain', 'application/json'], schema: z.union([z.string(), Robots]), optional: true },
    permission: 'config:write',
    answers: { 200: { description: 'stored', media: ['text/plain', 'application/json'], schema: z.union([z.string(), DryRun]) } },
    errors: [...SITE_READ_ERRORS, ...WRITE_ERRORS, 'BODY_MISSING'],
    tag: 'Sites',
    summary: 'Set robots.txt',
    preconditions: true,
  }),
  deleteRobots: endpoint({
    method: 'DELETE',
    path: '/config/{org}/sites/{site}/robots.txt',
    params: SiteParams,
    query: ChangeQuery,
    permission: 'config:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    tag: 'Sites',
    summary: 'Remove robots.txt',
    preconditions: true,
  }),
  getSiteGroup: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/groups/{group}.json',
    params: GroupParams,
    query: NO_QUERY,
    permission: 'people:read',
    answers: { 200: { description: 'the group', media: ['application/json'], schema: Group } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag: 'Sites',
    summary: 'Read a group of a site',
    preconditions: true,
  }),
  setSiteGroup: endpoint({
    method: 'POST',
    path: '/config/{org}/sites/{site}/groups/{group}.json',
    params: GroupParams,
    query: ConfirmQuery,
    body: json(Group),
    permission: 'access:write',
    answers: { 200: stored('the group', Group) },
    errors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND'],
    tag: 'Sites',
    summary: 'Set a group of a site',
    preconditions: true,
  }),
  deleteSiteGroup: endpoint({
    method: 'DELETE',
    path: '/config/{org}/sites/{site}/groups/{group}.json',
    params: GroupParams,
    query: ConfirmQuery,
    permission: 'access:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'BODY_INVALID', 'PRECONDITION_FAILED', 'STORAGE_FULL', 'WOULD_LOCK_OUT'],
    tag: 'Sites',
    summary: 'Remove a group of a site',
    preconditions: true,
  }),
} as const;
