import { Rollout } from '@repoless/contract/rollout.ts';
import type { Site } from '@repoless/contract/site.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import fc from 'fast-check';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { tokenOf } from '../support/token-of.ts';
import { OPERATOR } from '../support/backend.ts';
import { org, siteWrite } from '../support/builders.ts';
import { buildBackend, type ChildBackend, startChildBackend } from '../support/child-backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { diskFolder } from '../support/memory-folder.ts';

const SITES = IS_LONG ? 1000 : 120;
const NAMES = Array.from({ length: SITES }, (_, index) => `site-${String(index).padStart(4, '0')}`);
/** Complete as stored, so that the code host is not queried. */
const CODE = { owner: 'wknd', repo: 'code', source: { type: 'github', url: 'https://github.com/wknd/code' } } as const;
const ROLLOUTS = '/config/wknd/rollouts.json';

let folder: string;
let port: string;
let child: ChildBackend;
let token: string;

beforeAll(async () => {
  await buildBackend();
  folder = await mkdtemp(join(diskFolder(), 'repoless-rollouts-'));
  const store = await openStore({ dataDir: folder });
  const time = new Date();
  await store.write(async (writes) => {
    await writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] }));
    await writes.putProfile({ org: 'wknd', profile: 'brand', config: profile('old'), etag: '"1"', version: 1 });
    const subject = { kind: 'profile', org: 'wknd', profile: 'brand' } as const;
    await writes.addVersion({ subject, version: 1, created: time, user: OPERATOR, data: profile('old') });
  });
  for (const name of NAMES) {
    await store.write(async (writes) => {
      const site = siteWrite(name, { code: CODE, extends: { profile: 'brand' } }, 1, 'wknd');
      await writes.profile('wknd', 'brand');
      await writes.putSite({ ...site, aggregate: { ...site.config, headers: profile('old').headers } });
      await writes.addVersion({
        subject: { kind: 'site', org: 'wknd', site: name },
        version: 1,
        created: time,
        user: OPERATOR,
        data: site.config,
      });
    });
  }
  await store.close();
  port = String((await freePorts()).backend);
  await start();
  token = await tokenOf(folder, child.address);
}, 240_000);
afterAll(async () => {
  await kill();
  await rm(folder, { recursive: true, force: true });
});

/** The numbers of changed sites after which the service is killed, or the rollout is stopped and resumed. */
type Interruptions = readonly { readonly after: number; readonly what: 'kill' | 'stop' }[];
const interruptions = fc.array(fc.record({ after: fc.integer({ min: 1, max: SITES }), what: fc.constantFrom('kill', 'stop') }), {
  maxLength: IS_LONG ? 6 : 3,
});

it(
  'a rollout of edits changes and reverts each site once, whenever it is stopped or the service killed',
  { timeout: IS_LONG ? 900_000 : 120_000 },
  async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(interruptions, interruptions, async (forth, back) => {
        round += 1;
        const before = await sites();
        const edits = [{ op: 'set', path: '/robots/txt', value: `${round} of {site}` }];
        const id = await startRollout({ title: 'All', edits, waves: [1, '10%', '100%'] });
        await through(id, forth, 'changed');
        expect(await get(id)).toMatchObject({ state: 'done', sites: { changed: SITES } });
        const after = await sites();
        for (const name of NAMES) {
          expect(after.get(name)?.config.robots).toEqual({ txt: `${round} of ${name}` });
          expect(after.get(name)?.version).toBe((before.get(name)?.version ?? 0) + 1);
        }
        await order(id, 'undo');
        await through(id, back, 'undone');
        expect(await get(id)).toMatchObject({ state: 'undone', sites: { undone: SITES } });
        const undone = await sites();
        for (const name of NAMES) {
          expect(undone.get(name)?.config.robots).toEqual(before.get(name)?.config.robots);
          expect(undone.get(name)?.version).toBe((before.get(name)?.version ?? 0) + 2);
        }
        expect((await entries(id)).toSorted()).toEqual([...NAMES, ...NAMES].toSorted());
      }),
      {
        numRuns: 2,
        examples: [
          [
            [
              { after: 1, what: 'kill' },
              { after: SITES - 1, what: 'stop' },
            ],
            [{ after: SITES / 2, what: 'kill' }],
          ],
        ],
      },
    );
  },
);

