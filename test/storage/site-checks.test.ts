import { afterEach, expect, it, vi } from 'vitest';
import { unsyncedCode } from '@repoless/service/checks/unsynced-code.ts';
import { originOf } from '@repoless/service/code/rules/code-origin.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { org, publicPaths, siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { counted, HOUR, jobOf, list, checkCounts, NO_BRANCH, node, nodeWithOwnClock, register, completeSite } from './checked-sites.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';

afterEach(() => void vi.useRealTimers());

eachStore((engine) => {
  it('compares LIMITS.checkedRepositories repositories of an organization with the code host, once per interval unless forced', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putOrg(org()));
    for (let index = 0; index < LIMITS.checkedRepositories + 5; index += 1) {
      const repo = `code-${index}`;
      const code = { owner: 'acme', repo, source: { type: 'github', url: `https://github.com/acme/${repo}` } } as const;
      await putSite(store, siteWrite(`site-${index}`, { code }));
    }
    const clock = { time: new Date() };
    const probed: string[] = [];
    const compare = unsyncedCode({
      store,
      files: { availability: async () => ({ state: 'served', sha: 'same', synced: 'same', error: undefined }) },
      head: async ({ repo }) => {
        probed.push(repo);
        return 'same';
      },
      branchProbe: NO_BRANCH,
      interval: HOUR,
      now: () => clock.time,
    });
    const { signal } = new AbortController();
    await compare('acme', false, signal);
    expect(probed).toHaveLength(LIMITS.checkedRepositories);
    clock.time = new Date(clock.time.getTime() + HOUR - 1);
    await compare('acme', false, signal);
    expect(probed).toHaveLength(LIMITS.checkedRepositories);
    await compare('acme', true, signal);
    expect(probed).toHaveLength(2 * LIMITS.checkedRepositories);
    // Those omitted come first the next time.
    expect(new Set(probed).size).toBe(LIMITS.checkedRepositories + 5);
  });

  it('lists a thousand sites with as many queries as one', async () => {
    const store = await engine.open();
    await register(store, 1000);
    const rounds = node(store);
    await rounds.checkDue();
    const found = await list(store);
    expect(found.counts).toEqual({ sites: 1000, states: { changed: 1000 } });
    expect(found.sites.map(({ checkedAt }) => checkedAt)).not.toContain(undefined);
    const [one, all] = [counted(store), counted(store)];
    await list(one.store, { limit: 1 });
    await list(all.store);
    expect(all.calls).toEqual(one.calls);
    expect((await list(store, { limit: 2, after: 'site-0997' })).sites.map(({ name }) => name)).toEqual(['site-0998', 'site-0999']);
    await rounds.close();
  }, 120_000);

  it('reports its progress every LIMITS.checksAtOnce sites', async () => {
    const store = await engine.open();
    const sites = 2 * LIMITS.checksAtOnce + 1;
    await register(store, sites);
    const progress: (number | undefined)[] = [];
    const { checks } = store;
    const watched: Store['checks'] = {
      ...checks,
      async saveRound(...args) {
        const saved = await checks.saveRound(...args);
        progress.push((await list(store)).running?.done);
        return saved;
      },
    };
    const rounds = node({ ...store, checks: watched });
    expect(await rounds.start('acme')).toMatchObject({ joined: false, round: { done: 0, total: sites } });
    expect(await rounds.start('acme')).toMatchObject({ joined: true, round: { total: sites } });
    await expect.poll(async () => (await list(store)).running).toBeUndefined();
    expect(progress).toEqual([0, LIMITS.checksAtOnce, 2 * LIMITS.checksAtOnce, sites]);
    await rounds.close();
  });

  it('checks a site again only after it or its profile was written, or the interval ended', async () => {
    const store = await engine.open();
    await register(store, 2);
    const clock = { time: new Date() };
    const rounds = node(store, clock);
    const again = async (later: number) => {
      clock.time = new Date(clock.time.getTime() + later);
      await rounds.checkDue();
      return await checkCounts(store, (await list(store)).sites);
    };
    expect(await again(1)).toEqual([1, 1]);
    expect(await again(1)).toEqual([1, 1]);
    await putSite(store, completeSite('site-0001', 2));
    expect(await again(1)).toEqual([1, 2]);
    await extendProfile(store, 'site-0002');
    expect(await again(1)).toEqual([1, 2, 1]);
    await changeProfile(store, { title: 'Another' });
    expect(await again(1)).toEqual([1, 2, 2]);
    expect(await again(1)).toEqual([1, 2, 2]);
    expect(await again(HOUR + 1)).toEqual([2, 3, 3]);
    await rounds.close();
  });

  it('checks a site again after its code was synced, and reports syncs', async () => {
    const store = await engine.open();
    await register(store, 1);
    const repository = { url: 'https://git.example/o/r', raw_url: 'https://raw.example/o/r' };
    const source = { type: 'byogit', owner: 'o', repo: 'r', ...repository } as const;
    const external = siteWrite('external', { code: { owner: 'o', repo: 'r', source }, public: publicPaths('/content/external') });
    await putSite(store, external);
    const clock = { time: new Date() };
    const rounds = node(store, clock);
    const seen = async () => {
      clock.time = new Date(clock.time.getTime() + 1000);
      await rounds.checkDue();
      const found = await list(store);
      return { checkCounts: await checkCounts(store, found.sites), syncing: found.sites.map(({ state }) => state === 'syncing'), found };
    };
    expect(await seen()).toMatchObject({ checkCounts: [1, 1], syncing: [false, false] });
    const jobs = [external, completeSite('site-0000')].map(({ config }, index) => jobOf(originOf('acme', config.code), index, clock.time));
    for (const job of jobs) expect(await store.code.addJob(job)).toBe(true);
    const during = await seen();
    expect(during).toMatchObject({ checkCounts: [1, 1], syncing: [true, true], found: { counts: { states: { syncing: 2 } } } });
    const [failed, stopped] = jobs;
    const stopTime = () => clock.time.toISOString();
    if (failed !== undefined)
      await store.code.stopJob({ ...failed.record, state: 'stopped', stopTime: stopTime(), error: 'The repository does not respond.' });
    expect(await seen()).toMatchObject({ checkCounts: [2, 1], syncing: [false, true] });
    if (stopped !== undefined) await store.code.stopJob({ ...stopped.record, state: 'stopped', stopTime: stopTime() });
    const after = await seen();
    expect(after).toMatchObject({ checkCounts: [2, 2], syncing: [false, false], found: { counts: { states: { faulty: 1 } } } });
    const synced = async (after: string) => await store.checks.syncedOrigins('', 'main', { after, limit: 1 });
    const one = await synced('');
    const two = await synced(one.next ?? '');
    expect([...one.origins, ...two.origins].map(({ repository }) => repository).toSorted()).toEqual(['byogit:o/r', 'github:acme/code']);
    expect(await synced(two.next ?? '')).toEqual({ origins: [], next: undefined });
    const sum = (of: 'syncs' | 'failedSyncs') => after.found.days.reduce((all, day) => all + day[of], 0);
    expect([sum('syncs'), sum('failedSyncs')]).toEqual([2, 1]);
    await rounds.close();
  });

  it('checks the sites of all organizations again after their common repository was synced', async () => {
    const store = await engine.open();
    const names = Array.from({ length: 101 }, (_, index) => `org-${String(index).padStart(3, '0')}`);
    const { config } = completeSite('site');
    await Promise.all(names.map((name) => store.write((writes) => writes.putOrg(org(name)))));
    for (const name of names)
      await putSite(store, siteWrite('site', { code: config.code, public: publicPaths(`/content/${name}`) }, 1, name));
    const clock = { time: new Date() };
    const rounds = node(store, clock);
    const seen = async () => {
      clock.time = new Date(clock.time.getTime() + 1000);
      await rounds.checkDue();
      return new Set(await Promise.all(names.map(async (name) => (await store.reads.siteCheck(name, 'site'))?.revision)));
    };
    expect([await seen(), await seen()]).toEqual([new Set([1]), new Set([1])]);
    const job = jobOf(originOf('acme', config.code), 0, clock.time);
    await store.code.addJob(job);
    await store.code.stopJob({ ...job.record, state: 'stopped', stopTime: clock.time.toISOString() });
    expect(await seen()).toEqual(new Set([2]));
    await rounds.close();
  });

  it('checks every organization, however many there are', async () => {
    const store = await engine.open();
    const names = Array.from({ length: 150 }, (_, index) => `org-${index}`);
    await Promise.all(names.map((name) => store.write((writes) => writes.putOrg(org(name)))));
    const rounds = node(store);
    await rounds.checkDue();
    expect(await store.checks.dueOrgs(new Date().toISOString(), new Date().toISOString(), names.length)).toEqual([]);
    await rounds.close();
  });

  it.each(['due', 'countDue', 'saveRound'] as const)('checks every organization, however many fail each time: %s', async (broken) => {
    const store = await engine.open();
    const names = Array.from({ length: 120 }, (_, index) => `failing-${index}`);
    await Promise.all([...names, 'works'].map((name) => store.write((writes) => writes.putOrg(org(name)))));
    await putSite(store, siteWrite('site', {}, 1, 'works'));
    const isFailing = (first: unknown) => (typeof first === 'string' ? first : (first as { org: string }).org).startsWith('failing');
    const checks = new Proxy(store.checks, {
      get(target, name, receiver): unknown {
        if (name !== broken) return Reflect.get(target, name, receiver);
        // Safe: the first argument of each is the organization or its lease.
        const call = Reflect.get(target, name, receiver) as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => (isFailing(given[0]) ? Promise.reject(new Error('It fails.')) : call(...given));
      },
    });
    const clock = { time: new Date() };
    const failed: string[] = [];
    const rounds = node({ ...store, checks }, clock, (where) => void failed.push(where));
    const revisionAfterRound = async () => {
      clock.time = new Date(clock.time.getTime() + 2 * HOUR);
      await rounds.checkDue();
      return (await store.reads.siteCheck('works', 'site'))?.revision;
    };
    expect([await revisionAfterRound(), await revisionAfterRound()]).toEqual([1, 2]);
    expect(new Set(failed).size).toBe(names.length);
    await rounds.close();
  });

  it('checks due sites on its own until it is closed', async () => {
    const store = await engine.open();
    await register(store, 1);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const rounds = node(store, undefined, undefined, 30_000);
    vi.advanceTimersByTime(60_000);
    await expect.poll(async () => await checkCounts(store, (await list(store)).sites)).toEqual([1]);
    await rounds.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('stops before a check is complete, and continues at the next start', async () => {
    const store = await engine.open();
    await register(store, 2 * LIMITS.checksAtOnce);
    const first = node(store);
    await first.start('acme');
    await first.close();
    const second = node(store);
    await second.checkDue();
    await second.close();
    expect(await checkCounts(store, (await list(store)).sites)).not.toContain(undefined);
    expect((await list(store)).running).toBeUndefined();
  });
});

