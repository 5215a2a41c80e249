import { Rollout, rolloutEndpoints, type RolloutInput } from '@repoless/contract/rollout.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { rolloutOperations } from '@repoless/service/rollouts/rules/rollout-operations.ts';
import { startRollout } from '@repoless/service/rollouts/rules/start-rollout.ts';
import { type Rollouts, startRollouts } from '@repoless/service/rollouts/start-rollouts.ts';
import { NO_TRACING } from '@repoless/service/tracing/tracing.ts';
import { describe, expect, it, vi } from 'vitest';
import { otto, createWorld, type World } from '../domain/world.ts';
import { siteWrite } from '../support/builders.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { changeProfile, extendProfile, putPlain } from './profiles.ts';
import { putSite } from './put-site.ts';

const NAMES = Array.from({ length: 60 }, (_, index) => `site-${index}`);
const CODE = { owner: 'acme', repo: 'code', source: { type: 'github', url: 'https://code.example/acme/code' } } as const;
const EDITS = [{ op: 'set', path: '/robots/txt', value: '{site}' }] as const;

/** A node that works on rollouts. */
function node(store: Store, acme: World, check: (site: string) => Promise<void> = async () => undefined, now = () => new Date()): Rollouts {
  const failed = (what: string, error: unknown) => {
    throw new Error(what, { cause: error });
  };
  return startRollouts({
    store,
    tracing: NO_TRACING,
    check: async (_org, site) => {
      await check(site);
      return [];
    },
    context: (caller) => ({ ...acme.context(caller), store }),
    now,
    failed,
  });
}

async function start(acme: World, sites: readonly string[]): Promise<Rollout> {
  return await startWith(acme, { title: 'All', edits: EDITS, sites });
}

async function startWith(acme: World, body: object): Promise<Rollout> {
  const operations = rolloutOperations({ wake: () => undefined });
  return Rollout.parse(
    (await acme.call(rolloutEndpoints.startRollout, operations.startRollout, otto, { params: { org: 'acme' }, body })).body,
  );
}

