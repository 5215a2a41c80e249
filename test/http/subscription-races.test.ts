import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CreatedSubscription, SubscriptionList } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR as as, startTestBackend } from '../support/backend.ts';
import { eachStore } from '../support/each-store.ts';
import { meanwhile } from '../support/meanwhile.ts';

eachStore((engine) => {
  it('there are no more subscriptions than may be, however many are made at once, and those that are there may be replaced', async () => {
    const { open } = await engine.place();
    const settings = { SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json') };
    const nodes = [await startTestBackend({ settings, dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ settings, dryRun: false, claim: false, open }));
    const call = async (turn: number, method: string, path: string, body?: object) => {
      const node = nodes[turn % nodes.length];
      if (node === undefined) throw new Error('There is no node.');
      return await node.call(method, `/config/wknd/${path}`, { as, ...(body !== undefined && { body }) });
    };
    const webhook = (n: number) => ({ channel: { type: 'webhook', url: `https://hooks.example.com/${n}` } });
    const most = LIMITS.subscriptions;
    const answers = await Promise.all(Array.from({ length: most + 20 }, (_, n) => call(n, 'POST', 'subscriptions.json', webhook(n))));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, headers }) => status === 409 && headers['x-error-code'] === 'SUBSCRIPTION_REFUSED');
    expect([made.length, refused.length]).toEqual([most, 20]);
    const list = async () => SubscriptionList.parse((await call(0, 'GET', 'subscriptions.json')).json()).subscriptions;
    expect(await list()).toHaveLength(most);
    const [first] = made.map((answer) => CreatedSubscription.parse(answer.json()).id);
    expect((await call(0, 'PUT', `subscriptions/${first}.json`, webhook(99))).status).toBe(200);
    expect((await call(1, 'DELETE', `subscriptions/${first}.json`)).status).toBe(204);
    expect((await call(0, 'POST', 'subscriptions.json', webhook(100))).status).toBe(201);
    expect(await list()).toHaveLength(most);
    for (const node of nodes) await node.stop();
  });

  it('one that is removed, or gets another secret, while it is replaced is decided on again', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    const path = (id: string) => `/config/wknd/subscriptions/${id}.json`;
    const webhook = (name: string, secret?: string) => ({ channel: { type: 'webhook', url: `https://hooks.example.com/${name}`, secret } });
    const make = async () => {
      const made = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('first') });
      return CreatedSubscription.parse(made.json()).id;
    };
    const id = await make();
    between.next(async () => expect((await backend.call('DELETE', path(id), { as })).status).toBe(204));
    const late = await backend.call('PUT', path(id), { as, body: webhook('late') });
    expect([late.status, late.headers['x-error-code']]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
    expect((await backend.call('GET', path(id), { as })).status).toBe(404);

    const other = await make();
    const sealed = async () =>
      (await backend.store.reads.subscriptions('wknd')).map(({ channel }) => ('sealed' in channel ? channel.sealed : ''));
    const first = await sealed();
    let second = first;
    between.next(async () => {
      const secret = `whsec_${Buffer.from('another secret of the same receiver').toString('base64')}`;
      expect((await backend.call('PUT', path(other), { as, body: webhook('second', secret) })).status).toBe(200);
      second = await sealed();
    });
    expect((await backend.call('PUT', path(other), { as, body: webhook('third') })).status).toBe(200);
    expect(await sealed()).toEqual(second);
    expect(second).not.toEqual(first);
    await backend.stop();
  });
});
