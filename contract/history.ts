import { z } from 'zod';
import type { Permission } from './access.ts';
import { DryRun, ORG_ERRORS, OrgParams, Patch, ProfileParams, SiteParams, VersionName, VersionNumber } from './endpoint-parts.ts';
import { answer, endpoint, integer, json, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { Org } from './org.ts';
import { Profile, Site } from './site.ts';

export const VersionEntry = z.object({
  version: z.number().int().positive(),
  created: z.iso.datetime(),
  name: z.string().optional(),
  user: z.string().optional(),
  /** The version that was restored with this one. */
  restoredFrom: z.number().int().positive().optional(),
  /** Set by a service in front of the hosted one: the change was not made through it. */
  elsewhere: z.literal(true).optional(),
});
export type VersionEntry = z.infer<typeof VersionEntry>;

/** All versions, oldest first, or a page of them, newest first. `current` is absent if the site or profile is deleted. */
export const VersionList = z.object({ current: z.number().int().optional(), versions: z.array(VersionEntry) });
export type VersionList = z.infer<typeof VersionList>;

/** `data` is null if the version records the deletion of the site. */
export const Version = VersionEntry.extend({ data: Site.nullable() });
export type Version = z.infer<typeof Version>;

export const ProfileVersion = VersionEntry.extend({ data: Profile.nullable() });
export const OrgVersion = VersionEntry.extend({ data: Org.nullable() });

export const VersionNaming = z.strictObject({ name: VersionName });

/** One page of versions: at most `limit`, with numbers below `before`. */
const PageQuery = z.object({ limit: integer(1, 1000).optional(), before: VersionNumber.optional() });

interface Kind<Base extends string, Params extends z.ZodRawShape, Data extends z.ZodType, Missing extends ErrorCode> {
  /** The address of the document, without the leading slash and `.json`. */
  readonly base: Base;
  readonly params: Params;
  readonly version: Data;
  readonly read: Permission;
  readonly name: Permission;
  readonly remove: Permission;
  readonly missing: readonly Missing[];
  /** Its name in a sentence: `a site`. */
  readonly noun: string;
}

/** The calls of a history, the same for every kind of document that has one. */
function versionEndpoints<Base extends string, Params extends z.ZodRawShape, Data extends z.ZodType, Missing extends ErrorCode>(
  kind: Kind<Base, Params, Data, Missing>,
) {
  const { base, noun } = kind;
  const reading = { method: 'GET', permission: kind.read, tag: 'History', preconditions: true } as const;
  const readErrors = [...ORG_ERRORS, ...kind.missing] as const;
  const one = {
    path: `/${base}/versions/{version}.json` as const,
    params: z.object({ ...kind.params, version: VersionNumber }),
    tag: 'History',
    preconditions: true,
  } as const;
  return {
    list: endpoint({
      ...reading,
      path: `/${base}/versions.json` as const,
      params: z.object(kind.params),
      query: PageQuery,
      answers: {
        200: answer(
          'all versions, oldest first; with ?limit or ?before, one page, newest first, and a `link` header with rel="next" if there are more',
          VersionList,
        ),
      },
      errors: readErrors,
      summary: `List the versions of ${noun}`,
    }),
    // Before `get`: the address of one version would also match that of two.
    compare: endpoint({
      ...reading,
      path: `/${base}/versions/{from}...{to}.json` as const,
      params: z.object({ ...kind.params, from: VersionNumber, to: VersionNumber }),
      query: NO_QUERY,
      answers: { 200: answer('the patch from one version to the other, without the times that the service sets', Patch) },
      errors: [...readErrors, 'VERSION_NOT_FOUND'],
      summary: `Compare two versions of ${noun}`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: kind.read,
      answers: { 200: answer('one version with its data', kind.version) },
      errors: [...readErrors, 'VERSION_NOT_FOUND'],
      summary: `Read a version of ${noun}`,
    }),
    name: endpoint({
      method: 'POST',
      ...one,
      query: WRITE_QUERY.extend({ name: VersionName.optional() }),
      body: json(VersionNaming, true),
      permission: kind.name,
      answers: { 200: answer('the version with its name; an empty name removes it', z.union([VersionEntry, DryRun])) },
      errors: [...readErrors, ...WRITE_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND'],
      summary: `Name a version of ${noun}; named versions are not removed automatically`,
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      query: WRITE_QUERY,
      permission: kind.remove,
      answers: { 200: answer('with ?dryRun=true: what would be removed', DryRun), 204: { description: 'removed' } },
      errors: [...readErrors, 'VERSION_NOT_FOUND', 'VERSION_IS_CURRENT'],
      summary: `Remove a version of ${noun} that is not the current one`,
    }),
  } as const;
}

const site = versionEndpoints({
  base: 'config/{org}/sites/{site}',
  params: SiteParams.shape,
  version: Version,
  read: 'people:read',
  name: 'config:write',
  remove: 'site:delete',
  missing: ['SITE_NOT_FOUND'],
  noun: 'a site',
});
const profile = versionEndpoints({
  base: 'config/{org}/profiles/{profile}',
  params: ProfileParams.shape,
  version: ProfileVersion,
  read: 'org:read',
  name: 'org:configure',
  remove: 'org:write',
  missing: ['PROFILE_NOT_FOUND'],
  noun: 'a profile',
});
const org = versionEndpoints({
  base: 'config/{org}',
  params: OrgParams.shape,
  version: OrgVersion,
  read: 'org:read',
  name: 'org:write',
  remove: 'org:write',
  missing: [],
  noun: 'an organization',
});

/** The histories of organizations, profiles and sites (docs/contract.md 3.10). */
export const historyEndpoints = {
  listVersions: site.list,
  compareVersions: site.compare,
  getVersion: site.get,
  nameVersion: site.name,
  deleteVersion: site.remove,
  listProfileVersions: profile.list,
  compareProfileVersions: profile.compare,
  getProfileVersion: profile.get,
  nameProfileVersion: profile.name,
  deleteProfileVersion: profile.remove,
  listOrgVersions: org.list,
  compareOrgVersions: org.compare,
  getOrgVersion: org.get,
  nameOrgVersion: org.name,
  deleteOrgVersion: org.remove,
} as const;
