import { createHmac } from 'node:crypto';
import { EventDeliveryList, EventList } from '@repoless/contract/event.ts';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import type { EventDelivery } from '@repoless/contract/event.ts';
import { OPERATOR } from './backend.ts';
import type { TestBackendOptions } from './backend.ts';
import { startCodeWorld } from './code-world.ts';
import type { CodeWorld } from './code-world.ts';

/** A service with a site on a repository, whose syncs fail and are mended as a test likes. */
export interface EventWorld extends CodeWorld {
  /** The sync of a branch that is not there. Resolves when it ended. */
  fail(branch: string): Promise<void>;
  /** Pushes the branch and synchronises it. */
  mend(branch: string): Promise<void>;
  /** Tells that a branch, which is not there, was deleted. */
  remove(branch: string): Promise<void>;
  subscribe(channel: Readonly<Record<string, unknown>>, more?: Readonly<Record<string, unknown>>): Promise<CreatedSubscription>;
  events(query?: string): Promise<EventList>;
  deliveries(subscription: string): Promise<EventDelivery[]>;
}

const WEBHOOK_SECRET = 'the-secret-of-the-webhook';

export async function startEventWorld(options: TestBackendOptions = {}): Promise<EventWorld> {
  const world = await startCodeWorld({ ...options, settings: { GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET, ...options.settings } });
  await world.register('first');
  let pushes = 0;
  const push = async (branch: string, more: object = {}) => {
    pushes += 1;
    const told = { ref: `refs/heads/${branch}`, repository: { name: 'wknd', owner: { login: 'wknd' }, pushes }, ...more };
    const body = JSON.stringify(told);
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
    };
    return await world.backend.call('POST', '/webhook/github', { body, headers });
  };
  const sync = async (branch: string) => {
    const { status, text } = await push(branch);
    if (status !== 202) throw new Error(`The sync of ${branch} did not begin: ${status} ${text}`);
    return await world.ended('first', branch);
  };
  return {
    ...world,
    async fail(branch) {
      const { error } = await sync(branch);
      if (error === undefined) throw new Error(`The sync of ${branch} did not fail.`);
    },
    async mend(branch) {
      await world.clone.push({ [`${branch}.txt`]: branch }, branch);
      const { error } = await sync(branch);
      if (error !== undefined) throw new Error(`The sync of ${branch} failed: ${error}`);
    },
    async remove(branch) {
      const { status, text } = await push(branch, { deleted: true });
      if (status !== 200) throw new Error(`The branch ${branch} was not removed: ${status} ${text}`);
    },
    async subscribe(channel, more = {}) {
      const answer = await world.backend.call('POST', '/config/wknd/subscriptions.json', { as: OPERATOR, body: { channel, ...more } });
      if (answer.status !== 201) throw new Error(`Nobody subscribed: ${answer.status} ${answer.text}`);
      return CreatedSubscription.parse(answer.json());
    },
    async events(query = '') {
      return EventList.parse((await world.backend.call('GET', `/config/wknd/events.json${query}`, { as: OPERATOR })).json());
    },
    async deliveries(subscription) {
      const path = `/config/wknd/subscriptions/${subscription}/deliveries.json`;
      return EventDeliveryList.parse((await world.backend.call('GET', path, { as: OPERATOR })).json()).deliveries;
    },
  };
}