it(
  'a rollout of a profile reaches all sites, and leaves no trace of its waves, even if the service is killed',
  { timeout: 300_000 },
  async () => {
    const staged = Math.ceil(SITES / 10);
    for (const after of [1, staged - 1, staged]) {
      const id = await startRollout({
        title: 'Brand',
        profile: 'brand',
        config: { headers: profile(`new ${after}`).headers },
        waves: [1, '10%', '100%'],
      });
      await through(id, [{ after, what: 'kill' }], 'staged');
      expect(await get(id)).toMatchObject({ state: 'done', sites: { changed: SITES } });
      const all = await sites();
      for (const name of NAMES) {
        expect(all.get(name)?.config.extends).toEqual({ profile: 'brand' });
        expect(all.get(name)?.aggregate.headers).toEqual(profile(`new ${after}`).headers);
      }
      await order(id, 'undo');
      await through(id, [{ after: 1, what: 'kill' }], 'undone');
      expect(await get(id)).toMatchObject({ state: 'undone', sites: { undone: SITES } });
      expect((await sites()).get(NAMES[0] ?? '')?.aggregate.headers).toEqual(profile('old').headers);
      const { text } = await call('GET', '/config/wknd/profiles.json');
      expect(text).not.toContain('rollout-');
    }
  },
);

function profile(value: string) {
  const times = { created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-01T00:00:00.000Z' };
  return { version: 1, name: 'brand', ...times, headers: { '/**': [{ key: 'x-brand', value }] } } as const satisfies Partial<Site>;
}

async function start(): Promise<void> {
  child = await startChildBackend(folder, { PORT: port, RATE_LIMIT: '0' });
}

async function kill(): Promise<void> {
  child.child.kill('SIGKILL');
  if (child.child.exitCode === null && child.child.signalCode === null) await once(child.child, 'exit');
}

function call(method: string, path: string, body?: object) {
  return ask(child.address, path, { method, headers: { 'x-auth-token': token }, ...(body === undefined ? {} : { body }) });
}

async function startRollout(body: object): Promise<string> {
  const answer = await call('POST', ROLLOUTS, body);
  expect(answer.status, answer.text).toBe(201);
  return Rollout.parse(answer.json()).id;
}

async function get(id: string): Promise<Rollout> {
  return Rollout.parse((await call('GET', `/config/wknd/rollouts/${id}.json`)).json());
}

async function order(id: string, what: 'stop' | 'resume' | 'undo'): Promise<number> {
  return (await call('POST', `/config/wknd/rollouts/${id}/${what}.json`)).status;
}

/** Follows a rollout to its end, and interrupts it when the given number of sites are in a state. */
async function through(id: string, planned: Interruptions, state: 'changed' | 'undone' | 'staged'): Promise<void> {
  const left = planned.toSorted((one, other) => one.after - other.after);
  for (;;) {
    const now = await get(id);
    const [next] = left;
    if (now.state === 'done' || now.state === 'undone') return;
    if (now.state === 'stopped') {
      expect(now.stopped, (await call('GET', `/config/wknd/rollouts/${id}/sites.json?state=refused`)).text).toMatchObject({
        reason: 'asked',
      });
      const { sites: before } = now;
      // Nothing changes after the stop is answered.
      expect((await get(id)).sites).toEqual(before);
      await order(id, 'resume');
    } else if (next !== undefined && (now.sites[state] ?? 0) >= next.after) {
      left.shift();
      if (next.what === 'stop') await order(id, 'stop');
      else {
        await kill();
        await start();
      }
    }
  }
}

async function sites() {
  const store = await openStore({ dataDir: folder });
  try {
    return new Map((await store.reads.listSites('wknd', { limit: SITES, bytes: Infinity })).map((stored) => [stored.site, stored]));
  } finally {
    await store.close();
  }
}

/** The sites in a rollout's entries of the audit trail. */
async function entries(id: string): Promise<string[]> {
  const store = await openStore({ dataDir: folder });
  try {
    const all = await store.reads.audits('wknd', { limit: 100_000 });
    return all.flatMap(({ action, site }) => (action === `rollout/${id}` && site !== undefined ? [site] : []));
  } finally {
    await store.close();
  }
}
