import { z } from 'zod';
import type { Permission } from './access.ts';
import {
  ChangeQuery,
  ConfirmQuery,
  DryRun,
  OF_PROFILE,
  OF_SITE,
  ProfileParams,
  removed,
  SITE_READ_ERRORS,
  SITE_WRITE_ERRORS,
  SiteParams,
  SOURCE_ERRORS,
  SourceQuery,
  stored,
} from './endpoint-parts.ts';
import { answer, endpoint, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { Json } from './json.ts';
import { PROFILE_READ_ERRORS, PROFILE_WRITE_ERRORS } from './profile-endpoints.ts';
import { EditorEntry, EditorName, type SiteYamlName, siteYamlPath, YamlText } from './site-parts.ts';
import { type ProfilePart, SHOWN_PARTS, SITE_PARTS, type SitePart } from './site.ts';

/** Those of the ten calls (docs/contract.md 1.1) that set a part. */
const PART_CALLS: Partial<Record<SitePart, number>> = { public: 3, access: 4, code: 5 };

/** The calls of one part of a site, e.g. `access/admin`. */
export function partEndpoints<P extends SitePart>(part: P) {
  const call = PART_CALLS[part];
  return partRows(part, {
    address: '/config/{org}/sites/{site}',
    params: SiteParams,
    noun: 'site',
    tag: 'Sites',
    read: isAboutPeople(part) ? 'people:read' : 'config:read',
    write: isAboutPeople(part) ? 'access:write' : 'config:write',
    readErrors: SITE_READ_ERRORS,
    writeErrors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND'],
    ...(call === undefined ? {} : { call }),
  });
}

/** The calls of a part of a profile. Only administrators of the organization decide who administers it. */
export function profilePartEndpointsOf<P extends ProfilePart>(part: P) {
  return partRows(part, {
    address: '/config/{org}/profiles/{profile}',
    params: ProfileParams,
    noun: 'profile',
    tag: 'Profiles',
    read: 'org:read',
    write: isAboutPeople(part) ? 'org:write' : 'org:configure',
    readErrors: PROFILE_READ_ERRORS,
    writeErrors: [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND'],
  });
}

interface Owner<Params extends z.ZodObject> {
  readonly address: `/${string}`;
  readonly params: Params;
  readonly noun: 'site' | 'profile';
  readonly tag: 'Sites' | 'Profiles';
  readonly read: Permission;
  readonly write: Permission;
  readonly readErrors: readonly ErrorCode[];
  readonly writeErrors: readonly ErrorCode[];
  readonly call?: number;
}

function partRows<P extends SitePart, Params extends z.ZodObject>(part: P, owner: Owner<Params>) {
  const schema = SITE_PARTS[part] as (typeof SITE_PARTS)[P];
  const { params, tag, noun } = owner;
  const common = { path: `${owner.address}/${part}.json`, params, tag, preconditions: true } as const;
  // Whether changing this part can make another code source effective.
  const bringsCode = part === 'code' || part === 'extends';
  const query = bringsCode ? SourceQuery : ConfirmQuery;
  const writeErrors = bringsCode ? [...owner.writeErrors, ...SOURCE_ERRORS] : owner.writeErrors;
  return {
    get: endpoint({
      method: 'GET',
      ...common,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the part', media: ['application/json'], schema: SHOWN_PARTS[part] ?? schema } },
      errors: [...owner.readErrors, 'PART_NOT_FOUND'],
      summary: `Read ${part} of a ${noun}`,
    }),
    set: endpoint({
      method: 'POST',
      ...common,
      query,
      body: json(schema),
      permission: owner.write,
      answers: { 200: stored('the part as it is stored', schema) },
      errors: writeErrors,
      summary: `Replace ${part} of a ${noun}`,
      ...(owner.call === undefined ? {} : { call: owner.call }),
    }),
    remove: endpoint({
      method: 'DELETE',
      ...common,
      query,
      permission: owner.write,
      answers: removed,
      errors: [...writeErrors, 'PART_NOT_FOUND'],
      summary: `Remove ${part} of a ${noun}`,
    }),
  } as const;
}

/** Whether the part names people with roles or readers of the hosts: never an open read. */
function isAboutPeople(part: SitePart): boolean {
  return part.startsWith('access') || part === 'groups';
}

const YAML = ['text/yaml', 'application/yaml', 'text/x-yaml', 'application/x-yaml', 'text/plain'] as const;

/** The definition of a site's indexes, and that of its sitemaps (docs/contract.md 3.14). */
export const siteYamlEndpoints = {
  getSiteQueryYaml: reading('query'),
  putSiteQueryYaml: writing('query', 'PUT'),
  postSiteQueryYaml: writing('query', 'POST'),
  deleteSiteQueryYaml: removing('query'),
  getSiteSitemapYaml: reading('sitemap'),
  putSiteSitemapYaml: writing('sitemap', 'PUT'),
  postSiteSitemapYaml: writing('sitemap', 'POST'),
  deleteSiteSitemapYaml: removing('sitemap'),
} as const;

function yamlRow<N extends SiteYamlName>(name: N) {
  return { path: `/config/{org}/sites/{site}/content/${name}.yaml`, params: SiteParams, tag: 'Sites', preconditions: true } as const;
}

function reading(name: SiteYamlName) {
  return endpoint({
    method: 'GET',
    ...yamlRow(name),
    query: NO_QUERY,
    permission: 'config:read',
    answers: {
      200: { description: `the text, as the hosts serve it at ${siteYamlPath(name)}`, media: ['text/yaml'], schema: z.string() },
    },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: `Read ${name}.yaml of a site`,
  });
}

function writing<M extends 'PUT' | 'POST'>(name: SiteYamlName, method: M) {
  return endpoint({
    method,
    ...yamlRow(name),
    query: ChangeQuery,
    body: { media: YAML, schema: YamlText, optional: true },
    permission: 'config:write',
    answers: {
      200: { description: 'stored as sent', media: ['text/yaml', 'application/json'], schema: z.union([z.string(), DryRun]) },
      201: { description: 'created', media: ['text/yaml'], schema: z.string() },
    },
    errors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND', 'BODY_MISSING'],
    summary: `Set ${name}.yaml of a site`,
  });
}

function removing(name: SiteYamlName) {
  return endpoint({
    method: 'DELETE',
    ...yamlRow(name),
    query: ChangeQuery,
    permission: 'config:write',
    answers: removed,
    errors: [...SITE_READ_ERRORS, ...WRITE_ERRORS, 'PART_NOT_FOUND'],
    summary: `Remove ${name}.yaml of a site`,
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

/** The entries of the part `editor`, which is stored for editors and has no effect here. */
export const editorEndpoints = {
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
      answers: { 200: answer('the entry', Json) },
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
      answers: removed,
      errors: [...missing, ...writeErrors, 'PART_NOT_FOUND'],
      summary: `Remove one editor configuration of ${noun}`,
    }),
  } as const;
}