eachStore((engine) => {
  it('all nodes work on rollouts, and change each site once', async () => {
    const database = await engine.newDatabase();
    const stores = [await database.open(), ...(engine.name === 'PostgreSQL' ? [await database.open(), await database.open()] : [])];
    const [store] = stores;
    if (store === undefined) throw new Error('No store was opened.');
    const acme = await createWorld(store);
    for (const name of NAMES) await putSite(store, siteWrite(name, { code: CODE }));
    const all = [await start(acme, NAMES.slice(0, 40)), await start(acme, NAMES.slice(20))];
    const nodes = stores.map((one) => node(one, acme));
    for (const one of nodes) one.wake('any');
    await vi.waitFor(
      async () => {
        for (const one of nodes) one.wake('any');
        expect(new Set((await store.rollouts.list('acme')).map(({ state }) => state))).toEqual(new Set(['done']));
      },
      { timeout: 50_000, interval: 20 },
    );
    for (const one of nodes) await one.close();
    for (const name of NAMES) {
      const site = await store.reads.site('acme', name);
      expect([site?.version, site?.config.robots]).toEqual([2, { txt: name }]);
    }
    const counts = await Promise.all(all.map(({ id }) => store.rollouts.counts('acme', id, 0)));
    const sums = counts.map(({ states: { changed = 0, unchanged = 0 } }) => changed + unchanged);
    expect(sums).toEqual([40, 40]);
    expect(counts.reduce((sum, { states }) => sum + (states.changed ?? 0), 0)).toBe(60);
  });

  it('a rollout belongs to one node until its lease ends', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    const { id } = await start(acme, ['gone']);
    const lease = (owner: string) => ({ org: 'acme', id, owner, now: '', until: '2026-01-01T00:01:00Z' });
    expect(await store.rollouts.claim(lease('one'), '2026-01-01T00:00:00Z')).toBe(true);
    expect(await store.rollouts.claim(lease('other'), '2026-01-01T00:00:30Z')).toBe(false);
    expect(await store.rollouts.open('2026-01-01T00:00:30Z', 10)).toEqual([]);
    expect(await store.rollouts.claim(lease('one'), '2026-01-01T00:00:30Z')).toBe(true);
    expect(await store.rollouts.claim(lease('other'), '2026-01-01T00:01:00Z')).toBe(true);
    await store.rollouts.release(lease('one'));
    expect(await store.rollouts.open('2026-01-01T00:00:30Z', 10)).toEqual([]);
    await store.rollouts.release(lease('other'));
    expect(await store.rollouts.open('2026-01-01T00:00:30Z', 10)).toEqual([{ org: 'acme', id }]);
  });

  it('the rollouts of an organization are limited, and of a profile to one, even if all nodes start some at once', async () => {
    const database = await engine.newDatabase();
    const stores = [await database.open(), ...(engine.name === 'PostgreSQL' ? [await database.open(), await database.open()] : [])];
    const [store] = stores;
    if (store === undefined) throw new Error('No store was opened.');
    const acme = await createWorld(store);
    await changeProfile(store, { robots: { txt: 'old' } });
    for (const name of NAMES.slice(0, 2)) await extendProfile(store, name, undefined, { code: CODE });
    const atOnce = async (body: RolloutInput) => {
      const operation = startRollout(() => undefined);
      const input = { params: { org: 'acme' }, query: {}, headers: {}, body };
      const started = Array.from({ length: 9 }, (_, index) => {
        const its = stores[index % stores.length] ?? store;
        return operation({ ...acme.context(otto), store: its }, input);
      });
      const ended = await Promise.allSettled(started);
      const reasons = ended.flatMap((one) => (one.status === 'rejected' ? [String(Reflect.get(Object(one.reason), 'code'))] : []));
      return { started: ended.length - reasons.length, reasons: new Set(reasons) };
    };
    const reasons = new Set(['ROLLOUT_REFUSED']);
    expect(await atOnce({ title: 'Brand', profile: 'base', config: { robots: { txt: 'new' } } })).toEqual({ started: 1, reasons });
    expect(await atOnce({ title: 'All', edits: [...EDITS], sites: ['gone'] })).toEqual({ started: 4, reasons });
  });

  it('rollouts take turns, however many are open', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await start(acme, [`gone-${n}`])).id);
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const served: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      for (const { id } of await store.rollouts.open(at(served.length), 4)) {
        const time = at(served.length);
        const lease = { org: 'acme', id, owner: 'one', now: time, until: at(served.length + 30) };
        expect(await store.rollouts.claim(lease, time)).toBe(true);
        await store.rollouts.release(lease);
        served.push(id);
      }
    }
    expect(new Set(served.slice(0, 5))).toEqual(new Set(ids));
    expect(ids.map((id) => served.filter((one) => one === id).length).toSorted((a, b) => a - b)).toEqual([2, 2, 2, 3, 3]);
  });

  it('a rollout of a profile stays with its node, however long the checks of all sites take', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    await changeProfile(store, { robots: { txt: 'old' } });
    for (const name of NAMES) await extendProfile(store, name, undefined, { code: CODE });
    const { id } = await startWith(acme, { title: 'Robots', profile: 'base', config: { robots: { txt: 'new' } } });
    let clock = Date.now();
    const checked: string[] = [];
    const taken: string[] = [];
    const check = async (site: string): Promise<void> => {
      checked.push(site);
      clock += 2000;
      const time = new Date(clock).toISOString();
      if (await store.rollouts.claim({ org: 'acme', id, owner: 'other', now: time, until: time }, time)) taken.push(site);
    };
    const byClock: Store = { ...store, sharedTime: async () => new Date(clock) };
    const one = node(byClock, acme, check, () => new Date(clock));
    await vi.waitFor(async () => expect((await store.reads.rollout('acme', id))?.state).toBe('done'), { timeout: 50_000, interval: 20 });
    await one.close();
    expect(taken).toEqual([]);
    // Once before the profile is changed, and once after.
    expect(checked.toSorted()).toEqual([...NAMES, ...NAMES].toSorted());
  });

  it('a stopped rollout changes no site', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    const { id } = await start(acme, ['gone']);
    const current = await store.reads.rollout('acme', id);
    if (current === undefined) throw new Error('It is missing.');
    const { revision: _revision, ...rollout } = current;
    await store.write((writes) => writes.changeRollout({ kind: 'put', rollout: { ...rollout, state: 'stopped' }, expected: 1 }));
    const row = { org: 'acme', rollout: id, site: 'gone', wave: 1, state: 'changed' } as const;
    let tries = 0;
    const late = store.write(async (writes) => {
      tries += 1;
      if (tries > 1) return;
      await writes.changeRollout({ kind: 'site', row, expected: 'waiting', during: 'running' });
    });
    await late;
    expect(tries).toBe(2);
    expect((await store.reads.rolloutSite('acme', id, 'gone'))?.row.state).toBe('waiting');
  });

  it('a rollout of a profile reports a site as changed only if it still extends the profile', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    await changeProfile(store, { robots: { txt: 'old' } });
    for (const name of ['leaves', 'stays']) await extendProfile(store, name, undefined, { code: CODE });
    const { id } = await startWith(acme, { title: 'Robots', profile: 'base', config: { robots: { txt: 'new' } } });
    await putPlain(store, 'leaves');
    await done(store, acme, id);
    expect((await store.rollouts.sites('acme', id, ALL)).map(({ site, state }) => [site, state])).toEqual([
      ['leaves', 'unchanged'],
      ['stays', 'changed'],
    ]);
  });

  it('a rollout stops with a reason if its profile is refused', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    await changeProfile(store, { robots: { txt: 'old' } });
    await extendProfile(store, 'first', undefined, { code: CODE });
    const { id } = await startWith(acme, { title: 'Robots', profile: 'base', config: { robots: { txt: 'new' } } });
    const stored = await store.reads.org('acme');
    if (stored === undefined) throw new Error('There is no organization.');
    const users = stored.config.users.map((user) => ({ ...user, roles: ['author'] }));
    await store.write(async (writes) => {
      await writes.org('acme');
      await writes.putOrg({ ...stored, config: { ...stored.config, users }, version: stored.version + 1 });
    });
    await done(store, acme, id);
    const { state, stopped } = (await store.reads.rollout('acme', id)) ?? {};
    expect([state, stopped?.reason]).toEqual(['stopped', 'blocked']);
    expect(stopped?.detail).toContain('otto@example.com');
    expect(await store.events.events('acme', { limit: 5 })).toMatchObject([{ kind: 'rollout-stopped', about: 'Robots', open: true }]);
  });
});

