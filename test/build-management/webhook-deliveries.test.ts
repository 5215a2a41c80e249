import { Delivery, WebhookAnswer, WebhookCredentials } from '@repoless/contract/build-management.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { AFTER, BITBUCKET, GITHUB, GITLAB_SIGNED, gitlabSignature, type Sent } from './payloads.ts';
import { answered, sendEvent } from './send-event.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const world = startBeforeAll(startBuildWorld);
const post = (address: string, sent: Sent) => sendEvent(world, address, sent);

it('keeps replaced credentials valid for the promised day, even if several calls renew them concurrently', async () => {
  const { repositoryId } = await world.ready();
  const first = await world.webhook(repositoryId);
  const rotate = () => world.call('POST', `${LIST}/${repositoryId}/webhook`);
  const answers = await Promise.all([rotate(), rotate(), rotate()]);
  const created = answers.flatMap((answer) => (answer.status === 200 ? [WebhookCredentials.parse(answer.json())] : []));
  expect(created).toHaveLength(1);
  const until = created[0]?.previousValidUntil ?? '';
  for (const refused of answers.filter(({ status }) => status !== 200)) {
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'WEBHOOK_ROTATED']);
    expect(Problem.parse(refused.json())).toMatchObject({
      detail: `The credentials of this webhook were renewed less than a day ago; the previous ones stay valid until ${until}. Enter the new ones at the git vendor. After that, you can create others.`,
      data: { until },
    });
  }
  for (const hook of [first, ...created])
    expect((await post(hook.address, GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret))).status).toBe(202);
});

it('processes every branch of an event, and refuses an event with too many', async () => {
  const { repositoryId } = await world.ready('bitbucket');
  const hook = await world.webhook(repositoryId);
  const named = (count: number, more: string) => Array.from({ length: count }, (_, index) => `${more}-${index}`);
  const deleted = (names: readonly string[]): Sent => {
    const changes = names.map((name) => ({ old: { type: 'branch', name, target: { hash: AFTER } }, new: null }));
    const headers = { 'content-type': 'application/json', 'x-event-key': 'repo:push', 'x-request-uuid': randomUUID() };
    return BITBUCKET.sign({ headers, body: JSON.stringify({ push: { changes } }) }, hook.secret);
  };
  const answer = await post(hook.address, deleted(named(150, 'old')));
  expect(answered(answer)).toEqual([202, 'accepted']);
  const { delivery } = WebhookAnswer.parse(answer.json());
  const done = await world.delivered(repositoryId, ({ id }) => id === delivery);
  expect(done.changes.map(({ branch }) => branch)).toEqual(named(150, 'old'));
  const refused = await post(hook.address, deleted(named(LIMITS.eventBranches + 1, 'more')));
  expect(answered(refused)).toEqual([400, 'BODY_INVALID']);
  expect(refused.headers['x-error']).toBe('The event names too many branches. Push fewer branches at once.');
});

it('refuses an event of GitLab whose signature is dated ten minutes in the past or the future', async () => {
  const { repositoryId } = await world.ready('gitlab');
  const hook = await world.webhook(repositoryId);
  const sent = GITLAB_SIGNED.push('main', randomUUID());
  const at = (seconds: number) => ({
    ...sent,
    headers: { ...sent.headers, ...gitlabSignature(sent, hook.secret, new Date(Date.now() + seconds * 1000)) },
  });
  expect(answered(await post(hook.address, at(-600)))).toEqual([400, 'INVALID_SIGNATURE']);
  expect(answered(await post(hook.address, at(600)))).toEqual([400, 'INVALID_SIGNATURE']);
  // If there is a signature, it decides: a valid token in addition does not help.
  const both = at(-600);
  const answer = await post(hook.address, { ...both, headers: { ...both.headers, 'x-gitlab-token': hook.secret } });
  expect(answered(answer)).toEqual([400, 'INVALID_SIGNATURE']);
  expect((await post(hook.address, at(0))).status).toBe(202);
});

it('lists the last hundred deliveries, and does not rerun older ones', async () => {
  const { repositoryId } = await world.ready();
  const hook = await world.webhook(repositoryId);
  const first = GITHUB.sign(GITHUB.other('the-first'), hook.secret);
  await post(hook.address, first);
  for (let count = 0; count < 104; count += 1) await post(hook.address, GITHUB.sign(GITHUB.other(randomUUID()), hook.secret));
  const listed = await world.deliveries(repositoryId);
  expect([listed.length, listed.some(({ deliveryId }) => deliveryId === 'the-first')]).toEqual([100, false]);
  expect((await post(hook.address, first)).json()).toMatchObject({ repeated: true });
});

it('refuses a requested sync if no site uses the repository, and stores no delivery', async () => {
  const { repositoryId } = await world.ready();
  const refused = await world.call('POST', `${LIST}/${repositoryId}/sync`, { body: { branch: 'main' } });
  expect([refused.status, refused.headers['x-error-code']]).toEqual([404, 'REPOSITORY_UNKNOWN']);
  expect(refused.headers['x-error']).toBe('No site uses this repository yet. Register one that does.');
  expect(await world.deliveries(repositoryId)).toEqual([]);
});

it('redelivers a failed delivery', async () => {
  const { repositoryId } = await world.ready();
  const hook = await world.webhook(repositoryId);
  const answer = WebhookAnswer.parse((await post(hook.address, GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret))).json());
  await world.delivered(repositoryId);
  const resend = `${LIST}/${repositoryId}/deliveries/${answer.delivery}/resend`;
  await world.fault('unauthorized');
  const failed = Delivery.parse((await world.call('POST', resend)).json());
  expect(failed).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('access token'), attempts: 2 });
  expect((await world.settled(repositoryId, 'READY')).problem).toContain('access token');
  await world.fault('none');
  const again = Delivery.parse((await world.call('POST', resend)).json());
  expect(again).toMatchObject({ outcome: 'ignored', attempts: 3, user: 'operator@example.com' });
  expect((await world.settled(repositoryId, 'READY')).problem).toBeUndefined();
  const none = await world.call('POST', `${LIST}/${repositoryId}/deliveries/${randomUUID()}/resend`);
  expect(none.headers['x-error-code']).toBe('DELIVERY_NOT_FOUND');
});

it('shows webhook secrets and API keys once', async () => {
  const { repositoryId } = await world.ready();
  const hook = await world.webhook(repositoryId);
  await post(hook.address, GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret));
  await world.delivered(repositoryId);
  const list = (await world.call('GET', LIST)).text;
  const output = [...world.output, (await world.call('GET', `${LIST}/${repositoryId}`)).text, list].join('\n');
  for (const value of [hook.secret, hook.apiKey]) expect(output).not.toContain(value);
});
