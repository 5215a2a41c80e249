import type { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import { PROFILE_READ_ERRORS, PROFILE_WRITE_ERRORS, ProfileParams } from './profile-endpoints.ts';
import type { ProfilePart } from './profile.ts';
import { ConfirmQuery, dryRun, json, SITE_READ_ERRORS, SITE_WRITE_ERRORS, SiteParams, stored } from './site-endpoints.ts';
import { SITE_PARTS } from './site.ts';
import type { SitePart } from './site.ts';

const PART_RULES: Partial<Record<SitePart, string>> = { public: 'call 3', access: 'call 4', code: 'call 5' };

/** The three calls of one part of a site, e.g. `access/admin`. */
export function partEndpoints<P extends SitePart>(part: P) {
  const rule = PART_RULES[part];
  return partRows(part, {
    address: '/config/{org}/sites/{site}',
    params: SiteParams,
    noun: 'site',
    tag: 'Sites',
    read: part.startsWith('access') ? 'people:read' : 'config:read',
    write: isAboutPeople(part) ? 'access:write' : 'config:write',
    readErrors: SITE_READ_ERRORS,
    writeErrors: [...SITE_WRITE_ERRORS, 'SITE_NOT_FOUND'],
    ...(rule === undefined ? {} : { rule }),
  });
}

/** The same of a profile, whose administrators its organization's administrators alone decide. */
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
  readonly rule?: string;
}

function partRows<P extends SitePart, Params extends z.ZodObject>(part: P, owner: Owner<Params>) {
  const schema = SITE_PARTS[part] as (typeof SITE_PARTS)[P];
  const { params, tag, noun } = owner;
  const path = `${owner.address}/${part}.json` as const;
  return {
    get: endpoint({
      method: 'GET',
      path,
      params,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the part', media: ['application/json'], schema } },
      errors: [...owner.readErrors, 'PART_NOT_FOUND'],
      tag,
      summary: `Read ${part} of a ${noun}`,
      preconditions: true,
    }),
    set: endpoint({
      method: 'POST',
      path,
      params,
      query: ConfirmQuery,
      body: json(schema),
      permission: owner.write,
      answers: { 200: stored('the part as it is stored', schema) },
      errors: owner.writeErrors,
      tag,
      summary: `Replace ${part} of a ${noun} whole`,
      ...(owner.rule === undefined ? {} : { rule: owner.rule }),
      preconditions: true,
    }),
    remove: endpoint({
      method: 'DELETE',
      path,
      params,
      query: ConfirmQuery,
      permission: owner.write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...owner.writeErrors, 'PART_NOT_FOUND'],
      tag,
      summary: `Remove ${part} of a ${noun}`,
      preconditions: true,
    }),
  } as const;
}

function isAboutPeople(part: SitePart): boolean {
  return part === 'access' || part === 'access/admin';
}
