import { z } from 'zod';
import { Group, GroupName } from './access.ts';
import { answer, endpoint, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { ConfirmQuery, DryRun, ORG_ERRORS, OrgParams, removed } from './endpoint-parts.ts';
import { OrgAdminAccess, OrgGroups, OrgUser, OrgUserInput, OrgUserInputList, OrgUserList } from './org.ts';

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
export const peopleEndpoints = {
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
