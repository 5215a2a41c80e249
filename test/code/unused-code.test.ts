import { UsageReport } from '@repoless/contract/org.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { expect, it, onTestFinished } from 'vitest';
import { OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { type Byogit, startByogit } from '../support/byogit.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { codeCalls, externalCode } from '../support/code-world.ts';
import { stopAfterTest } from '../support/start-before-all.ts';

const HOUR = 60 * 60 * 1000;
const SECRET = 'the-secret-of-the-repository';

/** A deployment whose clock advances by hours, up to the real one, by which tokens are issued, and which can be restarted. */
async function startAging(settings: Readonly<Record<string, string>> = {}) {
  const { path: dataDir } = await stopAfterTest(temporaryDirectory());
  let behind = 100 * HOUR;
  let rounds = 0;
  let backend: TestBackend | undefined;
  onTestFinished(async () => backend?.stop());
  const world = {
    backend: () => backend ?? expect.unreachable('It is not started.'),
    rounds: () => rounds,
    /** Restarts it, or starts it if none runs. */
    async start() {
      await backend?.stop();
      const claim = backend === undefined;
      backend = undefined;
      backend = await startTestBackend({
        claim,
        dryRun: false,
        now: () => new Date(Date.now() - behind),
        settings: { DATA_DIR: dataDir, CODE_RETRY_DELAY: '5', ...settings },
        async open() {
          const store = await openStore({ dataDir });
          const { manifests } = store.code;
          return Object.assign(store, { code: { ...store.code, manifests: () => manifests().finally(() => (rounds += 1)) } });
        },
      });
    },
    /** Advances the clock by hours, and syncs: the end of a sync triggers the search for unused code. */
    async later(hours: number) {
      behind -= hours * HOUR;
      const before = rounds;
      expect(await sync()).toBeUndefined();
      await expect.poll(() => rounds, { timeout: 20_000 }).toBe(before + 1);
    },
  };
  /** Syncs a branch. Returns the error, if it failed. */
  async function sync(): Promise<string | undefined> {
    return (await codeCalls(world.backend()).sync('one')).error;
  }
  /** Advances the clock by hours, and restarts: the start triggers the search too, once. */
  async function startedLater(hours: number): Promise<void> {
    behind -= hours * HOUR;
    await world.start();
    const before = rounds;
    expect(await sync()).toBeUndefined();
    await expect.poll(() => rounds, { timeout: 20_000 }).toBe(before + 1);
  }
  const register = async (byogit: Byogit) => {
    const { call } = world.backend();
    const code = externalCode(byogit.address, { owner: '100', repo: '200', secretId: 'cm-byog' });
    const put = await call('PUT', '/config/wknd/sites/one.json', { as: OPERATOR, body: siteBody('wknd', 'one', { code }) });
    expect(put.status, put.text).toBeLessThan(300);
    const secret = { as: OPERATOR, body: { value: SECRET } };
    expect((await call('POST', '/config/wknd/sites/one/secrets/cm-byog.json', secret)).status).toBe(200);
  };
  const served = async () => (await world.backend().store.code.keys()).length;
  await world.start();
  return { ...world, sync, startedLater, register, served };
}

async function vendor(text: string): Promise<Byogit> {
  const byogit = await stopAfterTest(startByogit(SECRET));
  byogit.branches.set('main', new Map([['styles/styles.css', text]]));
  return byogit;
}

it('code at addresses that no site uses any more counts towards no quota, and is removed after a day', { timeout: 120_000 }, async () => {
  const world = await startAging({ ORG_CODE_BYTES: '1500' });
  const [before, after] = [await vendor('a'.repeat(1000)), await vendor('b'.repeat(1001))];
  await world.register(before);
  expect(await world.sync()).toBeUndefined();
  await world.register(after);
  expect(await world.sync()).toBeUndefined();
  const usage = await world.backend().call('GET', '/config/wknd/usage.json', { as: OPERATOR });
  expect(UsageReport.parse(usage.json()).codeBytes).toEqual({ used: 1001, limit: 1500 });
  await world.later(2);
  expect(await world.served()).toBe(2);
  await world.later(25);
  await expect.poll(world.served, { timeout: 20_000 }).toBe(1);
  expect((await world.backend().visit('live', 'main--one--wknd', '/styles/styles.css')).status).toBe(200);
});

it('a service that restarts several times a day removes code that no site used for a day', { timeout: 120_000 }, async () => {
  const world = await startAging();
  await world.register(await vendor('a'));
  expect(await world.sync()).toBeUndefined();
  await world.register(await vendor('b'));
  for (let start = 1; start <= 3; start += 1) {
    await world.later(9);
    expect(await world.served()).toBe(2);
    await world.start();
  }
  await world.later(9);
  await expect.poll(world.served, { timeout: 20_000 }).toBe(1);
});

it(
  'a service that restarts before each sync removes code that no site used for a day, and searches at most once an hour',
  { timeout: 120_000 },
  async () => {
    const world = await startAging();
    await world.register(await vendor('a'));
    expect(await world.sync()).toBeUndefined();
    await world.register(await vendor('b'));
    await world.startedLater(2);
    for (let start = 1; start <= 2; start += 1) {
      await world.start();
      expect(await world.sync()).toBeUndefined();
    }
    expect(await world.served()).toBe(2);
    await world.startedLater(25);
    await expect.poll(world.served, { timeout: 20_000 }).toBe(1);
    // One search after two hours, one after a day: none at the starts between.
    expect(world.rounds()).toBe(2);
  },
);