const postgres = postgresEngine();

it('a node whose clock is ahead checks the sites whose code another node has synced', async () => {
  const store = await (await postgres.newDatabase()).open();
  await register(store, 2);
  const ahead = nodeWithOwnClock(store, { time: new Date(Date.now() + HOUR / 2) });
  await ahead.checkDue();
  const names = (await list(store)).sites;
  expect(new Set(await checkCounts(store, names))).toEqual(new Set([1]));
  const job = jobOf(originOf('acme', completeSite('site-0000').config.code), 0, new Date());
  await store.code.addJob(job);
  await store.code.stopJob({ ...job.record, state: 'stopped', stopTime: (await store.sharedTime(new Date())).toISOString() });
  await ahead.checkDue();
  await expect.poll(async () => new Set(await checkCounts(store, names))).toEqual(new Set([2]));
  await ahead.close();
});

it('two nodes check each site once', async () => {
  const database = await postgres.newDatabase();
  const [here, there] = [await database.open(), await database.open()];
  await register(here, 3 * LIMITS.checksAtOnce);
  const nodes = [node(here), node(there)];
  const started = await Promise.all(nodes.map((one) => one.start('acme')));
  expect(started.filter(({ joined }) => joined)).toHaveLength(1);
  await Promise.all(nodes.map((one) => one.checkDue()));
  await expect.poll(async () => (await list(there)).running).toBeUndefined();
  await Promise.all(nodes.map((one) => one.checkDue()));
  expect(new Set(await checkCounts(here, (await list(here)).sites))).toEqual(new Set([1]));
  await Promise.all(nodes.map((one) => one.close()));
});
