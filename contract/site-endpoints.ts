import { z } from 'zod';
import { Group, GroupName } from './access.ts';
import { RepositoryName } from './code-source.ts';
import {
  ChangeQuery,
  ConfirmQuery,
  DryRun,
  dryRun,
  ORG_ERRORS,
  OrgParams,
  removed,
  RestoreQuery,
  SITE_READ_ERRORS,
  SITE_WRITE_ERRORS,
  SiteParams,
  SOURCE_ERRORS,
  SourceQuery,
  stored,
} from './endpoint-parts.ts';
import { answer, endpoint, FLAG, integer, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { Robots, Site, SiteInput, SiteList } from './site.ts';

/** `?migrate=true` derives the site from the fstab.yaml and paths.json of a repository; the call has no body. */
const migration = { migrate: FLAG.optional(), owner: RepositoryName.optional(), repo: RepositoryName.optional() };
const REPOSITORY = { error: '"owner" and "repo" name the repository of ?migrate=true. Send that too, or omit them.', path: ['owner'] };

const GetSiteQuery = z.object(migration).refine(namesWhatIsMigrated, REPOSITORY);

/** `?replace=true` replaces an existing site completely; without it, parts that the body does not name stay. */
const PutSiteQuery = SourceQuery.extend({ ...migration, replace: FLAG.optional() })
  .refine(namesWhatIsMigrated, REPOSITORY)
  .refine(({ migrate, replace }) => migrate !== true || replace !== true, {
    error: '?migrate=true keeps the parts that the repository does not name. Omit "replace".',
    path: ['replace'],
  });

const PostSiteQuery = RestoreQuery.extend({ ...migration, replace: FLAG.optional() })
  .refine(namesWhatIsMigrated, REPOSITORY)
  .refine(({ migrate, restoreVersion }) => migrate !== true || restoreVersion === undefined, {
    error: 'A site is created from its repository or from a version, not from both. Omit "migrate" or "restoreVersion".',
    path: ['migrate'],
  })
  .refine(({ replace }) => replace !== false, {
    error: 'POST replaces a site completely. PUT keeps the parts that the body does not name.',
    path: ['replace'],
  });

function namesWhatIsMigrated(query: { migrate?: boolean | undefined; owner?: string | undefined; repo?: string | undefined }): boolean {
  return query.migrate === true || (query.owner === undefined && query.repo === undefined);
}

const MIGRATION_ERRORS = ['MIGRATION_NOT_POSSIBLE', 'CODE_HOST_UNREACHABLE'] as const;

const site = { path: '/config/{org}/sites/{site}.json', params: SiteParams, tag: 'Sites', preconditions: true } as const;
const robots = { path: '/config/{org}/sites/{site}/robots.txt', params: SiteParams, tag: 'Sites', preconditions: true } as const;
const group = {
  path: '/config/{org}/sites/{site}/groups/{group}.json',
  params: SiteParams.extend({ group: GroupName }),
  tag: 'Sites',
  preconditions: true,
} as const;
const read = { method: 'GET', query: NO_QUERY } as const;

export const siteEndpoints = {
  listSites: endpoint({
    method: 'GET',
    path: '/config/{org}/sites.json',
    params: OrgParams,
    query: z.object({
      details: FLAG.optional(),
      limit: integer(1, 1000).optional(),
      after: z.string().max(200).optional(),
    }),
    permission: 'org:read',
    answers: { 200: answer('the sites by name; a `link` header with rel="next" if there are more', SiteList) },
    errors: ORG_ERRORS,
    tag: 'Sites',
    summary: 'List the sites of an organization',
  }),
  getSite: endpoint({
    method: 'GET',
    ...site,
    query: GetSiteQuery,
    permission: 'config:read',
    answers: {
      200: answer(
        'the site configuration; with ?migrate=true, the one that its repository proposes, for callers who administer the configuration; nothing is stored',
        Site,
      ),
    },
    errors: [...SITE_READ_ERRORS, ...MIGRATION_ERRORS, 'BODY_INVALID', 'HOST_LABEL_TOO_LONG', 'CONTENT_ADDRESS_MISMATCH'],
    summary: 'Read a site configuration, or the one that its repository proposes',
    warns: true,
  }),
  putSite: endpoint({
    method: 'PUT',
    ...site,
    query: PutSiteQuery,
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('updated or replaced, or unchanged if nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...SOURCE_ERRORS, ...MIGRATION_ERRORS],
    summary: 'Create a site, update the parts that the body names, or (?migrate=true, no body) take it from its repository',
    call: 1,
    warns: true,
  }),
  postSite: endpoint({
    method: 'POST',
    ...site,
    query: PostSiteQuery,
    body: json(SiteInput, true),
    permission: 'config:write',
    answers: { 200: stored('replaced, restored, or unchanged if nothing differs', Site), 201: stored('created', Site) },
    errors: [...SITE_WRITE_ERRORS, ...SOURCE_ERRORS, ...MIGRATION_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    summary: 'Create a further site for the same repository, replace a site completely, or restore a version of it',
    call: 2,
    warns: true,
  }),
  deleteSite: endpoint({
    method: 'DELETE',
    ...site,
    query: ChangeQuery,
    permission: 'site:delete',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...SITE_READ_ERRORS, 'SECRET_IN_USE', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    summary: 'Remove a site',
  }),
  getRobots: endpoint({
    ...read,
    ...robots,
    permission: 'config:read',
    answers: { 200: { description: 'the robots.txt of the live host', media: ['text/plain'], schema: z.string() } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read robots.txt',
  }),
  setRobots: endpoint({
    method: 'POST',
    ...robots,
    query: ChangeQuery,
    body: { media: ['text/plain', 'application/json'], schema: z.union([z.string(), Robots]), optional: true },
    permission: 'config:write',
    answers: { 200: { description: 'stored', media: ['text/plain', 'application/json'], schema: z.union([z.string(), DryRun]) } },
    errors: [...SITE_READ_ERRORS, ...WRITE_ERRORS, 'BODY_MISSING'],
    summary: 'Set robots.txt',
  }),
  deleteRobots: endpoint({
    method: 'DELETE',
    ...robots,
    query: ChangeQuery,
    permission: 'config:write',
    answers: removed,
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    summary: 'Remove robots.txt',
  }),
  getSiteGroup: endpoint({
    ...read,
    ...group,
    permission: 'people:read',
    answers: { 200: answer('the group', Group) },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read a group of a site',
  }),
  setSiteGroup: endpoint({
    method: 'POST',
    ...group,
    query: ConfirmQuery,
    body: json(Group),
    permission: 'access:write',
    answers: { 200: stored('the group', Group) },
    errors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND'],
    summary: 'Set a group of a site',
  }),
  deleteSiteGroup: endpoint({
    method: 'DELETE',
    ...group,
    query: ConfirmQuery,
    permission: 'access:write',
    answers: removed,
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'BODY_INVALID', 'PRECONDITION_FAILED', 'STORAGE_FULL', 'WOULD_LOCK_OUT'],
    summary: 'Remove a group of a site',
  }),
} as const;
