import { createHmac } from 'node:crypto';
import { example } from './step.ts';
import type { Step } from './step.ts';
import { WEBHOOK_SECRET } from './world.ts';

const PUSH = JSON.stringify({ ref: 'refs/heads/gone', repository: { name: 'wknd', owner: { login: 'wknd' } } });
const subscription = { subscription: '$SUBSCRIPTION' };

/** A sync that fails, who is told of it, and what was sent. */
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