const ALL = { state: '', worse: undefined, after: '', limit: 10 } as const;

/** Works on a rollout until nothing is left to do. */
async function done(store: Store, acme: World, id: string): Promise<void> {
  const one = node(store, acme);
  await vi.waitFor(async () => expect((await store.reads.rollout('acme', id))?.state).not.toBe('running'), {
    timeout: 20_000,
    interval: 20,
  });
  await one.close();
}

describe('on PostgreSQL', () => {
  const engine = postgresEngine();

  it('a node whose clock is ahead leaves its rollout to others within two minutes', async () => {
    const store = await engine.open();
    const acme = await createWorld(store);
    await putSite(store, siteWrite('site-0', { code: CODE }));
    const { id } = await start(acme, ['site-0']);
    const open: string[][] = [];
    const check = async (): Promise<void> => {
      for (const later of [0, 120_000]) {
        const found = await store.rollouts.open(new Date(Date.now() + later).toISOString(), 10);
        open.push(found.map((one) => one.id));
      }
    };
    const ahead = node(store, acme, check, () => new Date(Date.now() + 600_000));
    await vi.waitFor(async () => expect((await store.reads.rollout('acme', id))?.state).toBe('done'), { timeout: 10_000, interval: 20 });
    await ahead.close();
    expect(open.slice(0, 2)).toEqual([[], [id]]);
  });
});
