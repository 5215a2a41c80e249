import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import { ProfileParams } from './profile-params.ts';
import { OrgParams, SiteParams } from './site-endpoints.ts';

/** Whose a secret, a site token or an API key is, as the rows of its calls say it: a site's, a profile's (of the sites that extend it), or an organization's (of all its sites). */
export interface OwnerRow<Params extends z.ZodObject> {
  readonly address: `/${string}`;
  readonly params: Params;
  /** As in "of a site". */
  readonly noun: string;
  readonly missing: readonly ErrorCode[];
  /** What secrets are read and written with: those that are good for several sites are written by admins of the organization alone. */
  readonly read: Permission;
  readonly write: Permission;
}

const REFUSED = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;

export const OF_SITE = {
  address: '/config/{org}/sites/{site}',
  params: SiteParams,
  noun: 'a site',
  missing: [...REFUSED, 'SITE_NOT_FOUND'],
  read: 'people:read',
  write: 'config:write',
} as const satisfies OwnerRow<typeof SiteParams>;

export const OF_PROFILE = {
  address: '/config/{org}/profiles/{profile}',
  params: ProfileParams,
  noun: 'a profile',
  missing: [...REFUSED, 'PROFILE_NOT_FOUND'],
  read: 'org:read',
  write: 'org:write',
} as const satisfies OwnerRow<typeof ProfileParams>;

export const OF_ORG = {
  address: '/config/{org}',
  params: OrgParams,
  noun: 'an organization',
  missing: REFUSED,
  read: 'org:read',
  write: 'org:write',
} as const satisfies OwnerRow<typeof OrgParams>;
