import { beforeAll, expect, test } from 'vitest';
import { copiedPages } from '../setup/second-environment.ts';
import { OPERATOR } from '../support/backend.ts';
import { world, env, folder, inCommandWorld, type CommandOptions, storedSite } from './command.ts';

inCommandWorld({ sites: true, authoring: true, needs: 'git' });
let here: string;
let there: string;
beforeAll(async () => {
  [here, there] = [world.authorAddress(), world.authorAddress('p100-e300')];
});

const move = (args: readonly string[], options: CommandOptions = {}) =>
  folder.repoless(['move', '--organization', 'wknd', '--from', here, '--to', there, ...args, '--apply'], { env, ...options });
const address = (site: string) => `/config/wknd/sites/${site}.json`;
const home = async (site: string) => (await world.backend.visit('preview', `main--${site}--wknd`, '/')).text;
/** Counts writes of a site: the move is the first, its reversal the second. */
function writesOf(site: string) {
  let count = 0;
  return (method: string, url: string): number =>
    method === 'PUT' && url.includes(address(site)) && !url.includes('dryRun') ? ++count : 0;
}
const busy = () => new Response('busy', { status: 503, headers: { 'content-type': 'text/plain' } });
const plant = (site: string, open: boolean) => {
  const configuration = { conf: `/conf/${site}`, owner: 'wknd', repo: site, projectType: 'plain' as const };
  world.author.plant(
    copiedPages(`/content/${site}`, { title: `Copied ${site}`, configuration: open ? configuration : { ...configuration, open: false } }),
  );
};

test('A stopped move is reversed even if the service is briefly busy', async () => {
  plant('harbour', true);
  plant('meadow', true);
  const before = await storedSite('harbour');
  const stopper = new AbortController();
  const [countWrite, answered] = [writesOf('harbour'), writesOf('harbour')];
  const stopped = await move(['harbour', 'meadow', '--concurrency', '1'], {
    signal: stopper.signal,
    instead: (...request) => (countWrite(...request) === 2 ? busy() : undefined),
    answered: (...request) => {
      if (answered(...request) === 1) stopper.abort();
    },
  });
  expect(await storedSite('harbour')).toEqual(before);
  expect(stopped).toMatchObject({
    code: 1,
    out: expect.stringContaining('0 moved, 0 already there, 0 failed, 1 stopped and moved back, 1 not started.'),
  });
});

test('A move whose answer was lost is also reversed if the pages are not delivered', async () => {
  plant('ferry', false);
  const before = await storedSite('ferry');
  const answered = writesOf('ferry');
  const failed = await move(['ferry'], {
    answered: (...request) => {
      if (answered(...request) === 1) throw new TypeError('The network is away.');
    },
  });
  expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/failed ferry: checking its pages on the preview host: /) });
  expect(failed.out).toContain('A site that failed stays where it was.');
  expect(await storedSite('ferry')).toEqual(before);
});

test('A move stopped while its answer is lost is reversed', async () => {
  plant('ferry', true);
  const before = await storedSite('ferry');
  const stopper = new AbortController();
  const answered = writesOf('ferry');
  const stopped = await move(['ferry'], {
    signal: stopper.signal,
    answered: (...request) => {
      if (answered(...request) !== 1) return;
      stopper.abort();
      throw new TypeError('The network is away.');
    },
  });
  expect(await storedSite('ferry')).toEqual(before);
  expect(stopped).toMatchObject({ code: 1, out: expect.stringContaining('0 failed, 1 stopped and moved back.') });
});

test('A site that could not be moved back is reported in the other environment, and moves back by the printed command', async () => {
  plant('ferry', false);
  const before = await storedSite('ferry');
  const countWrite = writesOf('ferry');
  const left = await move(['ferry'], { instead: (...request) => (countWrite(...request) > 1 ? busy() : undefined) });
  expect(left.code).toBe(1);
  expect(left.out).toContain(`The site was not moved back and gets its content from ${there}.`);
  expect(left.out).toContain(`0 moved, 0 already there, 1 failed, 1 of them left in ${there}.`);
  expect(left.out).not.toContain('stays where it was');
  expect(await home('ferry')).not.toContain('Island Ferry');

  const json = await move(['ferry', '--json']);
  expect(json.json(), 'found there, and still not delivered').toMatchObject({
    summary: { moved: 0, failed: 1, left: 1, partly: 0, stopped: 0 },
    sites: [{ site: 'ferry', state: 'failed', reason: 'left-moved' }],
  });

  const back = /^To move them back: repoless (.*)$/m.exec(left.out)?.[1]?.split(' ') ?? [];
  expect(await folder.repoless(back, { env })).toMatchObject({ code: 0, out: expect.stringContaining('moved ferry') });
  expect((await storedSite('ferry'))['content']).toEqual(before['content']);
});

test('A concurrent change to a moved site is preserved, and the site is reported in the other environment', async () => {
  plant('ferry', false);
  const before = await storedSite('ferry');
  const answered = writesOf('ferry');
  const left = await move(['ferry'], {
    answered: async (...request) => {
      if (answered(...request) !== 1) return;
      const path = '/config/wknd/sites/ferry/access.json';
      const { admin } = (await world.backend.call('GET', path, { as: OPERATOR })).json() as { admin: { role: object } };
      const access = { admin: { ...admin, role: { ...admin.role, author: ['anna.author@example.com'] } } };
      expect((await world.backend.call('POST', path, { as: OPERATOR, body: access })).status).toBe(200);
    },
  });
  expect(left.code).toBe(1);
  expect(left.out).toContain(`Somebody changed the site in the meantime. It was not moved back and gets its content from ${there}.`);
  expect(left.out).not.toContain('stays where it was');
  expect(await storedSite('ferry')).toMatchObject({ access: { admin: { role: { author: ['anna.author@example.com'] } } } });

  const body = { ...before, version: 1 };
  expect((await world.backend.call('PUT', address('ferry'), { as: OPERATOR, body })).status).toBe(200);
});

test('The command that moves sites back names the same service', async () => {
  plant('plaza', true);
  const { REPOLESS_SERVICE: service = '', ...others } = env;
  const moved = await move(['plaza', '--service', service], { env: others });
  expect(moved).toMatchObject({ code: 0, out: expect.stringContaining('moved plaza') });
  const back = /^To move them back: repoless (.*)$/m.exec(moved.out)?.[1]?.split(' ') ?? [];
  expect(await folder.repoless(back, { env: others })).toMatchObject({ code: 0, out: expect.stringContaining('moved plaza') });
});

test('A site is reported as possibly in the other environment if that is unknown', async () => {
  plant('ferry', false);
  let away = false;
  const countWrite = writesOf('ferry');
  const left = await move(['ferry'], {
    instead: (method, url) => {
      if (countWrite(method, url) === 1) away = true;
      return away && url.includes(address('ferry')) ? busy() : undefined;
    },
  });
  expect(left).toMatchObject({ code: 1, out: expect.stringContaining(`It may get its content from ${there}.`) });
  expect(left.out).not.toContain('stays where it was');
});
