import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostedAccess } from '#contract/build-management.ts';
import { LIMITS } from '#contract/limits.ts';
import { startBuildWorld } from './world.ts';
import type { BuildWorld } from './world.ts';

const ORGS = ['wknd', 'second', 'third'] as const;
let world: BuildWorld;
const places = new Map<string, HostedAccess>();
beforeAll(async () => {
  world = await startBuildWorld({}, ORGS);
  for (const org of ORGS) {
    const body = { programId: '100', name: 'store' };
    const answer = await world.call('POST', `/organizations/${org}/hosted-repositories`, { body });
    expect(answer.status, answer.text).toBe(201);
    places.set(org, HostedAccess.parse(answer.json()));
  }
}, 60_000);
afterAll(() => world.stop());

const credential = (org: string) => `Basic ${Buffer.from(`git:${places.get(org)?.accessToken ?? ''}`).toString('base64')}`;

/** A client that begins to fetch and says nothing more; one that is told to wait tries again. Out: how it leaves. */
function hold(org: string): () => void {
  const { cloneUrl = '' } = places.get(org) ?? {};
  const headers = { authorization: credential(org), 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' };
  const held = request(`${cloneUrl}/git-upload-pack`, { method: 'POST', headers, agent: false });
  let leave = (): void => void held.destroy();
  held.on('error', () => undefined);
  held.once('response', (answer) => {
    answer.resume();
    if (answer.statusCode === 503) leave = hold(org);
  });
  held.flushHeaders();
  return () => leave();
}
async function branches(org: string): Promise<readonly [number, string | undefined]> {
  const headers = { authorization: credential(org) };
  const { pathname } = new URL(places.get(org)?.cloneUrl ?? '');
  const answer = await world.call('GET', `${pathname}/info/refs?service=git-upload-pack`, { as: null, headers });
  return [answer.status, answer.headers['x-error-code']];
}

it('LIMITS.gitClientsOfOrg clients of an organization are served at once, LIMITS.gitClients of all, and one more is told to wait', async () => {
  const holding: (() => void)[] = [];
  const fill = (org: string, count: number) => {
    for (let index = 0; index < count; index += 1) holding.push(hold(org));
  };
  fill('wknd', LIMITS.gitClientsOfOrg - 1);
  expect(await branches('wknd')).toEqual([200, undefined]);
  fill('wknd', 1);
  await expect.poll(() => branches('wknd'), { timeout: 20_000 }).toEqual([503, 'GIT_BUSY']);

  fill('second', LIMITS.gitClients - LIMITS.gitClientsOfOrg - 1);
  expect(await branches('third')).toEqual([200, undefined]);
  fill('second', 1);
  await expect.poll(() => branches('third'), { timeout: 20_000 }).toEqual([503, 'GIT_BUSY']);

  holding.pop()?.();
  await expect.poll(() => branches('third'), { timeout: 20_000 }).toEqual([200, undefined]);
  for (const leave of holding) leave();
  await expect.poll(() => branches('wknd'), { timeout: 20_000 }).toEqual([200, undefined]);
});
