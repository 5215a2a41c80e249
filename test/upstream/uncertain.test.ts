import { HostedSwitches } from '@repoless/sandbox/hosted/switches.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';

/** Unknowns about the hosted service: the bridge must be correct in each case. */
const POSITIONS: readonly Partial<HostedSwitches>[] = [
  {},
  { prefix: false },
  { lists: 'array' },
  { lists: 'absent' },
  { jobDetailsStatus: 200 },
  { byogit: 'byogit' },
  { byogit: 'refused' },
  { sourceAlone: false },
  { wholePostDropsKeys: false },
  { wholePostBreaksKeys: true },
  { retryAfter: true },
  { syncsExternal: false },
  { versionsSurviveDelete: true },
  { versionsNameUser: true },
  { robotsText: false },
  { head: true },
  { ims: false },
  { loopbackAuthToken: false },
  { successorCreates: false },
  { successorNeedsKeyId: false },
];
const DEFAULTS = HostedSwitches.parse({ requestsPerSecond: 0 });

const world = startHostedWorld();
let count = 0;
afterEach(() => {
  world.generation = 5;
  world.hosted.set(DEFAULTS);
});

describe.each([5, 6] as const)('at the addresses of generation %d', (generation) => {
  test.each(POSITIONS.map((position) => [JSON.stringify(position), position] as const))(
    'a site is created, changed by part and whole, and brought back, with its secrets: %s',
    async (_name, position) => {
      world.generation = generation;
      world.hosted.set({ ...DEFAULTS, ...position });
      const path = `/config/${EXAMPLE.org}/sites/uncertain-${(count += 1)}.json`;
      const at = (part: string) => path.replace('.json', `/${part}.json`);
      const done = async (method: string, address: string, body?: unknown) => {
        const answer = await world.call(method, address, body);
        expect(answer.status, `${method} ${address}: ${answer.text}`).toBeLessThan(300);
        return answer;
      };

      const code = {
        owner: 'wknd',
        repo: 'wknd',
        source: { type: 'byogit', url: 'https://cm-repo.adobe.io/api', raw_url: 'https://cm-repo.adobe.io/api/raw', secretId: 'cm-byog' },
      };
      const content = {
        source: { type: 'markup', url: `https://author-p1-e2.example.com/bin/franklin.delivery/wknd/uncertain-${count}/main` },
      };
      const access = { admin: { role: { admin: [EXAMPLE.admin] } } };
      const made = await world.call('PUT', path, { code, content, access });
      if (generation === 6 && position.successorCreates === false) {
        // It must not count as created.
        expect([made.status, made.headers['x-error-code']]).toEqual([404, 'SITE_NOT_FOUND']);
        return;
      }
      expect(made.status, made.text).toBe(201);
      expect(made.headers['x-warning'] ?? '').not.toContain('something else');
      await done('POST', at('secrets/cm-byog'), { value: 'swordfish-9' });
      const { id } = (await done('POST', at('apiKeys'), { roles: ['publish'] })).body as { id: string };

      // By part, complete, and a text part.
      await done('POST', at('folders'), { '/a': '/b' });
      await done('POST', path.replace('.json', '/robots.txt'), 'User-agent: *');
      const present = (await done('GET', path)).body as Readonly<Record<string, unknown>>;
      const whole = await done('POST', path, { ...present, title: 'Whole', folders: { '/c': '/d' } });
      expect(whole.body).toMatchObject({
        title: 'Whole',
        folders: { '/c': '/d' },
        robots: { txt: 'User-agent: *' },
        code: { owner: 'wknd' },
      });
      expect(whole.headers['x-warning'] ?? '').not.toContain('something else');
      // An unchanged value is not sent again.
      const before = world.hosted.requests.length;
      await done('POST', path, (await done('GET', path)).body);
      expect(world.hosted.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(Object.keys((await done('GET', at('secrets'))).body as object)).toEqual(['cm-byog']);
      expect(Object.keys((await done('GET', at('apiKeys'))).body as object)).toEqual([id]);

      // The history names the author of a change, and one change is undone.
      const { versions } = (await done('GET', at('versions'))).body as { versions: { version: number; user?: string }[] };
      expect(versions.filter(({ user }) => user !== EXAMPLE.admin).length).toBeLessThanOrEqual(position.versionsNameUser === true ? 0 : 2);
      await done('POST', at('folders'), { '/a': '/b' });
      expect((await done('GET', path)).body).toMatchObject({ title: 'Whole', folders: { '/a': '/b' } });
      await done('DELETE', at('folders'));
      expect((await done('GET', path)).body).not.toHaveProperty('folders');
      // A removed key, and one removed twice.
      await done('DELETE', at(`apiKeys/${id}`));
      expect((await world.call('DELETE', at('folders'))).headers['x-error-code']).toBe('PART_NOT_FOUND');
      await done('DELETE', path);
      expect((await world.call('GET', path)).headers['x-error-code']).toBe('SITE_NOT_FOUND');
    },
  );
});

test('no switch of the stand-in is left out', () => {
  const named = new Set(POSITIONS.flatMap((position) => Object.keys(position)));
  // Amounts, files and names, which are not uncertain.
  const given = [
    'requestsPerSecond',
    'configDelayMs',
    'contentFiles',
    'codeFiles',
    'appMissing',
    'hlxignoreRefused',
    'jobMs',
    'upgraded',
    'tenantLocks',
  ];
  expect(Object.keys(HostedSwitches.shape).filter((name) => !named.has(name) && !given.includes(name))).toEqual([]);
});
