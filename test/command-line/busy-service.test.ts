import { beforeAll, describe, expect, test } from 'vitest';
import { ADA, CARL, startSetupWorld } from '../setup/setup-world.ts';
import { startUnreliableProxy, type Fate } from '../support/unreliable-proxy.ts';
import { openFolder, type CommandOutcome, sitesFile } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let env: Record<string, string>;
const world = startBeforeAll(startSetupWorld);
beforeAll(async () => {
  env = { REPOLESS_TOKEN: await world.backend.token(ADA) };
});
const folder = startBeforeAll(openFolder);
beforeAll(async () => {
  await folder.write(
    'sites.yaml',
    sitesFile(world.authorAddress(), NAMES.map((name) => `  - { name: ${name}, contentRoot: /content/${name} }\n`).join('')),
  );
  expect(await folder.repoless(['apply', '-f', 'sites.yaml'], { env: { ...env, REPOLESS_SERVICE: world.backend.address } })).toMatchObject({
    code: 0,
  });
});

const NAMES = ['one', 'two', 'three'];

interface Seen extends CommandOutcome {
  /** How many requests were answered 429. */
  readonly refused: number;
}

/** Runs a command against a service that answers as `fate` decides. */
async function through(fate: (path: string, before: number) => Fate, ...argv: string[]): Promise<Seen> {
  const counts = new Map<string, number>();
  let refused = 0;
  const unreliable = await startUnreliableProxy({
    target: world.backend.address,
    fate: ({ method, path }) => {
      const before = counts.get(`${method} ${path}`) ?? 0;
      counts.set(`${method} ${path}`, before + 1);
      const met = fate(path, before);
      refused += met === 429 ? 1 : 0;
      return met;
    },
  });
  const result = await folder.repoless(argv, { env: { ...env, REPOLESS_SERVICE: unreliable.address } });
  await unreliable.stop();
  return { ...result, refused };
}

const steady = (): Fate => 'pass';
/** Refuses every call the first time. */
const busy = (_path: string, before: number): Fate => (before === 0 ? 429 : 'pass');

describe('A service that is busy', () => {
  test.each([
    ['status', ['status', '-f', 'sites.yaml']],
    ['export', ['export', '--organization', 'wknd']],
    ['check', ['check', '-f', 'sites.yaml']],
    ['plan', ['plan', '-f', 'sites.yaml']],
  ])('is retried: the output of %s is the same', async (_command, argv) => {
    const quiet = await through(steady, ...argv);
    const result = await through(busy, ...argv);
    expect(result.refused).toBeGreaterThan(NAMES.length);
    const hidden = (text: string) => text.replaceAll(/localhost:\d+/g, 'localhost');
    expect({ code: result.code, out: hidden(result.out) }).toEqual({ code: quiet.code, out: hidden(quiet.out) });
  });
});

describe('A site that cannot be read', () => {
  const away = (path: string): Fate => (path.includes('/sites/two.json') ? 503 : 'pass');

  test('does not hide the state of the others', async () => {
    const result = await through(away, 'status', '-f', 'sites.yaml');
    expect(result).toMatchObject({ code: 1, err: '' });
    expect(result.out).toMatch(/^one: .*in sync {2}http/m);
    expect(result.out).toMatch(/^two: couldn’t be read: \S/m);
    expect(result.out).toMatch(/^three: .*in sync {2}http/m);
    expect(result.out).toMatch(/^2 in sync, 0 differ, 0 not registered, 1 couldn’t be read\.$/m);
    const json = (await through(away, 'status', '-f', 'sites.yaml', '--json')).json();
    expect(json).toMatchObject({
      summary: { registered: 2, differs: 0, missing: 0, unread: 1 },
      sites: [{ site: 'one', state: 'registered' }, { site: 'two', state: 'unread', problem: expect.any(String) }, { site: 'three' }],
    });
  });

  test('is named if no file can be written without it', async () => {
    const result = await through(away, 'export', '--organization', 'wknd');
    expect(result).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/Couldn’t read two: .*\nNothing was written\./) });
  });
});

test('A site on which the caller has no role is not reported as missing; a missing one is', async () => {
  const role = { admin: [ADA, CARL] };
  const path = '/config/wknd/sites/one/access/admin.json';
  expect((await world.backend.call('POST', path, { as: ADA, body: { role, requireAuth: 'auto' } })).status).toBe(200);
  await folder.write('more.yaml', `${await folder.read('sites.yaml')}  - { name: nowhere, contentRoot: /content/nowhere }\n`);
  const status = async (email: string, ...more: string[]) =>
    folder.repoless(['status', '-f', 'more.yaml', ...more], {
      env: { REPOLESS_TOKEN: await world.backend.token(email), REPOLESS_SERVICE: world.backend.address },
    });
  const result = await status(CARL);
  expect(result).toMatchObject({ code: 0, err: '' });
  for (const name of ['two', 'nowhere'])
    expect(result.out).toMatch(new RegExp(`^${name}: not registered, or you have no role there {2}http`, 'm'));
  expect(result.out).toMatch(/^0 in sync, 1 differ, 3 not registered, or you have no role there\.$/m);
  expect((await status(CARL, '--json')).json()).toMatchObject({
    sites: [{ site: 'one', state: 'differs' }, { site: 'two', state: 'missing', siteState: 'changed' }, {}, {}],
  });
  expect((await status(ADA)).out).toMatch(/^nowhere: Not set up {2}http/m);
});
