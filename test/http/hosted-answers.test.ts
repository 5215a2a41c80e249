import { LIMITS } from '@repoless/contract/limits.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startTestBackend } from '../support/backend.ts';
import { forwardTo, startReceiver } from '../support/receiver.ts';

/** Bytes of a large answer: an organization has memory for two. */
const LARGE = Buffer.from('{"title":"Large"}'.padStart(LIMITS.hostedBytes / 8 - 100_000));
const ORGS = ['large-1', 'large-2', 'large-3', 'large-4'];

test('large answers of the hosted service use up to a quarter of LIMITS.hostedBytes for each organization, and all of it together', async () => {
  const hosted = await startHosted({ switches: { requestsPerSecond: 0 } });
  onTestFinished(hosted.close);
  const forward = forwardTo(hosted.address);
  /** Answers that have started and do not end, with their address. */
  const held = new Map<ServerResponse, string>();
  let isHeld = false;
  const receiver = await startReceiver((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/config/small')) return void response.end('{"title":"Small"}');
    if (!url.startsWith('/config/large')) return forward(request, response);
    if (!isHeld) return void response.end(LARGE);
    held.set(response, url);
    response.on('close', () => held.delete(response));
    return void response.write(LARGE);
  });
  onTestFinished(receiver.stop);
  const backend = await startTestBackend({
    claim: false,
    dryRun: false,
    settings: {
      UPSTREAM: receiver.address,
      UPSTREAM_SUCCESSOR: receiver.address,
      UPSTREAM_PREVIEW: hosted.previewDomain,
      UPSTREAM_LIVE: hosted.liveDomain,
      UPSTREAM_GENERATION: '5',
      AUTHOR_HOSTS: 'localhost:1',
    },
  });
  onTestFinished(backend.stop);
  const headers = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.admin }) };
  const read = async (org: string) => backend.call('GET', `/config/${org}.json`, { headers });
  const answers: Promise<{ readonly status: number }>[] = [];
  const heldOf = (org: string) => Array.from(held.values()).filter((url) => url === `/config/${org}.json`).length;
  /** Holds two answers of each organization until another one is refused. An answer that is not yet received completely may be, too. */
  const refusedWhile = async (orgs: readonly string[], other: string) => {
    let refused: Awaited<ReturnType<typeof read>> | undefined;
    const attempt = async () => {
      isHeld = true;
      for (const org of orgs) {
        const missing = Array.from({ length: 2 - heldOf(org) }, async () => read(org));
        answers.push(...missing);
        await expect.poll(() => heldOf(org)).toBe(2);
      }
      isHeld = false;
      refused = await read(other);
      return [refused.code, held.size];
    };
    await expect.poll(attempt, { timeout: 30_000 }).toEqual(['OVERLOADED', 2 * orgs.length]);
    return refused;
  };

  const [first = '', second = ''] = ORGS;
  const refused = await refusedWhile([first], first);
  expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '5']);
  expect((await read(second)).status).toBe(200);
  await refusedWhile(ORGS, 'large-5');
  expect((await read('small-5')).status).toBe(200);

  for (const response of held.keys()) response.end();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 503)).toEqual(ORGS.flatMap(() => [200, 200]));
  expect((await read('large-5')).status).toBe(200);
});
