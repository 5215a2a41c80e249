import { freePorts } from '@repoless/sandbox/addresses.ts';
import { startCodeHost } from './git-hosts.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from './ask.ts';
import { tokenOf } from './token-of.ts';
import { OPERATOR, siteBody } from './backend.ts';
import { buildBackend, type ChildBackend, startChildBackend } from './child-backend.ts';
import { cloneOf, type CodeClone, untilStopped } from './code-world.ts';
import { IS_LONG } from './long-tests.ts';
import { diskFolder } from './memory-folder.ts';
import { startBeforeAll } from './start-before-all.ts';

const KILLS = IS_LONG ? 10 : 3;
const FILES = Array.from({ length: 40 }, (_, n) => `killed/file-${n}.txt`);
const DOMAINS = { PREVIEW_DOMAIN: 'preview.test', LIVE_DOMAIN: 'live.test' };

/** Tests what is served while the service is killed repeatedly during a sync. `where` returns the settings of its code storage. */
export function killJourney(where: () => Promise<Readonly<Record<string, string>>>): void {
  let folder: string;
  let clone: CodeClone;
  let child: ChildBackend;
  /** The same after each restart: tokens are issued for this address. */
  let port: number;
  let storage: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await buildBackend();
    folder = await mkdtemp(join(diskFolder(), 'repoless-kill-'));
  }, 120_000);
  const codeHost = startBeforeAll(() => startCodeHost({ port: 0, dataDir: join(folder, 'code-host') }), 120_000);
  beforeAll(async () => {
    clone = await cloneOf(codeHost.address, 'wknd/wknd', join(folder, 'clone'));
    port = (await freePorts()).backend;
    storage = await where();
    child = await start();
  }, 120_000);
  afterAll(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    `serves all old or all new files, and ends its job, after each of ${KILLS} kills during a sync`,
    { timeout: 60_000 + KILLS * 15_000 },
    async () => {
      const token = await tokenOf(folder, child.address);
      const call = (method: string, path: string, body?: unknown) =>
        ask(child.address, path, { method, headers: { 'x-auth-token': token }, ...(body !== undefined && { body }) });
      expect((await call('PUT', '/config/wknd.json', {})).status).toBe(201);
      const site = siteBody('wknd', 'killed', { code: { owner: 'wknd', repo: 'wknd' } });
      expect((await call('PUT', '/config/wknd/sites/killed.json', site)).status).toBe(201);
      await clone.push(version(0));
      const syncStart = performance.now();
      expect((await call('POST', '/code/wknd/killed/main/*')).status).toBe(202);
      expect((await untilStopped(child.address, '/job/wknd/killed/main/code', { 'x-auth-token': token })).error).toBeUndefined();
      const duration = performance.now() - syncStart;
      expect(await served()).toEqual(FILES.map(() => 0));

      let [old, fresh, interrupted] = [0, 0, 0];
      for (let n = 1; n <= KILLS; n += 1) {
        await clone.push(version(n));
        expect((await call('POST', '/code/wknd/killed/main/*')).status).toBe(202);
        await afterRandom(duration * 1.6);
        await kill();
        child = await start();
        // While the sync is resumed, files may change between two reads, but never back.
        const versions = await served();
        expect(
          versions.every((one, index) => (one === n || one === n - 1) && one >= (versions[index - 1] ?? 0)),
          versions.join(' '),
        ).toBe(true);
        if (versions[0] === n) fresh += 1;
        else old += 1;
        const status = await untilStopped(child.address, '/job/wknd/killed/main/code', { 'x-auth-token': token });
        expect(status.error).toBeUndefined();
        if (status.startTime !== undefined && versions[0] !== n) interrupted += 1;
        expect(await served()).toEqual(FILES.map(() => n));
      }
      if (IS_LONG)
        console.log(`${KILLS} kills: after the restart all old ${old} times, all new ${fresh} times; ${interrupted} jobs were resumed`);
    },
  );

  async function served(): Promise<number[]> {
    const versions: number[] = [];
    for (const path of FILES) {
      const { status, text } = await ask(child.address, `/${path}`, { host: 'main--killed--wknd.preview.test' });
      expect(status).toBe(200);
      versions.push(Number(text.split('\n')[0]));
    }
    return versions;
  }

  function start(): Promise<ChildBackend> {
    const settings = {
      CODE_HOST: codeHost.address,
      CODE_HOST_API: `${codeHost.address}/api`,
      INTERNAL_ADDRESSES: 'allow',
      OPERATORS: OPERATOR,
    };
    return startChildBackend(folder, { ...settings, ...DOMAINS, PORT: String(port), RATE_LIMIT: '0', CODE_RETRY_DELAY: '10', ...storage });
  }

  async function kill(): Promise<void> {
    child.child.kill('SIGKILL');
    if (child.child.exitCode === null && child.child.signalCode === null) await once(child.child, 'exit');
  }
}

function version(n: number): Record<string, string> {
  return Object.fromEntries(FILES.map((path) => [path, `${n}\n${path}\n${'x'.repeat(2000)}`]));
}

/** The test varies the moment of the kill, so there is no state to wait for. */
function afterRandom(longest: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
