import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startCodeHost } from '#sandbox/code-host/start-code-host.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { untilStopped } from '../support/job-stream.ts';
import { operated } from '../support/operated.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it('makes lost code again by a sync, as the manual says', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-lost-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const codeHost = await startCodeHost({ port: 0, dataDir: folder });
  const deployment = await operated();
  closing.push(codeHost.stop, deployment.stop);
  const settings = { CODE_HOST: codeHost.address, CODE_RETRY_DELAY: '5' };

  const before = await deployment.start(settings);
  const body = siteBody('wknd', 'coded', { code: { owner: 'wknd', repo: 'wknd' } });
  expect((await before.call('PUT', '/config/wknd/sites/coded.json', { as: OPERATOR, body })).status).toBe(201);
  await sync(before);
  const served = await file(before);
  expect(served.status).toBe(200);

  await deployment.halt();
  for (const lost of ['code', 'mirrors']) await rm(join(deployment.dataDir, lost), { recursive: true });
  const after = await deployment.start(settings);
  expect((await after.call('GET', '/config/wknd/sites/coded.json', { as: OPERATOR })).status).toBe(200);
  expect((await file(after)).status).toBe(503);
  await sync(after);
  expect(await file(after)).toMatchObject({ status: 200, text: served.text });
});

async function sync(backend: TestBackend): Promise<void> {
  expect((await backend.call('POST', '/code/wknd/coded/main/*', { as: OPERATOR })).status).toBe(202);
  const job = await untilStopped(backend.address, '/job/wknd/coded/main/code', { 'x-auth-token': await backend.token(OPERATOR) });
  expect(job.error).toBeUndefined();
}

async function file(backend: TestBackend): Promise<{ status: number; text: string }> {
  const { status, text } = await backend.visit('live', 'main--coded--wknd', '/head.html');
  return { status, text };
}
