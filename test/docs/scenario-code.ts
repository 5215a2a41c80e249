import { createHmac } from 'node:crypto';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import { example, type Step } from './step.ts';
import { WEBHOOK_SECRET } from './world.ts';

const KNOWN = { authorization: 'Bearer $BUILD_MANAGEMENT_KEY' };
const AUTHOR = { 'x-content-source-authorization': 'Bearer $AUTHORING_TOKEN' };
const job = { params: { name: '$JOB' } };

/** Code sync, pushes, and the authoring proxy to the authoring system. */
export const CODE_EXAMPLES: readonly Step[] = [
  example('checkCode', { query: 'type=github&owner=wknd&repo=wknd' }),
  example('startSync', { params: { path: '*' } }),
  example('startBranchSync', { params: { path: 'main' } }),
  example('getJob', { until: '"state": "stopped"', keep: { JOB: 'name' } }),
  example('getNamedJob', job),
  example('getJobDetails', { ...job }),
  example('stopJob', job),
  example('serveCommit'),
  example('getCode', { params: { path: '*' } }),
  example('getStatus'),
  example('getSidekickConfig'),
  example('getPathStatus', { params: { path: 'scripts/scripts.js' } }),
  example('getCodeFile', { params: { path: 'scripts/scripts.js' } }),
  example('pushed', { title: 'With the key that both programs share.', headers: KNOWN, status: 404 }),
  example('branchDeleted', { headers: KNOWN, status: 404 }),
  async () => ({ SIGNATURE: createHmac('sha256', WEBHOOK_SECRET).update(JSON.stringify(BODY_EXAMPLES['githubWebhook'])).digest('hex') }),
  example('githubWebhook', {
    title: '`$SIGNATURE` is the HMAC-SHA256 of the body with the secret of the settings.',
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=$SIGNATURE' },
    body: JSON.stringify(BODY_EXAMPLES['githubWebhook']),
  }),
  example('githubWebhook', { title: 'Not signed.', headers: { 'x-github-event': 'push' }, status: 400 }),
  example('readAuthoring', { headers: AUTHOR }),
  example('readAuthoring', {
    title: 'The token that each write needs.',
    headers: AUTHOR,
    params: { path: 'libs/granite/csrf/token.json' },
    keep: { CSRF_TOKEN: 'token' },
  }),
  example('writeAuthoring', {
    headers: AUTHOR,
    params: { path: 'content/wknd/jcr:content' },
    body: { './jcr:title': 'Tarnfell', ':cq_csrf_token': '$CSRF_TOKEN' },
  }),
];

const OWN = { params: { name: 'own-program' } };
const SITE_TOKEN = { params: { id: '$SITE_TOKEN' } };

/** The secrets and site tokens of a site, and the secrets of the organization. */
export const SECRET_EXAMPLES: readonly Step[] = [
  example('setSecret'),
  example('getSecret'),
  example('generateSecret'),
  example('listSecrets'),
  example('deleteSecret'),

  example('setOrgSecret', OWN),
  example('getOrgSecret', OWN),
  example('generateOrgSecret'),
  example('listOrgSecrets'),
  example('deleteOrgSecret', OWN),

  example('createSiteToken', { keep: { SITE_TOKEN: 'id' } }),
  example('getSiteToken', SITE_TOKEN),
  example('listSiteTokens'),
  example('deleteSiteToken', SITE_TOKEN),
];

const PUSH = JSON.stringify({ ref: 'refs/heads/gone', repository: { name: 'wknd', owner: { login: 'wknd' } } });
const subscription = { subscription: '$SUBSCRIPTION' };

/** A sync that fails, its subscribers, and the messages sent. */
export const EVENT_EXAMPLES: readonly Step[] = [
  async () => ({ SIGNATURE: createHmac('sha256', WEBHOOK_SECRET).update(PUSH).digest('hex') }),
  example('githubWebhook', {
    title: 'A push of a branch that is gone by then: its sync fails.',
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=$SIGNATURE' },
    body: PUSH,
  }),
  example('listEvents', { query: 'limit=1', until: '"sync-failed"' }),
  example('readEvents'),
  example('createSubscription', { keep: { SUBSCRIPTION: 'id' } }),
  example('getSubscription', { params: subscription }),
  example('putSubscription', { params: subscription }),
  example('listSubscriptions'),
  example('testSubscription', { params: subscription }),
  example('listMessages', { params: subscription }),
  example('sendMessageAgain', { title: 'One that is not there.', params: subscription, status: 404 }),
  example('deleteSubscription', { params: subscription }),
];
