import { z } from 'zod';
import {
  BranchList,
  BuildManagementInfo,
  Delivery,
  DeliveryList,
  GitBranch,
  GitTree,
  SyncCodeInput,
  WebhookAnswer,
} from './build-management-deliveries.ts';
import {
  ExternalRepository,
  ExternalRepositoryList,
  LinkInput,
  LinkOutcome,
  OnboardInput,
  RetryInput,
  WebhookCredentials,
} from './build-management.ts';
import { endpoint, NO_PARAMS, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { OrgParams } from './site-endpoints.ts';
import { Health } from './service.ts';

const id = z.string().regex(/^\d{1,15}$/, 'A repository is known by its number.');
const segment = z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Write the program and the number of a repository.');
const RepositoryParams = OrgParams.extend({ repository: id });
const DeliveryParams = RepositoryParams.extend({ delivery: z.uuid('A delivery is known by its identifier.') });
const ContentParams = z.object({ owner: segment, repo: segment });

const all = { path: '/organizations/{org}/repositories', params: OrgParams, query: NO_QUERY, tag: 'External repositories' } as const;
const one = {
  path: '/organizations/{org}/repositories/{repository}',
  params: RepositoryParams,
  query: NO_QUERY,
  tag: 'External repositories',
} as const;
const link = { ...one, path: '/organizations/{org}/repositories/{repository}/link' } as const;
const content = { query: NO_QUERY, permission: 'public', tag: 'Repository content' } as const;

const CALLER_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SERVICE_UNREACHABLE'] as const;
const ONE_ERRORS = [...CALLER_ERRORS, 'EXTERNAL_REPOSITORY_NOT_FOUND'] as const;
const CONTENT_ERRORS = ['REPOSITORY_SECRET_REFUSED', 'REPOSITORY_UNREACHABLE', 'BRANCH_NOT_FOUND'] as const;

function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, media: ['application/json'], schema } as const;
}
function body<S extends z.ZodType>(schema: S) {
  return { media: ['application/json'], schema } as const;
}

/**
 * THE table of build management (service contract, section 6): a program of its own, at an address of its own. Callers show
 * the service's token; its organization's users decide what they may. Webhooks show an API key and a signature, raw and API
 * addresses the secret of the link: `authorization: token <secret>`.
 */
