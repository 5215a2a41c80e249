import { z } from 'zod';
import { Group, GroupName } from './access.ts';
import { assistantEndpoints } from './assistant.ts';
import { auditEndpoints } from './audit.ts';
import { authoringEndpoints } from './authoring.ts';
import { codeCheckEndpoints } from './code-check.ts';
import { apiKeyEndpoints, siteTokenEndpoints } from './credentials.ts';
import { ConfirmQuery, DryRun, ORG_ERRORS, OrgParams, removed } from './endpoint-parts.ts';
import { answer, type Endpoint, endpoint, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { eventEndpoints } from './event.ts';
import { historyEndpoints } from './history.ts';
import { jobEndpoints } from './job.ts';
import { operatorEndpoints } from './operator.ts';
import { OrgAdminAccess, orgEndpoints, OrgGroups, OrgUser, OrgUserInput, OrgUserInputList, OrgUserList } from './org.ts';
import { editorEndpoints, partEndpoints, profilePartEndpointsOf, siteYamlEndpoints } from './part-endpoints.ts';
import { aggregateEndpoints, profileEndpoints } from './profile-endpoints.ts';
import { rolloutEndpoints } from './rollout.ts';
import { secretEndpoints } from './secret.ts';
import { servedCodeEndpoints } from './served-code.ts';
import { serviceEndpoints } from './service.ts';
import { sessionEndpoints } from './session.ts';
import { checkEndpoints } from './site-check.ts';
import { siteEndpoints } from './site-endpoints.ts';
import { PROFILE_PART_NAMES, type ProfilePart, SITE_PART_NAMES, type SitePart } from './site.ts';
import { statusEndpoints } from './status.ts';

const UserParams = OrgParams.extend({ user: z.string().min(1).max(320) });
const GroupParams = OrgParams.extend({ group: GroupName });
const CHANGE_ERRORS = [...ORG_ERRORS, ...WRITE_ERRORS, 'WOULD_LOCK_OUT'] as const;
const REMOVE_ERRORS = [...ORG_ERRORS, 'BODY_INVALID', 'PRECONDITION_FAILED', 'STORAGE_FULL', 'WOULD_LOCK_OUT'] as const;

const user = { path: '/config/{org}/users/{user}.json', params: UserParams, tag: 'Organizations', preconditions: true } as const;
const users = { path: '/config/{org}/users.json', params: OrgParams, tag: 'Organizations', preconditions: true } as const;
const group = { path: '/config/{org}/groups/{group}.json', params: GroupParams, tag: 'Organizations', preconditions: true } as const;
const groups = { ...users, path: '/config/{org}/groups.json' } as const;
const access = { path: '/config/{org}/access/admin.json', params: OrgParams, tag: 'Organizations', preconditions: true } as const;
const read = { method: 'GET', query: NO_QUERY, permission: 'org:read' } as const;
const set = { method: 'POST', query: ConfirmQuery, permission: 'org:write' } as const;
const remove = { method: 'DELETE', query: ConfirmQuery, permission: 'org:write' } as const;

/** Users and groups of an organization: their roles apply to every site in it. */
const peopleEndpoints = {
  listOrgUsers: endpoint({
    ...users,
    ...read,
    answers: { 200: answer('the users', OrgUserList) },
    errors: ORG_ERRORS,
    summary: 'List the users of an organization',
  }),
  addOrgUser: endpoint({
    ...users,
    ...set,
    body: json(z.union([OrgUserInput, OrgUserInputList.min(1, 'Write at least one user.')])),
    answers: { 200: answer('the user, with its identifier, or the users of the list', z.union([OrgUser, OrgUserList, DryRun])) },
    errors: [...CHANGE_ERRORS, 'USER_EXISTS'],
    summary: 'Add a user or a list of users to an organization',
  }),
  getOrgUser: endpoint({
    ...user,
    ...read,
    answers: { 200: answer('the user', OrgUser) },
    errors: [...ORG_ERRORS, 'USER_NOT_FOUND'],
    summary: 'Read a user of an organization',
  }),
  setOrgUser: endpoint({
    ...user,
    ...set,
    body: json(OrgUserInput),
    answers: { 200: answer('the user as it is stored', z.union([OrgUser, DryRun])) },
    errors: [...CHANGE_ERRORS, 'USER_NOT_FOUND', 'USER_EXISTS'],
    summary: 'Replace a user of an organization',
  }),
  deleteOrgUser: endpoint({
    ...user,
    ...remove,
    answers: removed,
    errors: [...REMOVE_ERRORS, 'USER_NOT_FOUND'],
    summary: 'Remove a user from an organization',
  }),
  listOrgGroups: endpoint({
    ...groups,
    ...read,
    answers: { 200: answer('the groups by name', OrgGroups) },
    errors: ORG_ERRORS,
    summary: 'List the groups of an organization',
  }),
  getOrgGroup: endpoint({
    ...group,
    ...read,
    answers: { 200: answer('the group', Group) },
    errors: [...ORG_ERRORS, 'GROUP_NOT_FOUND'],
    summary: 'Read a group of an organization',
  }),
  setOrgGroup: endpoint({
    ...group,
    ...set,
    body: json(Group),
    answers: { 200: answer('the group as it is stored', z.union([Group, DryRun])) },
    errors: CHANGE_ERRORS,
    summary: 'Set a group of an organization',
  }),
  deleteOrgGroup: endpoint({
    ...group,
    ...remove,
    answers: removed,
    errors: [...REMOVE_ERRORS, 'GROUP_NOT_FOUND'],
    summary: 'Remove a group of an organization',
  }),
  getOrgAccessAdmin: endpoint({
    ...access,
    ...read,
    answers: { 200: answer('the access', OrgAdminAccess) },
    errors: [...ORG_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Read access/admin of an organization',
  }),
  setOrgAccessAdmin: endpoint({
    ...access,
    ...set,
    body: json(OrgAdminAccess),
    answers: { 200: answer('the access as it is stored', z.union([OrgAdminAccess, DryRun])) },
    errors: CHANGE_ERRORS,
    summary: 'Replace access/admin of an organization',
  }),
  deleteOrgAccessAdmin: endpoint({
    ...access,
    ...remove,
    answers: removed,
    errors: [...REMOVE_ERRORS, 'PART_NOT_FOUND'],
    summary: 'Remove access/admin of an organization',
  }),
} as const;

/** The table of every call of the service except those of the parts of a site, by identifier. */
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
  ...servedCodeEndpoints,
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
/** The calls of each part of a site: `sitePartEndpoints['access/admin'].set`. */
export const sitePartEndpoints = Object.fromEntries(SITE_PART_NAMES.map((part) => [part, partEndpoints(part)])) as Parts;

type ProfileParts = { [P in ProfilePart]: ReturnType<typeof profilePartEndpointsOf<P>> };
export const profilePartEndpoints = Object.fromEntries(
  PROFILE_PART_NAMES.map((part) => [part, profilePartEndpointsOf(part)]),
) as ProfileParts;

const PART_OPERATIONS = { get: 'get', set: 'set', remove: 'delete' } as const;
export type PartOperation = keyof typeof PART_OPERATIONS;

/** The identifier of the call of a part: `setSiteAccessAdmin` sets `access/admin` of a site. */
export function partEndpointId(owner: 'Site' | 'Profile', part: SitePart, operation: PartOperation): string {
  // robots.txt has its own calls.
  const words = (part === 'robots' ? 'robots/json' : part).split('/').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${PART_OPERATIONS[operation]}${owner}${words.join('')}`;
}

/**
 * Every row with its identifier, which has only letters: `getSite`, `setSiteAccessAdmin` for a part, `setProfileAccessAdmin` for one of a
 * profile.
 */
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
