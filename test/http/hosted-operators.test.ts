import { ServiceState } from '@repoless/contract/operator.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { expect, test } from 'vitest';
import { startFrontWorld } from './hosted-world.ts';

const world = startFrontWorld({ OPERATORS: EXAMPLE.admin, METRICS_PORT: '0' });
const org = `/config/${EXAMPLE.org}.json`;
const site = `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}.json`;

async function state(): Promise<ServiceState> {
  const answer = await world.backend.call('GET', '/admin/state', { headers: world.ada });
  expect(answer.status, answer.text).toBe(200);
  return ServiceState.parse(answer.json());
}

async function figures(): Promise<Map<string, number>> {
  const [address = ''] = world.lines.flatMap((line) => /Metrics are at (http:\S+?)"/.exec(line)?.[1] ?? []);
  const printed = (await (await fetch(address)).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(printed.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

test('tells operators how the hosted service answers, and whose requests wait for their turn', async () => {
  const { backend, hosted, ada } = world;
  await state();
  const asked = Array.from({ length: 14 }, () => backend.call('GET', site, { headers: ada }));
  await expect
    .poll(async () => (await state()).hosted?.organizations, { timeout: 10_000, interval: 10 })
    .toEqual([{ org: EXAMPLE.org, running: expect.any(Number), waiting: expect.toSatisfy((count: number) => count > 0) }]);
  const busy = await figures();
  expect(busy.get('repoless_hosted_waiting_requests')).toBeGreaterThan(0);
  expect(busy.get('repoless_hosted_longest_wait_seconds')).toBeGreaterThanOrEqual(0);
  await Promise.all(asked);
  hosted.fault({ kind: 'cut', method: 'GET', path: org });
  expect((await backend.call('GET', org, { headers: ada })).code).toBe('HOSTED_UNREACHABLE');
  expect((await backend.call('GET', site, { headers: { 'x-auth-token': 'made-up' } })).status).toBe(401);

  const { service, nodes, queues, hosted: seen } = await state();
  expect([nodes.length, queues, service.uptime]).toEqual([1, { rollouts: { waiting: 0 } }, expect.any(Number)]);
  expect(seen).toMatchObject({ address: hosted.address, organizations: [], refused: 1 });
  const count = (status: string) => hosted.requests.filter((one) => String(one.status) === status).length;
  expect(seen?.answers.map(({ status, count: times }) => [status, times])).toEqual([
    ['200', count('200')],
    ['401', 1],
    ['none', 1],
  ]);
  const found = await figures();
  expect(found.get('repoless_hosted_requests_total{status="200"}')).toBe(count('200'));
  expect(found.get('repoless_hosted_requests_total{status="none"}')).toBe(1);
  expect(found.get('repoless_hosted_request_seconds_total')).toBeGreaterThan(0);
  expect(found.get('repoless_hosted_waiting_requests')).toBe(0);
  expect(found.get('repoless_hosted_refused_tokens_total')).toBe(1);
  expect([found.get('repoless_storage_up'), found.get('repoless_overloaded')]).toEqual([1, 0]);
});

test('shows them the same as a page, which asks for a token first', async () => {
  const { backend, hosted, ada } = world;
  const unknown = await backend.call('GET', '/admin', { headers: { accept: 'text/html' } });
  expect([unknown.status, unknown.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(unknown.headers['content-security-policy']).toContain(`connect-src ${backend.address}/admin;`);
  expect(unknown.text).toContain('<label for="token">Token</label>');
  const { status, text } = await backend.call('GET', '/admin', { headers: ada });
  expect(status).toBe(200);
  for (const shown of [
    `Answers of the hosted service at ${hosted.address}`,
    'no answer',
    'Tokens that it did not accept: 1.',
    'Rollouts in progress',
  ])
    expect(text).toContain(shown);
  // Functions and addresses that the service lacks here.
  for (const absent of ['Code syncs', 'Nearest to their quotas', '/logout']) expect(text).not.toContain(absent);
});

test('shows nothing of that to others', async () => {
  const { backend, hosted } = world;
  const otto = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.otherAdmin }) };
  const key = { 'x-auth-token': hosted.token('apiKey', { sub: `${EXAMPLE.org}/*`, roles: ['admin'] }) };
  for (const headers of [otto, key]) {
    expect((await backend.call('GET', '/admin/state', { headers })).code).toBe('NOT_AUTHORIZED');
    const page = await backend.call('GET', '/admin', { headers });
    expect([page.status, page.text.includes('Answers of the hosted service')]).toEqual([403, false]);
  }
  expect((await backend.call('GET', '/admin/state')).code).toBe('NOT_AUTHENTICATED');
});
