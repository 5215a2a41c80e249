import { z } from 'zod';
import { endpoint, WRITE_ERRORS, WRITE_QUERY, NO_QUERY } from './endpoint.ts';
import { RepositoryName } from './code-source.ts';
import { DryRun, VersionName } from './history.ts';
import { OrgName, SiteName } from './names.ts';
import { Site, SiteInput, SiteList } from './site.ts';
import { Group } from './access.ts';

export const OrgParams = z.object({ org: OrgName });
export const SiteParams = z.object({ org: OrgName, site: SiteName });
const GroupParams = SiteParams.extend({
  group: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A group name holds lower-case letters, digits and single hyphens.'),
});

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

const MIGRATION_ERRORS = ['MIGRATION_NOT_POSSIBLE', 'CODE_HOST_UNREACHABLE'] as const;

/** `?versionName=` names the version that the change makes. */
export const ChangeQuery = WRITE_QUERY.extend({ versionName: VersionName.min(1).optional() });
/** `?confirm=true` lets a change through that takes the administration of the site from its caller. */
export const ConfirmQuery = ChangeQuery.extend({ confirm: z.stringbool().optional() });
/** `?restoreVersion=` brings a version back, by a call without a body. */
export const RestoreQuery = ConfirmQuery.extend({ restoreVersion: z.coerce.number().int().positive().optional() });
/** `?migrate=true` takes the site from the fstab.yaml and paths.json of a repository, by a call without a body. */
const migrateShape = { migrate: z.stringbool().optional(), owner: RepositoryName.optional(), repo: RepositoryName.optional() };
const path = '/config/{org}/sites/{site}.json' as const;

export const siteEndpoints = {
  listSites: endpoint({
    method: 'GET',
    path: '/config/{org}/sites.json',
    params: OrgParams,
    query: z.object({
      details: z.stringbool().optional(),
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
    query: z.object(migrateShape),
    permission: 'config:read',
    answers: {
      200: {
        description: 'the site configuration; with ?migrate=true that which its repository proposes, and nothing is stored',
        media: ['application/json'],
        schema: Site,
      },
    },
    errors: [...SITE_READ_ERRORS, ...MIGRATION_ERRORS, 'BODY_INVALID', 'HOST_LABEL_TOO_LONG', 'CONTENT_ADDRESS_MISMATCH'],
    tag: 'Sites',
    summary: 'Read a site configuration, or what its repository proposes',
    preconditions: true,
  }),
  putSite: endpoint({
    method: 'PUT',
    path,
    params: SiteParams,
    query: ConfirmQuery.extend(migrateShape),
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('replaced, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...MIGRATION_ERRORS],
    tag: 'Sites',
    summary: 'Create or replace a site, or (?migrate=true, no body) take it from its repository',
    rule: 'call 1',
    preconditions: true,
  }),
  postSite: endpoint({
    method: 'POST',
    path,
    params: SiteParams,
    query: RestoreQuery.extend(migrateShape),
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('replaced, restored, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...MIGRATION_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    tag: 'Sites',
    summary: 'Create a further site for the same repository, replace a site, or restore a version of it',
    rule: 'call 2',
    preconditions: true,
  }),
  deleteSite: endpoint({
    method: 'DELETE',
    path,
    params: SiteParams,
    query: ChangeQuery,
    permission: 'site:delete',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...SITE_READ_ERRORS, 'PRECONDITION_FAILED', 'STORAGE_FULL'],
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
    body: { media: ['text/plain'], schema: z.string(), optional: true },
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
