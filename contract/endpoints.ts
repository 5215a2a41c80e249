import { z } from 'zod';
import { aggregateEndpoints } from './aggregate-endpoints.ts';
import { apiKeyEndpoints } from './api-key-endpoints.ts';
import { assistantEndpoints } from './assistant-endpoints.ts';
import { auditEndpoints } from './audit-endpoints.ts';
import { authoringEndpoints } from './authoring-endpoints.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { codeCheckEndpoints } from './code-check-endpoints.ts';
import { type Endpoint, endpoint, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { eventEndpoints } from './event-endpoints.ts';
import { historyEndpoints } from './history-endpoints.ts';
import { DryRun } from './history.ts';
import { jobEndpoints } from './job-endpoints.ts';
import { Json } from './json.ts';
import { EditorEntry, EditorName } from './opaque-parts.ts';
import { operatorEndpoints } from './operator-endpoints.ts';
import { orgEndpoints } from './org-endpoints.ts';
import { OF_PROFILE, OF_SITE } from './owners.ts';
import { partEndpoints, profilePartEndpointsOf } from './part-endpoints.ts';
import { peopleEndpoints } from './people-endpoints.ts';
import type { Permission } from './permissions.ts';
import { PROFILE_WRITE_ERRORS, profileEndpoints } from './profile-endpoints.ts';
import { PROFILE_PART_NAMES, type ProfilePart } from './profile.ts';
import { rolloutEndpoints } from './rollout-endpoints.ts';
import { secretEndpoints } from './secret-endpoints.ts';
import { serviceEndpoints } from './service-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { dryRun, json, SITE_READ_ERRORS, SITE_WRITE_ERRORS, siteEndpoints, SiteParams, stored } from './site-endpoints.ts';
import { ChangeQuery } from './site-query.ts';
import { siteTokenEndpoints } from './site-token-endpoints.ts';
import { type SiteYamlName, siteYamlPath, YamlText } from './site-yaml.ts';
import { SITE_PART_NAMES, type SitePart } from './site.ts';
import { statusEndpoints } from './status-endpoints.ts';

const YAML = ['text/yaml', 'application/yaml', 'text/x-yaml', 'application/x-yaml', 'text/plain'] as const;
const answered = ['text/yaml', 'application/json'] as const;
const errors = [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND', 'BODY_MISSING'] as const;
const tag = 'Sites' as const;

/** The definition of a site's indexes, and that of its sitemaps (docs/contract.md 3.14). */
const siteYamlEndpoints = {
  getSiteQueryYaml: reading('query'),
  putSiteQueryYaml: writing('query', 'PUT'),
  postSiteQueryYaml: writing('query', 'POST'),
  deleteSiteQueryYaml: removing('query'),
  getSiteSitemapYaml: reading('sitemap'),
  putSiteSitemapYaml: writing('sitemap', 'PUT'),
  postSiteSitemapYaml: writing('sitemap', 'POST'),
  deleteSiteSitemapYaml: removing('sitemap'),
} as const;

function addressOf<N extends SiteYamlName>(name: N) {
  return { path: `/config/{org}/sites/{site}/content/${name}.yaml`, params: SiteParams } as const;
}

function reading(name: SiteYamlName) {
  return endpoint({
    method: 'GET',
    ...addressOf(name),
    query: NO_QUERY,
    permission: 'config:read',
    answers: {
      200: { description: `the text, as the hosts serve it at ${siteYamlPath(name)}`, media: ['text/yaml'], schema: z.string() },
    },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: `Read ${name}.yaml of a site`,
    preconditions: true,
  });
}

function writing<M extends 'PUT' | 'POST'>(name: SiteYamlName, method: M) {
  return endpoint({
    method,
    ...addressOf(name),
    query: ChangeQuery,
    body: { media: YAML, schema: YamlText, optional: true },
    permission: 'config:write',
    answers: {
      200: { description: 'stored, as it was sent', media: answered, schema: z.union([z.string(), DryRun]) },
      201: { description: 'made', media: ['text/yaml'], schema: z.string() },
    },
    errors,
    tag,
    summary: `Set ${name}.yaml of a site`,
    preconditions: true,
  });
}

function removing(name: SiteYamlName) {
  return endpoint({
    method: 'DELETE',
    ...addressOf(name),
    query: ChangeQuery,
    permission: 'config:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: [...SITE_READ_ERRORS, ...WRITE_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: `Remove ${name}.yaml of a site`,
    preconditions: true,
  });
}

const name = { name: EditorName };
const ofSite = editorRows(OF_SITE, {
  params: OF_SITE.params.extend(name),
  read: 'config:read',
  write: 'config:write',
  tag: 'Sites',
  writeErrors: SITE_WRITE_ERRORS,
});
const ofProfile = editorRows(OF_PROFILE, {
  params: OF_PROFILE.params.extend(name),
  read: 'org:read',
  write: 'org:configure',
  tag: 'Profiles',
  writeErrors: PROFILE_WRITE_ERRORS,
});

/** The entries of the part `editor`, which is kept for editors and means nothing here. */
const editorEndpoints = {
  getSiteEditorEntry: ofSite.get,
  setSiteEditorEntry: ofSite.set,
  deleteSiteEditorEntry: ofSite.remove,
  getProfileEditorEntry: ofProfile.get,
  setProfileEditorEntry: ofProfile.set,
  deleteProfileEditorEntry: ofProfile.remove,
} as const;

interface EditorRow<Params extends z.ZodObject> {
  readonly params: Params;
  readonly read: Permission;
  readonly write: Permission;
  readonly tag: 'Sites' | 'Profiles';
  readonly writeErrors: readonly ErrorCode[];
}

function editorRows<Params extends z.ZodObject>(
  { address, missing, noun }: Pick<typeof OF_SITE | typeof OF_PROFILE, 'address' | 'missing' | 'noun'>,
  { params, read, write, tag, writeErrors }: EditorRow<Params>,
) {
  const common = { path: `${address}/editor/{name}.json`, params, tag, preconditions: true } as const;
  return {
    get: endpoint({
      ...common,
      method: 'GET',
      query: NO_QUERY,
      permission: read,
      answers: { 200: { description: 'the entry', media: ['application/json'], schema: Json } },
      errors: [...missing, 'PART_NOT_FOUND'],
      summary: `Read one editor configuration of ${noun}`,
    }),
    set: endpoint({
      ...common,
      method: 'POST',
      query: ChangeQuery,
      body: json(EditorEntry),
      permission: write,
      answers: { 200: stored('the entry', EditorEntry) },
      errors: [...missing, ...writeErrors],
      summary: `Set one editor configuration of ${noun}`,
    }),
    remove: endpoint({
      ...common,
      method: 'DELETE',
      query: ChangeQuery,
      permission: write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...missing, ...writeErrors, 'PART_NOT_FOUND'],
      summary: `Remove one editor configuration of ${noun}`,
    }),
  } as const;
}

/** THE table: every call of the service but the calls of the parts of a site, by its identifier. */
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
/** The calls of every part of a site: `sitePartEndpoints['access/admin'].set`. */
export const sitePartEndpoints = Object.fromEntries(SITE_PART_NAMES.map((part) => [part, partEndpoints(part)])) as Parts;

type ProfileParts = { [P in ProfilePart]: ReturnType<typeof profilePartEndpointsOf<P>> };
/** The calls of every part of a profile. */
export const profilePartEndpoints = Object.fromEntries(
  PROFILE_PART_NAMES.map((part) => [part, profilePartEndpointsOf(part)]),
) as ProfileParts;

const PART_OPERATIONS = { get: 'get', set: 'set', remove: 'delete' } as const;
export type PartOperation = keyof typeof PART_OPERATIONS;

/** The identifier of the call of a part: `setSiteAccessAdmin` sets `access/admin` of a site. */
export function partEndpointId(owner: 'Site' | 'Profile', part: SitePart, operation: PartOperation): string {
  // robots.txt has calls of its own.
  const words = (part === 'robots' ? 'robots/json' : part).split('/').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${PART_OPERATIONS[operation]}${owner}${words.join('')}`;
}

/** Every row with its identifier, of letters alone: `getSite`, `setSiteAccessAdmin` for a part, `setProfileAccessAdmin` for one of a profile. */
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
