import { CodeCheck } from '@repoless/contract/code-check.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { expect, test } from 'vitest';
import { startRepositories } from '../setup/repositories.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { startReceiver } from '../support/receiver.ts';
import { bridgeAt, startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startHostedWorld();
const repositories = startBeforeAll(startRepositories);

async function check(query: string, codeHost = repositories.address) {
  const { bridge } = bridgeAt(world.hosted.address, { codeHost, codeHostRaw: `${codeHost}/raw` });
  const headers = { 'x-auth-token': world.hosted.token('session', { email: EXAMPLE.admin }) };
  const answer = await bridge({ method: 'GET', path: `/config/wknd/sites/any/code/check.json?${query}`, headers });
  return { status: answer.status, code: answer.headers['x-error-code'], body: JSON.parse(answer.text) as unknown };
}

test('a public repository is probed on the code host: its branch, its commit, and the files that the editor needs', async () => {
  const { body } = await check('type=github&owner=wknd&repo=wknd');
  const found = CodeCheck.parse(body);
  expect(found).toMatchObject({ repository: 'found', branch: 'found', files: { 'head.html': 'found' } });
  const clone = await repositories.clone('wknd');
  expect(found.sha).toBe((await clone.git('rev-parse', 'origin/main')).trim());
  expect((await check('type=github&owner=wknd&repo=wknd&ref=nowhere')).body).toMatchObject({ repository: 'found', branch: 'missing' });
});

test('a repository that cannot be read may be private, and no one is advised to publish it', async () => {
  const { body } = await check('type=github&owner=wknd&repo=secret-one');
  const { repository, detail } = CodeCheck.parse(body);
  expect([repository, detail]).toEqual(['unchecked', expect.stringContaining('vendor’s app on the code host')]);
  expect(detail).not.toMatch(/publish|make it public/i);
});

test('an external repository is left to Cloud Manager, and an unreachable code host may be reachable for the hosted service', async () => {
  const external = await check('type=byogit&owner=p1&repo=r1&url=https%3A%2F%2Fcm-repo.adobe.io%2Fapi');
  expect(external.body).toMatchObject({ repository: 'unchecked', detail: expect.stringContaining('Cloud Manager') });
  expect((await check('type=github&owner=wknd&repo=wknd', 'http://127.0.0.1:1')).body).toMatchObject({
    repository: 'unchecked',
    detail: expect.stringContaining('does not respond'),
  });
});

test('a code host that answers megabytes before the branch does not block the event loop', async () => {
  const host = await startReceiver((_, response) => response.end(`${'a'.repeat(100_000)}\n003f${'b'.repeat(40)} refs/heads/main\n0000`));
  let found: unknown;
  const blocked = await longestBlock(async () => {
    found = (await check('type=github&owner=wknd&repo=wknd', host.address)).body;
  });
  expect(found).toMatchObject({ branch: 'found', sha: 'b'.repeat(40) });
  expect(blocked).toBeLessThan(200);
  await host.stop();
});

test('an address of another repository than its name is refused, as by our own service', async () => {
  const refused = await check(`type=github&owner=wknd&repo=wknd&url=${encodeURIComponent(`${repositories.address}/wknd/other`)}`);
  expect([refused.status, refused.code]).toEqual([400, 'QUERY_INVALID']);
});
