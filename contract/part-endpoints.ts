import type { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import { PROFILE_READ_ERRORS, PROFILE_WRITE_ERRORS } from './profile-endpoints.ts';
import { ProfileParams } from './profile-params.ts';
import type { ProfilePart } from './profile.ts';
import { dryRun, json, SITE_READ_ERRORS, SITE_WRITE_ERRORS, SiteParams, SOURCE_ERRORS, stored } from './site-endpoints.ts';
import { ConfirmQuery, SourceQuery } from './site-query.ts';
import { SHOWN_PARTS, SITE_PARTS } from './site.ts';
import type { SitePart } from './site.ts';

/** Of the ten calls (docs/contract.md 1.1), those that set a part. */
const PART_CALLS: Partial<Record<SitePart, number>> = { public: 3, access: 4, code: 5 };

/** The three calls of one part of a site, e.g. `access/admin`. */
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

/** The same for a profile; only administrators of the organization decide who administers it. */
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
  const path = `${owner.address}/${part}.json` as const;
  // Whether another code source may come to hold by a change of this part.
  const bringsCode = part === 'code' || part === 'extends';
  const query = bringsCode ? SourceQuery : ConfirmQuery;
  const writeErrors = bringsCode ? [...owner.writeErrors, ...SOURCE_ERRORS] : owner.writeErrors;
  return {
    get: endpoint({
      method: 'GET',
      path,
      params,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the part', media: ['application/json'], schema: SHOWN_PARTS[part] ?? schema } },
      errors: [...owner.readErrors, 'PART_NOT_FOUND'],
      tag,
      summary: `Read ${part} of a ${noun}`,
      preconditions: true,
    }),
    set: endpoint({
      method: 'POST',
      path,
      params,
      query,
      body: json(schema),
      permission: owner.write,
      answers: { 200: stored('the part as it is stored', schema) },
      errors: writeErrors,
      tag,
      summary: `Replace ${part} of a ${noun} whole`,
      ...(owner.call === undefined ? {} : { call: owner.call }),
      preconditions: true,
    }),
    remove: endpoint({
      method: 'DELETE',
      path,
      params,
      query,
      permission: owner.write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...writeErrors, 'PART_NOT_FOUND'],
      tag,
      summary: `Remove ${part} of a ${noun}`,
      preconditions: true,
    }),
  } as const;
}

/** It says who may do what, or who reads the hosts: never an open read. */
function isAboutPeople(part: SitePart): boolean {
  return part.startsWith('access') || part === 'groups';
}
