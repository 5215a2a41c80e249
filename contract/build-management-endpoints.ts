import { z } from 'zod';
import {
  BranchList,
  BuildManagementInfo,
  CREATE_SITE_REFUSALS,
  Delivery,
  DeliveryList,
  ExternalRepository,
  ExternalRepositoryList,
  GitBranch,
  GitTree,
  LinkInput,
  LinkOutcome,
  OnboardInput,
  OneClickInput,
  OneClickOutcome,
  RepositoryStatus,
  RetryInput,
  SyncCodeInput,
  WebhookAnswer,
  WebhookCredentials,
} from './build-management.ts';
import { GitBranchName } from './code-check.ts';
import { OrgParams } from './endpoint-parts.ts';
import { answer, BODY_ERRORS, endpoint, json, NO_QUERY, WRITE_ERRORS } from './endpoint.ts';
import { aboutProgram, probes } from './service.ts';

const id = z.string().regex(/^\d{1,15}$/, 'A repository is identified by its number.');
const segment = z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Use the program and the number of a repository.');
const RepositoryParams = OrgParams.extend({ repository: id });
const DeliveryParams = RepositoryParams.extend({ delivery: z.uuid('Use the identifier of a delivery.') });

const all = { path: '/organizations/{org}/repositories', params: OrgParams, query: NO_QUERY, tag: 'External repositories' } as const;
const one = {
  path: '/organizations/{org}/repositories/{repository}',
  params: RepositoryParams,
  query: NO_QUERY,
  tag: 'External repositories',
} as const;
const link = { ...one, path: '/organizations/{org}/repositories/{repository}/link' } as const;

const CALLER_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND', 'SERVICE_UNREACHABLE'] as const;
const ONE_ERRORS = [...CALLER_ERRORS, 'EXTERNAL_REPOSITORY_NOT_FOUND'] as const;

const read = { method: 'GET', permission: 'org:read' } as const;
const change = { outside: 'build management', permission: 'org:write' } as const;

const ContentParams = z.object({ owner: segment, repo: segment });
const content = { query: NO_QUERY, permission: 'public', credentials: 'repository', tag: 'Repository content' } as const;
const CONTENT_ERRORS = ['REPOSITORY_SECRET_REFUSED', 'REPOSITORY_UNREACHABLE', 'BRANCH_NOT_FOUND'] as const;

/** The raw and API addresses of build management (docs/contract.md 7.5), authorized by the repository's current secret. */
const repositoryContentEndpoints = {
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
    answers: { 200: answer('the branch with its commit', GitBranch) },
    errors: CONTENT_ERRORS,
    summary: 'Read a branch',
  }),
  readTree: endpoint({
    method: 'GET',
    path: '/api/repos/{owner}/{repo}/git/trees/{sha*}',
    params: ContentParams.extend({ sha: z.string().min(1).max(255) }),
    ...content,
    query: z.object({ recursive: z.string().optional() }),
    answers: { 200: answer('the files of a commit, tree or branch', GitTree) },
    errors: CONTENT_ERRORS,
    summary: 'Read a tree',
  }),
} as const;

/**
 * The table of build management (docs/contract.md 7.1 to 7.7), a separate program with its own address. Callers send the service's token,
 * and their role in the organization decides what they may do. Webhooks send an API key and a signature; callers of raw and API addresses
 * send the secret of the link: `authorization: token <secret>`.
 */
