import { z } from 'zod';
import { Group, GroupName } from './access.ts';
import {
  ChangeQuery,
  ConfirmQuery,
  DryRun,
  dryRun,
  ORG_ERRORS,
  OrgParams,
  ProfileParams,
  removed,
  RestoreQuery,
  SITE_READ_ERRORS,
  SiteParams,
  SOURCE_ERRORS,
  SourceQuery,
  stored,
} from './endpoint-parts.ts';
import { answer, endpoint, FLAG, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { Profile, ProfileInput, ProfileList, Robots, Site } from './site.ts';

export const PROFILE_READ_ERRORS = [...ORG_ERRORS, 'PROFILE_NOT_FOUND'] as const;
/** A write changes the sites that extend the profile, and is refused if it would be refused for one of them. */
export const PROFILE_WRITE_ERRORS = [
  ...WRITE_ERRORS,
  ...ORG_ERRORS,
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
] as const;
const REMOVE_ERRORS = [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'PART_NOT_FOUND'] as const;

const tag = 'Profiles';

const profile = { path: '/config/{org}/profiles/{profile}.json', params: ProfileParams, tag, preconditions: true } as const;
const robots = { path: '/config/{org}/profiles/{profile}/robots.txt', params: ProfileParams, tag, preconditions: true } as const;
const group = {
  path: '/config/{org}/profiles/{profile}/groups/{group}.json',
  params: ProfileParams.extend({ group: GroupName }),
  tag,
  preconditions: true,
} as const;
const read = { method: 'GET', query: NO_QUERY, permission: 'org:read' } as const;
const aggregate = { method: 'GET', query: NO_QUERY, permission: 'aggregate:read', tag: 'Profiles', preconditions: true } as const;

export const profileEndpoints = {
  listProfiles: endpoint({
    method: 'GET',
    path: '/config/{org}/profiles.json',
    params: OrgParams,
    query: z.object({ details: FLAG.optional() }),
    permission: 'org:read',
    answers: { 200: answer('the profiles, sorted by name', ProfileList) },
    errors: ORG_ERRORS,
    tag,
    summary: 'List the profiles of an organization',
  }),
  getProfile: endpoint({
    ...read,
    ...profile,
    answers: { 200: answer('the profile', Profile) },
    errors: PROFILE_READ_ERRORS,
    summary: 'Read a profile',
  }),
  putProfile: endpoint({
    method: 'PUT',
    ...profile,
    query: SourceQuery,
    body: json(ProfileInput),
    permission: 'org:configure',
    answers: { 200: stored('replaced, or unchanged if nothing differs', Profile), 201: stored('created', Profile) },
    errors: [...PROFILE_WRITE_ERRORS, ...SOURCE_ERRORS],
    summary: 'Create or replace a profile, which changes the effective configuration of the sites that extend it',
  }),
  postProfile: endpoint({
    method: 'POST',
    ...profile,
    query: RestoreQuery,
    body: json(ProfileInput, true),
    permission: 'org:configure',
    answers: { 200: stored('replaced, restored, or unchanged if nothing differs', Profile), 201: stored('created', Profile) },
    errors: [...PROFILE_WRITE_ERRORS, ...SOURCE_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    summary: 'Create or replace a profile, or restore a version of it',
  }),
  deleteProfile: endpoint({
    method: 'DELETE',
    ...profile,
    query: ChangeQuery,
    permission: 'org:write',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...PROFILE_READ_ERRORS, 'PROFILE_IN_USE', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    summary: 'Remove a profile that no site extends',
  }),
  getProfileRobots: endpoint({
    ...read,
    ...robots,
    answers: { 200: { description: 'the robots.txt of sites without their own', media: ['text/plain'], schema: z.string() } },
    errors: [...PROFILE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read robots.txt of a profile',
  }),
  setProfileRobots: endpoint({
    method: 'POST',
    ...robots,
    query: ChangeQuery,
    body: { media: ['text/plain', 'application/json'], schema: z.union([z.string(), Robots]), optional: true },
    permission: 'org:configure',
    answers: { 200: { description: 'stored', media: ['text/plain', 'application/json'], schema: z.union([z.string(), DryRun]) } },
    errors: [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'BODY_MISSING'],
    summary: 'Set robots.txt of a profile',
  }),
  deleteProfileRobots: endpoint({
    method: 'DELETE',
    ...robots,
    query: ChangeQuery,
    permission: 'org:configure',
    answers: removed,
    errors: REMOVE_ERRORS,
    summary: 'Remove robots.txt of a profile',
  }),
  getProfileGroup: endpoint({
    ...read,
    ...group,
    answers: { 200: answer('the group', Group) },
    errors: [...PROFILE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read a group of a profile',
  }),
  setProfileGroup: endpoint({
    method: 'POST',
    ...group,
    query: ConfirmQuery,
    body: json(Group),
    permission: 'org:write',
    answers: { 200: stored('the group', Group) },
    errors: [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND'],
    summary: 'Set a group of a profile',
  }),
  deleteProfileGroup: endpoint({
    method: 'DELETE',
    ...group,
    query: ConfirmQuery,
    permission: 'org:write',
    answers: removed,
    errors: REMOVE_ERRORS,
    summary: 'Remove a group of a profile',
  }),
} as const;

/** The effective configuration of a site (docs/contract.md 3.12). */
export const aggregateEndpoints = {
  getAggregate: endpoint({
    ...aggregate,
    path: '/config/{org}/aggregated/{site}.json',
    params: SiteParams,
    answers: {
      200: answer(
        'the site merged over its profile, without people, keys and secrets for callers who do not administer its configuration',
        Site,
      ),
    },
    errors: SITE_READ_ERRORS,
    summary: 'Read the effective configuration of a site: its own merged over that of its profile',
  }),
  getAggregateRobots: endpoint({
    ...aggregate,
    path: '/config/{org}/aggregated/{site}/robots.txt',
    params: SiteParams,
    answers: { 200: { description: 'the robots.txt of the site, or that of its profile', media: ['text/plain'], schema: z.string() } },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read the effective robots.txt of a site',
  }),
  getAggregatePart: endpoint({
    ...aggregate,
    path: '/config/{org}/aggregated/{site}/{part*}',
    params: SiteParams.extend({ part: z.string() }),
    answers: { 200: answer('the part, e.g. at `cdn/prod.json`, as the complete aggregate shows it', z.unknown()) },
    errors: [...SITE_READ_ERRORS, 'PART_NOT_FOUND', 'PROPERTY_UNKNOWN', 'CONFIG_TYPE_INVALID'],
    summary: 'Read one part of the effective configuration of a site',
  }),
} as const;
