import { z } from 'zod';
import { endpoint, NO_PARAMS, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { DryRun } from './history.ts';
import { Challenge, Org, OrgInput, OwnOrgs } from './org.ts';
import { OrgParams } from './site-endpoints.ts';
import { UsageReport } from './usage.ts';
import { ConfirmQuery, RestoreQuery } from './site-query.ts';

const path = '/config/{org}.json' as const;
const write = {
  path,
  params: OrgParams,
  query: ConfirmQuery,
  body: { media: ['application/json'], schema: OrgInput },
  permission: 'org:claim',
  answers: {
    200: { description: 'replaced', media: ['application/json'], schema: z.union([Org, DryRun]) },
    201: { description: 'claimed and created', media: ['application/json'], schema: z.union([Org, DryRun]) },
  },
  errors: [
    ...WRITE_ERRORS,
    'NOT_AUTHENTICATED',
    'NOT_AUTHORIZED',
    'CLAIM_NOT_PROVEN',
    'ORG_ALREADY_CLAIMED',
    'ORG_UNKNOWN_ON_CODE_HOST',
    'CODE_HOST_UNREACHABLE',
    'WOULD_LOCK_OUT',
  ],
  tag: 'Organizations',
  summary: 'Claim an organization, or replace its configuration (only its admins)',
  preconditions: true,
} as const;

export const orgEndpoints = {
  getUsage: endpoint({
    method: 'GET',
    path: '/config/{org}/usage.json',
    params: OrgParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: { description: 'the usage and the limits', media: ['application/json'], schema: UsageReport } },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'Organizations',
    summary: 'Read the usage of an organization and its limits',
  }),
  /** Only organizations in which the caller has a role are listed. */
  listOwnOrgs: endpoint({
    method: 'GET',
    path: '/orgs.json',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'signed-in',
    answers: {
      200: {
        description: 'the organizations in which you have a role, by name',
        media: ['application/json'],
        schema: OwnOrgs,
      },
    },
    errors: [],
    tag: 'Organizations',
    summary: 'List the organizations in which you have a role',
  }),
  getOrg: endpoint({
    method: 'GET',
    path,
    params: OrgParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: { description: 'the organization', media: ['application/json'], schema: Org } },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'Organizations',
    summary: 'Read an organization',
    preconditions: true,
  }),
  putOrg: endpoint({ method: 'PUT', ...write }),
  postOrg: endpoint({
    ...write,
    method: 'POST',
    query: RestoreQuery,
    body: { ...write.body, optional: true },
    errors: [...write.errors, 'ORG_NOT_FOUND', 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    summary: 'Claim an organization, replace its configuration, or restore a version of it',
  }),
  challengeOrg: endpoint({
    method: 'POST',
    path: '/config/{org}/challenge.json',
    params: OrgParams,
    query: WRITE_QUERY,
    body: {
      media: ['application/json'],
      schema: z.strictObject({ repository: z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Write the name of a repository of the organization.') }),
    },
    permission: 'signed-in',
    answers: {
      200: {
        description: 'the challenge to commit on main of the repository; then PUT the organization',
        media: ['application/json'],
        schema: z.union([Challenge, DryRun]),
      },
    },
    errors: [
      ...WRITE_ERRORS,
      'NOT_AUTHENTICATED',
      'NOT_AUTHORIZED',
      'ORG_ALREADY_CLAIMED',
      'ORG_UNKNOWN_ON_CODE_HOST',
      'CODE_HOST_UNREACHABLE',
    ],
    tag: 'Organizations',
    summary: 'Start the claim of an organization',
    preconditions: true,
  }),
} as const;
