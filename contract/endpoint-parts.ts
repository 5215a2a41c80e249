import { z } from 'zod';
import type { Permission } from './access.ts';
import { ConsequenceOfSites } from './consequence.ts';
import { answer, FLAG, integer, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { OrgName, ProfileName, SiteName } from './names.ts';

export const OrgParams = z.object({ org: OrgName });
export const SiteParams = z.object({ org: OrgName, site: SiteName });
export const ProfileParams = OrgParams.extend({ profile: ProfileName });

/** The number of a version in an address or a query; no document has more versions than the maximum. */
export const VersionNumber = integer(1, 2_147_483_647, 'Write the number of a version.');

/** The name of a version; an empty name removes it. */
export const VersionName = z.string().trim().max(200, 'A version name has at most 200 characters.');

/** `?versionName=` names the version that the change makes. */
export const ChangeQuery = WRITE_QUERY.extend({ versionName: VersionName.min(1).optional() });
/** `?confirm=true` allows a change that takes the administration of the site from its caller. */
export const ConfirmQuery = ChangeQuery.extend({ confirm: FLAG.optional() });
/** `?unchecked=true`, for operators only: the code source is stored without checking that it exists. */
export const SourceQuery = ConfirmQuery.extend({ unchecked: FLAG.optional() });
/** `?restoreVersion=` restores a version, without a body. */
export const RestoreQuery = SourceQuery.extend({ restoreVersion: VersionNumber.optional() });

export const PatchOperation = z.looseObject({ op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']), path: z.string() });
export const Patch = z.array(PatchOperation);
export type Patch = z.infer<typeof Patch>;

/**
 * The answer to a write with `?dryRun=true`: the status and body that the write would have, and the difference to what is stored. Values
 * that are generated each time (a secret, the identifier of a key or job) are omitted.
 */
export const DryRun = z.object({
  dryRun: z.literal(true),
  status: z.number().int(),
  result: z.unknown(),
  diff: Patch,
  /** What `x-warning` would say. */
  warnings: z.array(z.string()).optional(),
  /** What the change of a site, profile or organization does to people and visitors, the gravest first. */
  consequences: z.array(ConsequenceOfSites).optional(),
});
export type DryRun = z.infer<typeof DryRun>;

export const dryRun = answer('with ?dryRun=true: what would be stored and the difference', DryRun);
/** The answer to a write: the stored document, or that of a dry run. */
export const stored = (description: string, schema: z.ZodType) => answer(description, z.union([schema, DryRun]));
export const removed = { 200: dryRun, 204: { description: 'removed' } } as const;

/** Of calls to an organization. */
export const ORG_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;
export const SITE_WRITE_ERRORS = [
  ...WRITE_ERRORS,
  ...ORG_ERRORS,
  'HOST_LABEL_TOO_LONG',
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
  'WOULD_LOCK_OUT',
] as const;
export const SITE_READ_ERRORS = [...ORG_ERRORS, 'SITE_NOT_FOUND'] as const;

/** Of writes that may change the code source. */
export const SOURCE_ERRORS = [
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'REPOSITORY_NOT_READY',
  'CODE_HOST_UNREACHABLE',
  'BUILD_MANAGEMENT_UNREACHABLE',
] as const;

/**
 * The owner of a secret, site token or API key: a site, a profile (for the sites that extend it), or an organization (for all its sites).
 */
export interface OwnerRow<Params extends z.ZodObject> {
  readonly address: `/${string}`;
  readonly params: Params;
  readonly noun: string;
  readonly missing: readonly ErrorCode[];
  /** Permissions for secrets: only admins of the organization write those of several sites. */
  readonly read: Permission;
  readonly write: Permission;
}

export const OF_SITE = {
  address: '/config/{org}/sites/{site}',
  params: SiteParams,
  noun: 'a site',
  missing: SITE_READ_ERRORS,
  read: 'people:read',
  write: 'config:write',
} as const satisfies OwnerRow<typeof SiteParams>;

export const OF_PROFILE = {
  address: '/config/{org}/profiles/{profile}',
  params: ProfileParams,
  noun: 'a profile',
  missing: [...ORG_ERRORS, 'PROFILE_NOT_FOUND'],
  read: 'org:read',
  write: 'org:write',
} as const satisfies OwnerRow<typeof ProfileParams>;

export const OF_ORG = {
  address: '/config/{org}',
  params: OrgParams,
  noun: 'an organization',
  missing: ORG_ERRORS,
  read: 'org:read',
  write: 'org:write',
} as const satisfies OwnerRow<typeof OrgParams>;
