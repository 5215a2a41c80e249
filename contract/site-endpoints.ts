import { z } from 'zod';
import { endpoint, WRITE_ERRORS, WRITE_QUERY, NO_QUERY } from './endpoint.ts';
import { DryRun, Version, VersionList } from './history.ts';
import { OrgName, SiteName } from './names.ts';
import { SITE_PARTS, Site, SiteInput, SiteList } from './site.ts';
import type { SitePart } from './site.ts';
import { Group } from './access.ts';

export const OrgParams = z.object({ org: OrgName });
export const SiteParams = z.object({ org: OrgName, site: SiteName });
const VersionParams = SiteParams.extend({ version: z.coerce.number().int().positive() });
const GroupParams = SiteParams.extend({
  group: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A group name holds lower-case letters, digits and single hyphens.'),
});

const dryRun = {
  description: 'with ?dryRun=true: what would be stored and the difference',
  media: ['application/json'],
  schema: DryRun,
} as const;
const stored = (description: string, schema: z.ZodType) => ({
  description,
  media: ['application/json'] as const,
  schema: z.union([schema, DryRun]),
});
const json = <S extends z.ZodType>(schema: S, optional?: true) => ({
  media: ['application/json'] as const,
  schema,
  ...(optional === true ? { optional } : {}),
});
const SITE_WRITE_ERRORS = [
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
const SITE_READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SITE_NOT_FOUND'] as const;

/** `?confirm=true` lets a change through that takes the administration of the site from its caller. */
export const ConfirmQuery = WRITE_QUERY.extend({ confirm: z.stringbool().optional() });
const UpsertQuery = ConfirmQuery.extend({ versionName: z.string().min(1).max(200).optional() });
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
    query: NO_QUERY,
    permission: 'config:read',
    answers: { 200: { description: 'the site configuration', media: ['application/json'], schema: Site } },
    errors: SITE_READ_ERRORS,
    tag: 'Sites',
    summary: 'Read a site configuration',
    preconditions: true,
  }),
  putSite: endpoint({
    method: 'PUT',
    path,
    params: SiteParams,
    query: UpsertQuery,
    body: json(SiteInput),
    permission: 'config:write',
    answers: { 200: stored('replaced, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: SITE_WRITE_ERRORS,
    tag: 'Sites',
    summary: 'Create or replace a site',
    rule: 'call 1',
    preconditions: true,
  }),
  postSite: endpoint({
    method: 'POST',
    path,
    params: SiteParams,
    query: UpsertQuery.extend({ restoreVersion: z.coerce.number().int().positive().optional() }),
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('replaced, restored, or unchanged where nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND'],
    tag: 'Sites',
    summary: 'Create a further site for the same repository, replace a site, or restore a version of it',
    rule: 'call 2',
    preconditions: true,
  }),
  deleteSite: endpoint({
    method: 'DELETE',
    path,
    params: SiteParams,
    query: WRITE_QUERY,
    permission: 'site:delete',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...SITE_READ_ERRORS, 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    tag: 'Sites',
    summary: 'Remove a site',
    preconditions: true,
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/versions.json',
    params: SiteParams,
    query: NO_QUERY,
    permission: 'config:read',
    answers: { 200: { description: 'the versions of the site, newest first', media: ['application/json'], schema: VersionList } },
    errors: SITE_READ_ERRORS,
    tag: 'History',
    summary: 'List the versions of a site',
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/versions/{version}.json',
    params: VersionParams,
    query: NO_QUERY,
    permission: 'config:read',
    answers: { 200: { description: 'one version with its data', media: ['application/json'], schema: Version } },
    errors: [...SITE_READ_ERRORS, 'VERSION_NOT_FOUND'],
    tag: 'History',
    summary: 'Read a version of a site',
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
    query: WRITE_QUERY,
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
    query: WRITE_QUERY,
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
    permission: 'config:read',
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
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'PRECONDITION_FAILED', 'STORAGE_FULL', 'WOULD_LOCK_OUT'],
    tag: 'Sites',
    summary: 'Remove a group of a site',
    preconditions: true,
  }),
} as const;

const PART_RULES: Partial<Record<SitePart, string>> = { public: 'call 3', access: 'call 4', code: 'call 5' };

/** The three calls of one part of a site, e.g. `access/admin`. */
export function partEndpoints<P extends SitePart>(part: P) {
  const schema = SITE_PARTS[part] as (typeof SITE_PARTS)[P];
  const partPath = `/config/{org}/sites/{site}/${part}.json` as const;
  const writePermission = part === 'access' || part === 'access/admin' ? 'access:write' : 'config:write';
  const rule = PART_RULES[part];
  return {
    get: endpoint({
      method: 'GET',
      path: partPath,
      params: SiteParams,
      query: NO_QUERY,
      permission: 'config:read',
      answers: { 200: { description: 'the part', media: ['application/json'], schema } },
      errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
      tag: 'Sites',
      summary: `Read ${part} of a site`,
      preconditions: true,
    }),
    set: endpoint({
      method: 'POST',
      path: partPath,
      params: SiteParams,
      query: UpsertQuery,
      body: json(schema),
      permission: writePermission,
      answers: { 200: stored('the part as it is stored', schema) },
      errors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND'],
      tag: 'Sites',
      summary: `Replace ${part} of a site whole`,
      ...(rule === undefined ? {} : { rule }),
      preconditions: true,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: partPath,
      params: SiteParams,
      query: ConfirmQuery,
      permission: writePermission,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND', 'PART_NOT_FOUND'],
      tag: 'Sites',
      summary: `Remove ${part} of a site`,
      preconditions: true,
    }),
  } as const;
}
