import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { expect, test } from 'vitest';
import { startFrontWorld } from './hosted-world.ts';

const world = startFrontWorld({ TRUST_PROXY: '127.0.0.1' });

/** Sends made-up tokens concurrently, each from its address. Returns how often each status was answered, and how many were looked up. */
async function tryTokens(addresses: readonly string[]) {
  const asked = world.hosted.requests.length;
  const answers = await Promise.all(
    addresses.map((address, index) =>
      world.backend.call('GET', '/orgs.json', {
        headers: { 'x-auth-token': `made-up ${address} ${index}`, 'x-forwarded-for': address },
      }),
    ),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  return { refused: count(401), tooMany: count(429), asked: world.hosted.requests.length - asked };
}

test('asks for no more tokens that a network tries at once than for those that it tries one after the other', async () => {
  const { refused, tooMany, asked } = await tryTokens(Array.from({ length: 100 }, () => '203.0.113.7'));
  // Two are looked up at a time.
  expect(asked).toBeLessThanOrEqual(41);
  expect([refused, tooMany]).toEqual([40, 60]);
  const token = world.hosted.token('session', { email: EXAMPLE.admin });
  const from = (address: string) =>
    world.backend.call('GET', '/orgs.json', { headers: { 'x-auth-token': token, 'x-forwarded-for': address } });
  expect((await from('203.0.113.7')).status).toBe(429);
  expect((await from('203.0.113.8')).status).toBe(200);
});

test('counts the tokens of all addresses that one customer of a provider has', async () => {
  const addresses = Array.from({ length: 100 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`);
  const { refused, tooMany, asked } = await tryTokens(addresses);
  expect(asked).toBeLessThanOrEqual(81);
  expect([refused, tooMany]).toEqual([80, 20]);
});
