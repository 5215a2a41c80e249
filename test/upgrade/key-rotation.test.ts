import { afterAll, beforeAll, expect, it } from 'vitest';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { AuditVerification } from '@repoless/contract/audit.ts';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import { buildCommandLine } from '../support/child-backend.ts';
import { startWebhookReceiver, verified } from '../support/message-receivers.ts';
import { names, operate } from '../support/operate.ts';
import { startFleet } from './fleet.ts';
import { startTraffic, type Traffic } from './traffic.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let traffic: Traffic;
beforeAll(buildCommandLine, 120_000);
const receiver = startBeforeAll(startWebhookReceiver, 120_000);
const fleet = startBeforeAll(startFleet, 120_000);
beforeAll(async () => {
  traffic = await startTraffic(fleet);
}, 120_000);
afterAll(() => traffic.end());

const NODES = [0, 1, 2];

it('signing and secret keys are changed by restarting the nodes one by one, without a failed request', { timeout: 400_000 }, async () => {
  const [oldSigning = ''] = await keys('signing', 'list');
  const [oldSecret = ''] = await keys('secret', 'list');
  const ofOldKey = await apiKeyOf(0);

  const [, newSigning = ''] = await keys('signing', 'add', '--last');
  const [, newSecret = ''] = await keys('secret', 'add', '--last');
  await restartAndVerify();

  expect(await keys('signing', 'use', newSigning)).toEqual([newSigning, oldSigning]);
  expect(await keys('secret', 'use', newSecret)).toEqual([newSecret, oldSecret]);
  await restartAndVerify();
  expect(await Promise.all(NODES.map((node) => statusWith(ofOldKey, node)))).toEqual([200, 200, 200]);

  await fleet.signIn();
  expect(await keys('signing', 'remove', oldSigning)).toEqual([newSigning]);
  expect(await keys('secret', 'remove', oldSecret)).toEqual([newSecret]);
  await restartAndVerify();
  expect(await Promise.all(NODES.map((node) => statusWith(ofOldKey, node)))).toEqual([401, 401, 401]);
  expect(fleet.output()).not.toMatch(/cannot be opened/);
});

/**
 * Restarts the nodes one by one. After each, expects that every node accepts what every other one signed and sealed, and that nothing
 * failed: no read missed an acknowledged write for longer than nodes may lag (traffic.ts).
 */
async function restartAndVerify(): Promise<void> {
  await fleet.restart(expectMutualAcceptance);
  const { failures, reads, writes } = traffic.figures();
  expect(failures).toEqual([]);
  expect(Math.min(reads, writes)).toBeGreaterThan(10);
}

async function expectMutualAcceptance(): Promise<void> {
  for (const maker of NODES) {
    const key = await apiKeyOf(maker);
    expect(await Promise.all(NODES.map((node) => statusWith(key, node)))).toEqual([200, 200, 200]);
    const body = { channel: { type: 'webhook', url: receiver.url } };
    const created = await fleet.askNode(maker, '/config/wknd/subscriptions.json', { method: 'POST', body });
    const { id, secret = '' } = CreatedSubscription.parse(created.json());
    const before = receiver.all.length;
    const sent = await fleet.askNode((maker + 1) % NODES.length, `/config/wknd/subscriptions/${id}/test.json`, { method: 'POST' });
    expect(sent.status).toBe(202);
    // Whichever node sends it must unseal the secret that this one sealed.
    const message = (await receiver.until(before + 1)).at(before) ?? expect.unreachable();
    expect(verified(message, secret)).toBeDefined();
    expect((await fleet.askNode(maker, `/config/wknd/subscriptions/${id}.json`, { method: 'DELETE' })).status).toBe(204);
  }
  for (const node of NODES) {
    const trail = AuditVerification.parse((await fleet.askNode(node, '/config/wknd/log/verification.json')).json());
    expect(trail).toMatchObject({ intact: true });
  }
}

async function apiKeyOf(node: number): Promise<string> {
  const body = { description: 'Made while keys change.', roles: ['admin'] };
  const created = await fleet.askNode(node, '/config/wknd/apiKeys.json', { method: 'POST', body });
  return CreatedApiKey.parse(created.json()).value;
}

async function statusWith(key: string, node: number): Promise<number> {
  return (await fleet.askNode(node, '/config/wknd/sites/one.json', { headers: { 'x-auth-token': key } })).status;
}

function keys(kind: 'signing' | 'secret', ...args: readonly string[]): Promise<string[]> {
  return names(operate(['keys', kind, ...args], { SIGNING_KEY_FILE: fleet.keyFiles.signing, SECRET_KEY_FILE: fleet.keyFiles.secret }));
}
