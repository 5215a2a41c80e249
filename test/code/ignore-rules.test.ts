import { JobStatus } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { selectFiles } from '@repoless/service/code/select-files.ts';
import fc from 'fast-check';
import ignore from 'ignore';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { tokenOf } from '../support/token-of.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { buildBackend, type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { waitOf } from '../support/loop-delay.ts';
import { diskFolder } from '../support/memory-folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** Twelve rules of 150 double stars each, on a file in 400 folders: a single one takes longer than any caller's timeout. */
const HOSTILE = Array.from({ length: 12 }, (_, index) => `${'**/a/'.repeat(150)}zz${index}`).join('\n');
const SHA = 'a'.repeat(40);
const DEEP = [{ path: `${'a/'.repeat(400)}x`, mode: '100644', type: 'blob', sha: SHA, size: 1 }];

let folder: string;
let port: number;
let child: ChildBackend;
let token: string;

beforeAll(async () => {
  await buildBackend();
  folder = await mkdtemp(join(diskFolder(), 'repoless-rules-'));
}, 120_000);
const repository = startBeforeAll(
  () =>
    startReceiver(({ url = '' }, response) => {
      if (url.endsWith('.hlxignore')) response.end(HOSTILE);
      else if (url.includes('/branches/')) response.end(JSON.stringify({ commit: { sha: SHA } }));
      else response.end(JSON.stringify({ sha: SHA, tree: DEEP, truncated: false }));
    }),
  120_000,
);
beforeAll(async () => {
  port = (await freePorts()).backend;
  child = await start();
  token = await tokenOf(folder, child.address);
}, 120_000);
afterAll(async () => {
  child.child.kill('SIGKILL');
  await child.ended;
  await rm(folder, { recursive: true, force: true });
});

function start(settings: Readonly<Record<string, string>> = {}): Promise<ChildBackend> {
  const { address } = repository;
  const hosts = { CODE_HOST: address, CODE_HOST_API: address, CODE_HOST_RAW: address, INTERNAL_ADDRESSES: 'allow', OPERATORS: OPERATOR };
  return startChildBackend(folder, {
    ...hosts,
    PORT: String(port),
    RATE_LIMIT: '0',
    CODE_RETRY_DELAY: '10',
    SHUTDOWN_GRACE: '1',
    ...settings,
  });
}
const call = (method: string, path: string, body?: unknown) =>
  ask(child.address, path, { method, headers: { 'x-auth-token': token }, ...(body !== undefined && { body }) });
const job = async () => JobStatus.parse((await call('GET', '/job/wknd/hostile/main/code')).json());

async function restarted(settings: Readonly<Record<string, string>> = {}): Promise<{ code: number | null }> {
  child.child.kill('SIGTERM');
  const { code } = await child.ended;
  child = await start(settings);
  return { code };
}

it('a service shuts down while it evaluates endless rules, and their sync fails for good after the restart', async () => {
  expect((await call('PUT', '/config/wknd.json', {})).status).toBe(201);
  const base = `${repository.address}/sync`;
  const source = { type: 'byogit', url: `${base}/api`, raw_url: `${base}/raw`, secretId: 'cm-byog' };
  const site = siteBody('wknd', 'hostile', { code: { owner: '100', repo: '200', source } });
  expect((await call('PUT', '/config/wknd/sites/hostile.json?unchecked=true', site)).status).toBe(201);
  await call('POST', '/config/wknd/sites/hostile/secrets/cm-byog.json', { value: 'the-secret' });
  expect((await call('POST', '/code/wknd/hostile/main/*')).status).toBe(202);
  await expect.poll(() => repository.requests.filter(({ url }) => url.includes('/git/trees/')).length, { timeout: 30_000 }).toBe(1);

  let ended: { code: number | null } | undefined;
  const waited = await waitOf(async () => {
    ended = await restarted({ CODE_LISTING_TIME: '1' });
  });
  expect(ended).toEqual({ code: 0 });
  // The rules alone would have taken that long.
  expect(waited).toBeLessThan(LIMITS.ignoreTime / 2);

  // The sync is resumed, because the shutdown is not blamed on it; the time limit of its rules still applies.
  await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe('stopped');
  expect((await job()).error).toBe(
    'The rules of .hlxignore take too long on the files of this branch. Write fewer or simpler rules, for example by naming folders.',
  );
  const requests = repository.requests.length;
  await restarted();
  expect([(await job()).state, (await job()).jobs.length, repository.requests.length]).toEqual(['stopped', 1, requests]);
}, 120_000);

const segment = fc.constantFrom('a', 'b', 'drafts', '*', '**', '*.js', 'a*', '?', '[ab]', '[!a]', '\\*', 'a b', '.x');
const rule = fc
  .tuple(
    fc.constantFrom('', '!', '#', '/', '\\!'),
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '/', ' ', '\\ ', '\r'),
  )
  .map(([prefix, segments, suffix]) => `${prefix}${segments.join('/')}${suffix}`);
const path = fc
  .array(fc.constantFrom('a', 'b', 'drafts', 'x.js', 'ab', '.x'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));

it('ignore rules exclude the same files as the library `ignore`', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 8 }), fc.uniqueArray(path, { minLength: 1, maxLength: 20 }), async (rules, paths) => {
      const text = rules.join('\n');
      const own = ignore().add(text);
      const files = paths.map((one) => ({ path: one, kind: 'file' as const, oid: one }));
      const selected = await selectFiles(files, text, { time: 60_000, share: 'wknd', signal: new AbortController().signal });
      expect(selected.files.map((file) => file.path)).toEqual(paths.filter((one) => !own.ignores(one)));
    }),
    { numRuns: 30 },
  );
}, 120_000);
