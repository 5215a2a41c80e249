import { CodeCheck } from '@repoless/contract/code-check.ts';
import { createAsk } from '@repoless/upstream/ask.ts';
import { createBridge } from '@repoless/upstream/bridge.ts';
import { hostedServiceAt, infoOf } from '@repoless/upstream/hosted.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startRepositories } from '../setup/repositories.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { memoryStore, startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startHostedWorld();
const repositories = startBeforeAll(startRepositories);

async function check(query: string, codeHost = repositories.address) {
  const { address } = world.hosted;
  const service = hostedServiceAt(address, { service: address, codeHost, codeHostRaw: `${codeHost}/raw` });
  if (service === undefined) throw new Error('The stand-in is not taken for a hosted service.');
  const ask = createAsk({ wait: async () => undefined, now: () => 0 });
  const bridge = createBridge({ ...service, ask, store: memoryStore().store, info: infoOf(service), now: () => new Date() });
  const headers = { 'x-auth-token': world.hosted.token('session', { email: EXAMPLE.admin }) };
  const answer = await bridge({ method: 'GET', path: `/config/wknd/sites/any/code/check.json?${query}`, headers });
  return { status: answer.status, code: answer.headers['x-error-code'], body: JSON.parse(answer.text) as unknown };
}

test('a public repository is looked at on the code host: its branch, its commit, and the files that the editor needs', async () => {
  const { body } = await check('type=github&owner=wknd&repo=wknd');
  const found = CodeCheck.parse(body);
  expect(found).toMatchObject({ repository: 'found', branch: 'found', files: { 'head.html': 'found' } });
  const clone = await repositories.clone('wknd');
  expect(found.sha).toBe((await clone.git('rev-parse', 'origin/main')).trim());
  expect((await check('type=github&owner=wknd&repo=wknd&ref=nowhere')).body).toMatchObject({ repository: 'found', branch: 'missing' });
});

test('a repository that is not shown to everybody may be private: nobody is told to publish it', async () => {
  const { body } = await check('type=github&owner=wknd&repo=secret-one');
  const { repository, detail } = CodeCheck.parse(body);
  expect([repository, detail]).toEqual(['unchecked', expect.stringContaining('vendor’s app on the code host')]);
  expect(detail).not.toMatch(/publish|make it public/i);
});

test('an external repository is read by Cloud Manager, and a code host that is away from here need not be from the hosted service', async () => {
  const external = await check('type=byogit&owner=p1&repo=r1&url=https%3A%2F%2Fcm-repo.adobe.io%2Fapi');
  expect(external.body).toMatchObject({ repository: 'unchecked', detail: expect.stringContaining('Cloud Manager') });
  expect((await check('type=github&owner=wknd&repo=wknd', 'http://127.0.0.1:1')).body).toMatchObject({
    repository: 'unchecked',
    detail: expect.stringContaining('does not respond'),
  });
});

test('a code host that answers megabytes without a branch holds nobody up', async () => {
  const host = createServer((_, response) => response.end(`${'a'.repeat(100_000)}\n003f${'b'.repeat(40)} refs/heads/main\n0000`));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const { port } = host.address() as AddressInfo;
  let found: unknown;
  const standstill = await longestStandstill(async () => {
    found = (await check('type=github&owner=wknd&repo=wknd', `http://127.0.0.1:${port}`)).body;
  });
  expect(found).toMatchObject({ branch: 'found', sha: 'b'.repeat(40) });
  expect(standstill).toBeLessThan(200);
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

test('an address of another repository than its name says is refused, as by a service of one’s own', async () => {
  const refused = await check(`type=github&owner=wknd&repo=wknd&url=${encodeURIComponent(`${repositories.address}/wknd/other`)}`);
  expect([refused.status, refused.code]).toEqual([400, 'QUERY_INVALID']);
});
