import { z } from 'zod';
import { Group, GroupName } from './access.ts';
import { endpoint, FLAG, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { DryRun } from './history.ts';
import { ProfileList } from './profile.ts';
import { ProfileParams } from './profile-params.ts';
import { Profile, ProfileInput, Robots } from './site.ts';
import { dryRun, json, OrgParams, SOURCE_ERRORS, stored } from './site-endpoints.ts';
import { ChangeQuery, ConfirmQuery, RestoreQuery, SourceQuery } from './site-query.ts';

const GroupParams = ProfileParams.extend({ group: GroupName });

const REFUSED = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;
export const PROFILE_READ_ERRORS = [...REFUSED, 'PROFILE_NOT_FOUND'] as const;
/** A write changes the sites that extend the profile, and is refused with what one of them would be refused with. */
export const PROFILE_WRITE_ERRORS = [
  ...WRITE_ERRORS,
  ...REFUSED,
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
] as const;
const REMOVE_ERRORS = [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'PART_NOT_FOUND'] as const;

const path = '/config/{org}/profiles/{profile}.json' as const;
const tag = 'Profiles';

export const profileEndpoints = {
  listProfiles: endpoint({
    method: 'GET',
    path: '/config/{org}/profiles.json',
    params: OrgParams,
    query: z.object({ details: FLAG.optional() }),
    permission: 'org:read',
    answers: { 200: { description: 'the profiles, sorted by name', media: ['application/json'], schema: ProfileList } },
    errors: REFUSED,
    tag,
    summary: 'List the profiles of an organization',
  }),
  getProfile: endpoint({
    method: 'GET',
    path,
    params: ProfileParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: { description: 'the profile', media: ['application/json'], schema: Profile } },
    errors: PROFILE_READ_ERRORS,
    tag,
    summary: 'Read a profile',
    preconditions: true,
  }),
  putProfile: endpoint({
    method: 'PUT',
    path,
    params: ProfileParams,
    query: SourceQuery,
    body: json(ProfileInput),
    permission: 'org:configure',
    answers: { 200: stored('replaced, or unchanged where nothing differs', Profile), 201: stored('created', Profile) },
    errors: [...PROFILE_WRITE_ERRORS, ...SOURCE_ERRORS],
    tag,
    summary: 'Create or replace a profile, and so the effective configuration of the sites that extend it',
    preconditions: true,
  }),
  postProfile: endpoint({
    method: 'POST',
    path,
    params: ProfileParams,
    query: RestoreQuery,
    body: json(ProfileInput, true),
    permission: 'org:configure',
    answers: { 200: stored('replaced, restored, or unchanged where nothing differs', Profile), 201: stored('created', Profile) },
    errors: [...PROFILE_WRITE_ERRORS, ...SOURCE_ERRORS, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    tag,
    summary: 'Create or replace a profile, or restore a version of it',
    preconditions: true,
  }),
  deleteProfile: endpoint({
    method: 'DELETE',
    path,
    params: ProfileParams,
    query: ChangeQuery,
    permission: 'org:write',
    answers: { 200: dryRun, 204: { description: 'removed; its history is kept' } },
    errors: [...PROFILE_READ_ERRORS, 'PROFILE_IN_USE', 'PRECONDITION_FAILED', 'STORAGE_FULL'],
    tag,
    summary: 'Remove a profile that no site extends',
    preconditions: true,
  }),
  getProfileRobots: endpoint({
    method: 'GET',
    path: '/config/{org}/profiles/{profile}/robots.txt',
    params: ProfileParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: { description: 'the robots.txt of sites without their own', media: ['text/plain'], schema: z.string() } },
    errors: [...PROFILE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: 'Read robots.txt of a profile',
    preconditions: true,
  }),
  setProfileRobots: endpoint({
    method: 'POST',
    path: '/config/{org}/profiles/{profile}/robots.txt',
    params: ProfileParams,
    query: ChangeQuery,
    body: { media: ['text/plain', 'application/json'], schema: z.union([z.string(), Robots]), optional: true },
    permission: 'org:configure',
    answers: { 200: { description: 'stored', media: ['text/plain', 'application/json'], schema: z.union([z.string(), DryRun]) } },
    errors: [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'BODY_MISSING'],
    tag,
    summary: 'Set robots.txt of a profile',
    preconditions: true,
  }),
  deleteProfileRobots: endpoint({
    method: 'DELETE',
    path: '/config/{org}/profiles/{profile}/robots.txt',
    params: ProfileParams,
    query: ChangeQuery,
    permission: 'org:configure',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: REMOVE_ERRORS,
    tag,
    summary: 'Remove robots.txt of a profile',
    preconditions: true,
  }),
  getProfileGroup: endpoint({
    method: 'GET',
    path: '/config/{org}/profiles/{profile}/groups/{group}.json',
    params: GroupParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: { description: 'the group', media: ['application/json'], schema: Group } },
    errors: [...PROFILE_READ_ERRORS, 'PART_NOT_FOUND'],
    tag,
    summary: 'Read a group of a profile',
    preconditions: true,
  }),
  setProfileGroup: endpoint({
    method: 'POST',
    path: '/config/{org}/profiles/{profile}/groups/{group}.json',
    params: GroupParams,
    query: ConfirmQuery,
    body: json(Group),
    permission: 'org:write',
    answers: { 200: stored('the group', Group) },
    errors: [...PROFILE_WRITE_ERRORS, 'PROFILE_NOT_FOUND'],
    tag,
    summary: 'Set a group of a profile',
    preconditions: true,
  }),
  deleteProfileGroup: endpoint({
    method: 'DELETE',
    path: '/config/{org}/profiles/{profile}/groups/{group}.json',
    params: GroupParams,
    query: ConfirmQuery,
    permission: 'org:write',
    answers: { 200: dryRun, 204: { description: 'removed' } },
    errors: REMOVE_ERRORS,
    tag,
    summary: 'Remove a group of a profile',
    preconditions: true,
  }),
} as const;
