import { createHmac } from 'node:crypto';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import { example, type Step } from './step.ts';

const repository = { params: { repository: '$REPOSITORY' } };
const READY = { ...repository, until: '"state": "READY"' };
const HOLDER = { authorization: 'token $SECRET' };
const content = { headers: HOLDER };
const CONTENT = { owner: '100', repo: '$REPOSITORY' };
const PUSH = JSON.stringify(BODY_EXAMPLES['receiveWebhook']);

/** An external repository from its onboarding to its removal, and the service's use of it. */
export const BUILD_MANAGEMENT_EXAMPLES: readonly Step[] = [
  example('getBuildManagement'),
  example('getBuildManagementLive'),
  example('getBuildManagementReady'),
  example('getBuildManagementHealth'),
  example('getBuildManagementOpenApi', {}),
  example('onboardRepository', {
    body: { ...asObject(BODY_EXAMPLES['onboardRepository']), accessToken: '$ACCESS_TOKEN' },
    keep: { REPOSITORY: 'repositoryId' },
  }),
  example('getRepository', READY),
  example('retryRepository', { ...repository, body: null }),
  example('listRepositories', { until: '"state": "READY"' }),
  example('getRepositoryStatus', { headers: { authorization: 'Bearer $BUILD_MANAGEMENT_KEY' }, params: CONTENT }),
  example('listBranches', repository),
  example('linkRepository', { ...repository, keep: { SECRET: 'secret' } }),

  // The site must name it, as the outcome of the link says.
  example('setSiteCode', {
    title: 'An external repository, as its link has shown it.',
    body: {
      source: {
        type: 'byogit',
        owner: '100',
        repo: '$REPOSITORY',
        url: 'https://build.example.com/api',
        raw_url: 'https://build.example.com/raw',
        secretId: 'cm-byog',
      },
    },
  }),
  example('setSecret', { title: 'The secret that the link has shown.', body: { value: '$SECRET' } }),
  example('createSite', { ...repository, title: 'A further site on it: it shares the secret of the first.' }),
  example('pushed', { headers: { authorization: 'Bearer $BUILD_MANAGEMENT_KEY' }, params: CONTENT, query: 'org=wknd' }),
  example('addRepositoryLog', { headers: { authorization: 'Bearer $BUILD_MANAGEMENT_KEY' } }),
  example('branchDeleted', {
    title: '`main` stays.',
    headers: { authorization: 'Bearer $BUILD_MANAGEMENT_KEY' },
    params: CONTENT,
    query: 'org=wknd',
    status: 409,
  }),

  example('readRaw', { ...content, params: { ...CONTENT, path: 'head.html' } }),
  example('readBranch', { ...content, params: CONTENT }),
  example('readTree', { ...content, params: CONTENT, query: 'recursive=1' }),

  example('rotateWebhook', { ...repository, keep: { WEBHOOK_ADDRESS: 'address', API_KEY: 'apiKey', WEBHOOK_SECRET: 'secret' } }),
  async ({ WEBHOOK_ADDRESS = '', WEBHOOK_SECRET = '' }) => ({
    WEBHOOK: new URL(WEBHOOK_ADDRESS).pathname.split('/').at(-1) ?? '',
    SIGNATURE: createHmac('sha256', WEBHOOK_SECRET).update(PUSH).digest('hex'),
  }),
  example('receiveWebhook', {
    title: 'As GitHub Enterprise signs it: `$SIGNATURE` is the HMAC-SHA256 of the body with the secret of the webhook.',
    params: { webhook: '$WEBHOOK' },
    query: 'api_key=$API_KEY',
    headers: { 'x-github-event': 'push', 'x-github-delivery': 'first', 'x-hub-signature-256': 'sha256=$SIGNATURE' },
    body: PUSH,
  }),
  example('syncCode', repository),
  example('listDeliveries', { ...repository, keep: { DELIVERY: 'deliveries.0.id' } }),
  example('resendDelivery', { params: { repository: '$REPOSITORY', delivery: '$DELIVERY' } }),
  example('unlinkRepository', repository),
  example('removeRepository', repository),
];

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
