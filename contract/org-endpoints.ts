import { z } from 'zod';
import { endpoint, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { DryRun } from './history.ts';
import { Challenge, Org, OrgInput } from './org.ts';
import { ConfirmQuery, OrgParams, RestoreQuery } from './site-endpoints.ts';

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
    'ORG_UNKNOWN_ON_CODE_HOST',
    'CODE_HOST_UNREACHABLE',
    'WOULD_LOCK_OUT',
  ],
  tag: 'Organizations',
  summary: 'Claim an organization, or replace its configuration (its admins alone)',
  preconditions: true,
} as const;

export const orgEndpoints = {
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
    errors: [...write.errors, 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    summary: 'Claim an organization, replace its configuration, or restore a version of it',
  }),
  challengeOrg: endpoint({
    method: 'POST',
    path: '/config/{org}/challenge.json',
    params: OrgParams,
    query: NO_QUERY,
    body: {
      media: ['application/json'],
      schema: z.strictObject({ repository: z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Write the name of a repository of the organization.') }),
    },
    permission: 'signed-in',
    answers: {
      200: {
        description: 'the challenge to commit on main of the repository; then PUT the organization',
        media: ['application/json'],
        schema: Challenge,
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
    summary: 'Begin the claim of an organization',
  }),
} as const;