export const buildManagementEndpoints = {
  getBuildManagement: endpoint({
    ...aboutProgram,
    path: '/service.json',
    answers: { 200: answer('where sites find the code of external repositories', BuildManagementInfo) },
    summary: 'Describe build management',
  }),
  getBuildManagementLive: probes.live,
  getBuildManagementReady: probes.ready,
  getBuildManagementHealth: probes.health,
  getBuildManagementOpenApi: probes.openApi,
  listRepositories: endpoint({
    ...read,
    ...all,
    answers: { 200: answer('the external repositories, sorted by name', ExternalRepositoryList) },
    errors: CALLER_ERRORS,
    summary: 'List the external repositories of an organization',
  }),
  onboardRepository: endpoint({
    method: 'POST',
    ...change,
    ...all,
    body: json(OnboardInput),
    answers: { 201: answer('added; its ownership is being checked: read it again until READY or failed', ExternalRepository) },
    errors: [...CALLER_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_TAKEN', 'EXTERNAL_LIMIT_REACHED'],
    summary: 'Onboard an external repository',
  }),
  getRepository: endpoint({
    ...read,
    ...one,
    answers: { 200: answer('the repository', ExternalRepository) },
    errors: ONE_ERRORS,
    summary: 'Read an external repository and its state',
  }),
  /** For the configuration service only: `authorization: Bearer <BUILD_MANAGEMENT_KEY>`. */
  getRepositoryStatus: endpoint({
    method: 'GET',
    path: '/repository-status/{org}/{owner}/{repo}',
    params: OrgParams.extend({ owner: segment, repo: segment }),
    query: z.object({ branch: GitBranchName.optional() }),
    permission: 'public',
    credentials: 'program',
    answers: {
      200: answer('the repository of the organization, under the name that its sites use, and the requested branch', RepositoryStatus),
    },
    errors: ['NOT_AUTHENTICATED', 'EXTERNAL_REPOSITORY_NOT_FOUND', 'REPOSITORY_UNREACHABLE'],
    tag: 'External repositories',
    summary: 'The configuration service checks whether a site may use a repository',
  }),
  retryRepository: endpoint({
    method: 'POST',
    ...change,
    ...one,
    path: '/organizations/{org}/repositories/{repository}/retry',
    body: { ...json(RetryInput), optional: true },
    answers: { 202: answer('the check starts again, with the new access token if one is sent', ExternalRepository) },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS],
    summary: 'Check a repository again',
  }),
  removeRepository: endpoint({
    method: 'DELETE',
    ...change,
    ...one,
    answers: { 204: { description: 'removed, its secret and its webhook revoked' } },
    errors: [...ONE_ERRORS, 'STORAGE_FULL'],
    summary: 'Remove an external repository',
  }),
  linkRepository: endpoint({
    method: 'PUT',
    ...change,
    ...link,
    body: json(LinkInput),
    answers: { 200: answer('linked; the secret is shown only once, all previous ones are revoked', LinkOutcome) },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_NOT_READY', 'SITE_NOT_FOUND'],
    summary: 'Link a repository to a site, or create a new secret for its site',
  }),
  unlinkRepository: endpoint({
    method: 'DELETE',
    ...change,
    ...link,
    answers: { 204: { description: 'no longer linked; the secret is revoked' } },
    errors: [...ONE_ERRORS, 'STORAGE_FULL'],
    summary: 'Unlink a repository from its site',
  }),
  createSite: endpoint({
    method: 'POST',
    outside: 'build management',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/sites',
    body: json(OneClickInput),
    permission: 'org:configure',
    answers: {
      201: answer(
        'created with its code and content; the code is being synchronized; the site has no administrators of its own',
        OneClickOutcome,
      ),
    },
    errors: [
      ...ONE_ERRORS,
      ...WRITE_ERRORS,
      ...CREATE_SITE_REFUSALS,
      'REPOSITORY_NOT_READY',
      'REPOSITORY_UNREACHABLE',
      'BRANCH_NOT_FOUND',
      'SITE_EXISTS',
    ],
    summary: 'Create a site of the repository in one click',
  }),
  rotateWebhook: endpoint({
    method: 'POST',
    ...change,
    ...one,
    path: '/organizations/{org}/repositories/{repository}/webhook',
    answers: {
      200: answer('a new API key and secret, shown only once; the previous ones stay valid for a day', WebhookCredentials),
      201: answer('the first API key and secret, shown only once', WebhookCredentials),
    },
    errors: [...ONE_ERRORS, 'STORAGE_FULL', 'WEBHOOK_ROTATED'],
    summary: 'Create the webhook credentials, or renew them',
  }),
  listBranches: endpoint({
    ...read,
    ...one,
    path: '/organizations/{org}/repositories/{repository}/branches',
    answers: { 200: answer('the current branches at the git vendor, main first', BranchList) },
    errors: [...ONE_ERRORS, 'REPOSITORY_UNREACHABLE'],
    summary: 'List the branches of an external repository',
  }),
  syncCode: endpoint({
    method: 'POST',
    outside: 'build management',
    ...one,
    path: '/organizations/{org}/repositories/{repository}/sync',
    body: json(SyncCodeInput),
    permission: 'code:sync',
    answers: { 202: answer('see the outcome: whether the configuration service was notified', Delivery) },
    errors: [...ONE_ERRORS, ...WRITE_ERRORS, 'REPOSITORY_NOT_READY', 'REPOSITORY_UNKNOWN', 'BRANCH_NOT_FOUND', 'REPOSITORY_UNREACHABLE'],
    summary: 'Sync Code: synchronize a branch for every site on the repository',
  }),
  listDeliveries: endpoint({
    ...read,
    ...one,
    path: '/organizations/{org}/repositories/{repository}/deliveries',
    answers: { 200: answer('the last 100, newest first', DeliveryList) },
    errors: ONE_ERRORS,
    summary: 'List the last events with their outcome',
  }),
  resendDelivery: endpoint({
    method: 'POST',
    outside: 'build management',
    path: '/organizations/{org}/repositories/{repository}/deliveries/{delivery}/resend',
    params: DeliveryParams,
    query: NO_QUERY,
    permission: 'code:sync',
    answers: { 202: answer('processed again; see the outcome', Delivery) },
    errors: [...ONE_ERRORS, 'DELIVERY_NOT_FOUND', 'STORAGE_FULL'],
    tag: 'External repositories',
    summary: 'Send an event again',
  }),
  receiveWebhook: endpoint({
    method: 'POST',
    outside: 'webhook',
    path: '/webhooks/{webhook}',
    params: z.object({ webhook: z.uuid('This is not the address of a webhook.') }),
    query: z.object({ api_key: z.string().max(200).optional() }),
    body: { ...json(z.unknown()), raw: true },
    permission: 'public',
    credentials: 'webhook',
    answers: {
      200: answer('acknowledged, nothing to do', WebhookAnswer),
      202: answer('accepted; see the deliveries for its outcome', WebhookAnswer),
    },
    errors: ['WEBHOOK_NOT_FOUND', 'API_KEY_REFUSED', 'INVALID_SIGNATURE', ...BODY_ERRORS, 'STORAGE_FULL'],
    tag: 'Webhooks',
    summary: 'Receive events from the git vendor',
  }),
  ...repositoryContentEndpoints,
} as const;
export type BuildManagementEndpoints = typeof buildManagementEndpoints;
export type BuildManagementEndpointId = keyof BuildManagementEndpoints;