export const buildManagementEndpoints = {
  getBuildManagement: endpoint({
    method: 'GET',
    path: '/service.json',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: json(BuildManagementInfo, 'where sites find the code of external repositories') },
    errors: [],
    tag: 'Service',
    summary: 'Describe build management',
  }),
  getBuildManagementHealth: endpoint({
    method: 'GET',
    path: '/health',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: json(Health, 'ready'), 503: json(Health, 'stopping, or the storage fails') },
    errors: [],
    tag: 'Service',
    summary: 'Is build management ready',
  }),
  getBuildManagementOpenApi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: json(z.looseObject({ openapi: z.string() }), 'this document') },
    errors: [],
    tag: 'Service',
    summary: 'OpenAPI 3.1 document',
  }),
  listRepositories: endpoint({
    method: 'GET',
    ...all,
    permission: 'org:read',
    answers: { 200: json(ExternalRepositoryList, 'the external repositories, in the order of their names') },
    errors: CALLER_ERRORS,
    summary: 'List the external repositories of an organization',
  }),
  onboardRepository: endpoint({
    method: 'POST',
    ...all,
    body: body(OnboardInput),
    permission: 'org:write',
    answers: { 201: json(ExternalRepository, 'added; its ownership is being checked: read it again until READY or failed') },
    errors: [...CALLER_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_TAKEN'],
    summary: 'Onboard an external repository',
  }),
  getRepository: endpoint({
    method: 'GET',
    ...one,
    permission: 'org:read',
    answers: { 200: json(ExternalRepository, 'the repository') },
    errors: ONE_ERRORS,
    summary: 'Read an external repository and its state',
  }),
  retryRepository: endpoint({
    method: 'POST',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/retry',
    body: { ...body(RetryInput), optional: true },
    permission: 'org:write',
    answers: { 202: json(ExternalRepository, 'being checked again from the beginning, with a new access token where one is given') },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS],
    summary: 'Check a repository again',
  }),
  removeRepository: endpoint({
    method: 'DELETE',
    ...one,
    permission: 'org:write',
    answers: { 204: { description: 'removed, its secret and its webhook revoked' } },
    errors: [...ONE_ERRORS, 'STORAGE_FULL'],
    summary: 'Remove an external repository',
  }),
  linkRepository: endpoint({
    method: 'PUT',
    ...link,
    body: body(LinkInput),
    permission: 'org:write',
    answers: { 200: json(LinkOutcome, 'linked; the secret is shown this once, every one before is revoked') },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_NOT_READY'],
    summary: 'Link a repository to a site, or make a new secret for its site',
    rule: 'limit 1',
  }),
  unlinkRepository: endpoint({
    method: 'DELETE',
    ...link,
    permission: 'org:write',
    answers: { 204: { description: 'not linked any more; the secret is revoked' } },
    errors: [...ONE_ERRORS, 'STORAGE_FULL'],
    summary: 'Unlink a repository from its site',
  }),
  rotateWebhook: endpoint({
    method: 'POST',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/webhook',
    permission: 'org:write',
    answers: {
      200: json(WebhookCredentials, 'a new API key and secret, shown this once; those before stay good for a day'),
      201: json(WebhookCredentials, 'the first API key and secret, shown this once'),
    },
    errors: [...ONE_ERRORS, 'STORAGE_FULL'],
    summary: 'Make the credentials of the webhook, or new ones',
  }),
  listBranches: endpoint({
    method: 'GET',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/branches',
    permission: 'org:read',
    answers: { 200: json(BranchList, 'the branches at the git vendor at this moment, main first') },
    errors: [...ONE_ERRORS, 'REPOSITORY_UNREACHABLE'],
    summary: 'List the branches of an external repository',
  }),
  syncCode: endpoint({
    method: 'POST',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/sync',
    body: body(SyncCodeInput),
    permission: 'code:sync',
    answers: { 202: json(Delivery, 'the configuration service was told, or why not: see its outcome') },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_NOT_READY'],
    summary: 'Sync Code: synchronise a branch for every site on the repository',
  }),
  listDeliveries: endpoint({
    method: 'GET',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/deliveries',
    permission: 'org:read',
    answers: { 200: json(DeliveryList, 'the last 100, newest first') },
    errors: ONE_ERRORS,
    summary: 'List the last events with their outcome',
  }),
  resendDelivery: endpoint({
    method: 'POST',
    path: '/organizations/{org}/repositories/{repository}/deliveries/{delivery}/resend',
    params: DeliveryParams,
    query: NO_QUERY,
    permission: 'code:sync',
    answers: { 202: json(Delivery, 'run again: see its outcome') },
    errors: [...ONE_ERRORS, 'DELIVERY_NOT_FOUND', 'STORAGE_FULL'],
    tag: 'External repositories',
    summary: 'Send an event again',
  }),
  receiveWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/{webhook}',
    params: z.object({ webhook: z.uuid('This is no webhook address.') }),
    query: z.object({ api_key: z.string().max(200).optional() }),
    body: { media: ['application/json'], schema: z.unknown(), raw: true },
    permission: 'public',
    answers: {
      200: json(WebhookAnswer, 'acknowledged, nothing to do'),
      202: json(WebhookAnswer, 'accepted; see the deliveries for its outcome'),
    },
    errors: [
      'WEBHOOK_NOT_FOUND',
      'API_KEY_REFUSED',
      'INVALID_SIGNATURE',
      'BODY_UNPARSABLE',
      'BODY_INVALID',
      'BODY_TOO_LARGE',
      'CONTENT_TYPE_UNSUPPORTED',
      'STORAGE_FULL',
    ],
    tag: 'Webhooks',
    summary: 'Events of the git vendor',
  }),
  readRaw: endpoint({
    method: 'GET',
    path: '/raw/{owner}/{repo}/{ref}/{path*}',
    params: ContentParams.extend({ ref: z.string().min(1).max(255), path: z.string().min(1) }),
    ...content,
    answers: {
      200: { description: 'the bytes of the file', media: ['application/octet-stream'] },
      304: { description: 'unchanged: `if-none-match` names its etag' },
    },
    errors: [...CONTENT_ERRORS, 'FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
    summary: 'Read a file of a branch or commit',
  }),
  readBranch: endpoint({
    method: 'GET',
    path: '/api/repos/{owner}/{repo}/branches/{branch*}',
    params: ContentParams.extend({ branch: z.string().min(1).max(255) }),
    ...content,
    answers: { 200: json(GitBranch, 'the branch with its commit') },
    errors: CONTENT_ERRORS,
    summary: 'Read a branch',
  }),
  readTree: endpoint({
    method: 'GET',
    path: '/api/repos/{owner}/{repo}/git/trees/{sha*}',
    params: ContentParams.extend({ sha: z.string().min(1).max(255) }),
    ...content,
    query: z.object({ recursive: z.string().optional() }),
    answers: { 200: json(GitTree, 'the files of a commit, tree or branch') },
    errors: CONTENT_ERRORS,
    summary: 'Read a tree',
  }),
} as const;
export type BuildManagementEndpoints = typeof buildManagementEndpoints;
export type BuildManagementEndpointId = keyof BuildManagementEndpoints;
