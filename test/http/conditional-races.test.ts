import { expect, it } from 'vitest';
import { CreatedSubscription } from '@repoless/contract/event.ts';
import { OPERATOR as as, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { eachStore } from '../support/each-store.ts';
import { meanwhile } from '../support/meanwhile.ts';

const SITE = '/config/wknd/sites/raced';
interface Way {
  readonly method: string;
  readonly body?: object;
}
type Make = (backend: TestBackend) => Promise<string>;

/** What is made, a change of it, and what comes a moment later with the same `if-match`. */
const THINGS: readonly (readonly [string, Make, Way, readonly Way[]])[] = [
  [
    'a secret',
    secretMade,
    { method: 'POST', body: { value: 'first' } },
    [{ method: 'POST', body: { value: 'second' } }, { method: 'DELETE' }],
  ],
  [
    'a subscription',
    subscriptionMade,
    { method: 'PUT', body: webhook('first') },
    [{ method: 'PUT', body: webhook('second') }, { method: 'DELETE' }],
  ],
  [
    'the secret of a subscription',
    subscriptionMade,
    { method: 'PUT', body: webhook('present', 'the secret that is first of the two') },
    [{ method: 'PUT', body: webhook('present', 'the secret that comes a moment later') }, { method: 'DELETE' }],
  ],
  [
    'the name of a version',
    async () => `${SITE}/versions/1.json`,
    { method: 'POST', body: { name: 'first' } },
    [{ method: 'POST', body: { name: 'second' } }, { method: 'DELETE' }],
  ],
];

eachStore((engine) => {
  it.each(THINGS)('of two changes of %s at once with one if-match the second is refused', async (_, make, change, others) => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    await backend.call('PUT', `${SITE}.json`, { as, body: { title: 'Second' } });
    for (const [turn, other] of others.entries()) {
      const path = await make(backend);
      const headers = { 'if-match': (await backend.call('GET', path, { as })).headers['etag'] ?? '' };
      const faster = renamed(change, turn);
      between.next(async () => expect((await backend.call(faster.method, path, { as, headers, body: faster.body })).status).toBe(200));
      const late = await backend.call(other.method, path, { as, headers, body: other.body });
      expect([late.status, late.headers['x-error-code']]).toEqual([412, 'PRECONDITION_FAILED']);
      const kept = await backend.call('GET', path, { as });
      expect(kept.status).toBe(200);
      expect(kept.headers['etag']).not.toBe(headers['if-match']);
    }
    await backend.stop();
  });

  it('of two first values of a secret at once with if-none-match the second is refused', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    const set = (value: string) =>
      backend.call('POST', `${SITE}/secrets/one.json`, { as, headers: { 'if-none-match': '*' }, body: { value } });
    between.next(async () => expect((await set('first')).status).toBe(200));
    expect((await set('second')).status).toBe(412);
    await backend.stop();
  });
});

/** A name that it has already would change nothing. */
function renamed({ method, body }: Way, turn: number): Way {
  return body !== undefined && 'name' in body
    ? { method, body: { name: `first ${turn}` } }
    : { method, ...(body !== undefined && { body }) };
}

async function secretMade(backend: TestBackend): Promise<string> {
  const path = `${SITE}/secrets/one.json`;
  expect((await backend.call('POST', path, { as, body: { value: 'present' } })).status).toBe(200);
  return path;
}

async function subscriptionMade(backend: TestBackend): Promise<string> {
  const made = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('present') });
  return `/config/wknd/subscriptions/${CreatedSubscription.parse(made.json()).id}.json`;
}

function webhook(name: string, secret?: string): object {
  const given = secret !== undefined && { secret: `whsec_${Buffer.from(secret).toString('base64')}` };
  return { channel: { type: 'webhook', url: `https://hooks.example.com/${name}`, ...given } };
}
