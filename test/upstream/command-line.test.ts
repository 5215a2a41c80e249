import { networkInterfaces } from 'node:os';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startHostedWorld();
const folder = startBeforeAll(openFolder);

const asAdmin = () => ({ env: { ...world.settings, REPOLESS_TOKEN: world.hosted.token('session', { email: EXAMPLE.admin }) } });
const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];

describe('without our own service', () => {
  test('a new locale site is set up from nothing, and reverted', async () => {
    world.hosted.set({ codeFiles: { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) } });
    const doctor = await folder.repoless(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], asAdmin());
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining(`You: ${EXAMPLE.admin}, signed in by a session`)]);
    expect(doctor.out).toContain(EXAMPLE.otherAdmin);

    expect(await folder.repoless(['export', '--organization', 'wknd', '-o', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    expect(await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    await folder.write('sites.yaml', `${await folder.read('sites.yaml')}  - name: wknd-ch-de\n    contentRoot: /content/wknd/ch/de\n`);

    const since = world.hosted.requests.length;
    const planned = await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin());
    expect([planned.code, planned.out]).toEqual([3, expect.stringContaining('create wknd-ch-de')]);
    const requests = world.hosted.requests.slice(since);
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(6);

    const applied = await folder.repoless(['apply', '-f', 'sites.yaml'], asAdmin());
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 created')]);
    expect(await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    const stored = await readdir(join(folder.folder, 'repoless-history', 'wknd'));
    expect(stored).toHaveLength(1);

    // Following the check's advice repairs the site that was exported without a configuration page.
    const checked = await folder.repoless(['check', '-f', 'sites.yaml'], asAdmin());
    expect(checked.out).toMatch(
      /^neighbours: error mapping-configuration: .+ configurationPage: false .+ delete that line\. Run repoless apply\.$/m,
    );
    await folder.write('sites.yaml', (await folder.read('sites.yaml')).replace(/^ +configurationPage: false\n/m, ''));
    expect(await folder.repoless(['apply', '-f', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    expect((await folder.repoless(['check', '-f', 'sites.yaml'], asAdmin())).out).not.toContain('mapping-configuration');

    world.hosted.change('POST', '/config/wknd/sites/wknd-ch-de/folders.json', { '/a': '/b' });
    const address = ['--organization', 'wknd', '--site', 'wknd-ch-de'];
    const listed = await folder.repoless(['history', ...address], asAdmin());
    expect(listed.out).toMatch(/^2 .*made elsewhere\n1 .*ada\.admin@example\.com .*repoless sites/);
    expect(await folder.repoless(['undo', ...address, '--dry-run'], asAdmin())).toMatchObject({ code: 3 });
    expect(await folder.repoless(['undo', ...address], asAdmin())).toMatchObject({ code: 0 });
    expect((await world.call('GET', '/config/wknd/sites/wknd-ch-de.json')).body).not.toHaveProperty('folders');
  });

  test('a person with a role on one site only exports that site', async () => {
    const env = { ...world.settings, REPOLESS_TOKEN: world.hosted.token('session', { email: EXAMPLE.siteAdmin }) };
    const command = ['export', '--organization', 'wknd', '--site', EXAMPLE.ownSite];
    const exported = await folder.repoless(command, { env });
    expect([exported.code, exported.out], exported.err).toEqual([0, expect.stringContaining(`- name: ${EXAMPLE.ownSite}\n`)]);
    const missing = await folder.repoless([...command, '--site', 'nowhere'], asAdmin());
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('wknd has no site named "nowhere".') });
  });

  test('a change that cannot be recorded, and one by someone else during a write, are named', async () => {
    const path = await world.site();
    const site = path.split('/').at(-1)?.replace('.json', '') ?? '';
    await folder.repoless(['export', '--organization', 'wknd', '--site', site, '-o', 'one.yaml'], asAdmin());
    const text = await folder.read('one.yaml');
    const applied = async (configurationPage: string, ...more: string[]) => {
      await folder.write('one.yaml', text.replace('configurationPage: false', `configurationPage: /content/${site}/${configurationPage}`));
      const result = await folder.repoless(['apply', '-f', 'one.yaml', ...more], asAdmin());
      expect([result.code, result.out], result.err).toEqual([0, expect.stringContaining('1 changed')]);
      return result.err;
    };
    await folder.write('file', '');
    const unrecorded = await applied('one', '--history', 'file');
    expect(unrecorded).toMatch(/^The folder file can’t be used \(.+\): changes are not recorded/m);
    expect(unrecorded).toMatch(new RegExp(`^${site}: .*The change was made, but could not be recorded`, 'm'));
    await folder.write(
      'few.yaml',
      JSON.stringify({ title: 'Few', edits: [{ op: 'set', path: '/robots/txt', value: 'x' }], sites: [site] }),
    );
    const refused = await folder.repoless(['rollout', '--organization', 'wknd', '-f', 'few.yaml', '--history', 'file'], asAdmin());
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/^The folder file can’t be used .*rollouts can’t be started\..*\n$/),
    ]);

    const write = { method: 'POST', path: path.replace('.json', '/folders.json'), body: { '/a': '/b' } };
    world.hosted.fault({ kind: 'foreign', write, path: path.replace('.json', '') });
    expect(await applied('two')).toMatch(new RegExp(`^${site}: .*version`, 'm'));
  });

  test('the command line reports once what it waits for and for how long, while hosts are late', async () => {
    const codeFiles = { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) };
    world.hosted.set({ codeFiles: {}, configDelayMs: 3_600_000 });
    await folder.repoless(['export', '--organization', 'wknd', '-o', 'late.yaml'], asAdmin());
    await folder.write('late.yaml', `${await folder.read('late.yaml')}  - name: late\n    contentRoot: /content/late\n`);
    let waits = 0;
    const wait = async () => {
      waits += 1;
      if (waits === 12) world.hosted.set({ codeFiles });
      if (waits === 30) world.hosted.set({ configDelayMs: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    };
    const applied = await folder.repoless(['apply', '-f', 'late.yaml', '--site', 'late'], { ...asAdmin(), wait });
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 created')]);
    expect(applied.err.match(/^late: .+ do not serve it yet\. On the hosted service .+ at most ten\.$/gm)).toHaveLength(2);
  });

  test('the command line waits minutes only for hosts that have yet to get the configuration', async () => {
    const served = { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) };
    const apply = async () => {
      let halfMinutes = 0;
      const wait = async (milliseconds: number): Promise<void> => void (halfMinutes += milliseconds === 30_000 ? 1 : 0);
      const { err } = await folder.repoless(['apply', '-f', 'waits.yaml', '--site', EXAMPLE.ownSite], { ...asAdmin(), wait });
      return { halfMinutes, reports: err.split('\n').filter((line) => line.includes('do not serve it yet')) };
    };
    world.hosted.set({ codeFiles: {} });
    expect(await folder.repoless(['export', '--organization', 'wknd', '-o', 'waits.yaml'], asAdmin())).toMatchObject({ code: 0 });
    expect(await apply()).toEqual({ halfMinutes: 0, reports: [expect.stringContaining(': syncing the code: ')] });

    world.hosted.set({ codeFiles: served, configDelayMs: 3_600_000 });
    world.hosted.change('POST', `/config/wknd/sites/${EXAMPLE.ownSite}/public.json`, { other: true });
    const followed = await apply();
    world.hosted.set({ configDelayMs: 0 });
    expect(followed).toEqual({
      halfMinutes: 18,
      reports: [expect.stringContaining(': verifying both hosts: ')],
    });
  });

  test('many sites are changed in waves, stopped by Ctrl-C, resumed, and undone', async () => {
    const names: string[] = [];
    for (let index = 0; index < 8; index += 1) names.push((await world.site()).split('/').at(-1)?.replace('.json', '') ?? '');
    const edits = [{ op: 'set', path: '/robots/txt', value: '{site}' }];
    await folder.write('rollout.yaml', JSON.stringify({ title: 'Robots', edits, sites: names, waves: [1, '100%'] }));
    const rollout = ['rollout', '--organization', 'wknd'];
    const previewed = await folder.repoless([...rollout, '-f', 'rollout.yaml', '--dry-run'], asAdmin());
    expect([previewed.code, previewed.out]).toEqual([3, expect.stringContaining('8 would change, 0 would not')]);

    const stop = new AbortController();
    const isEnough = () =>
      world.hosted.requests.filter(({ method, path }) => method === 'POST' && path.includes('/robots.json')).length > 1;
    const stopped = await folder.repoless([...rollout, '-f', 'rollout.yaml', '--no-wait'], {
      ...asAdmin(),
      signal: stop.signal,
      wait: async () => {
        if (isEnough()) stop.abort();
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
    const [, id = ''] = /was started as (\S+)\./.exec(stopped.err) ?? [];
    expect([stopped.code, stopped.out]).toEqual([1, expect.stringContaining(`Rollout ${id} stopped. Resume it with --resume ${id}`)]);
    const resumed = await folder.repoless([...rollout, '--resume', id], asAdmin());
    expect(resumed).toMatchObject({ code: 0, out: `8 changed\nRollout ${id} is done.\n` });
    expect((await world.call('GET', `/config/wknd/sites/${names[7] ?? ''}/robots.txt`)).body).toBe(names[7]);
    expect(await folder.repoless([...rollout, '--undo', id], asAdmin())).toMatchObject({ code: 3 });
    const undone = await folder.repoless([...rollout, '--undo', id, '--apply'], asAdmin());
    expect(undone).toMatchObject({ code: 0, out: `8 undone\nRollout ${id} is undone.\n` });
    expect(await readdir(join(folder.folder, 'repoless-history', 'wknd', 'rollouts'))).toEqual([`${id}.json`]);
  });

  test('changes made elsewhere are found by a plan, named, and repaired by one rollout', async () => {
    const paths = [await world.site(), await world.site(), await world.site()];
    const [first = '', second = '', third = ''] = paths.map((path) => path.split('/').at(-1)?.replace('.json', '') ?? '');
    await folder.repoless(['export', '--organization', 'wknd', '-o', 'drift.yaml'], asAdmin());
    expect(await folder.repoless(['plan', '-f', 'drift.yaml'], asAdmin())).toMatchObject({ code: 0 });

    const eve = 'eve.elsewhere@example.com';
    const elsewhere = (name: string) =>
      world.hosted.change('POST', `/config/wknd/sites/${name}/access.json`, {
        admin: { role: { admin: [EXAMPLE.admin, eve] }, requireAuth: 'auto' },
      });
    elsewhere(first);
    elsewhere(third);
    const planned = await folder.repoless(['plan', '-f', 'drift.yaml'], asAdmin());
    expect([planned.code, planned.out.match(/^change site-\d+/gm)?.toSorted()]).toEqual([
      3,
      [`change ${first}`, `change ${third}`].toSorted(),
    ]);
    expect(planned.out).toContain(`Administrators: ${eve} removed`);
    expect((await folder.repoless(['history', '--organization', 'wknd', '--site', first], asAdmin())).out).toMatch(/^2 .*made elsewhere/);

    const edits = [{ op: 'remove', path: '/access/admin/role/admin', value: eve }];
    await folder.write('repair.yaml', JSON.stringify({ title: 'Repair', edits, sites: [first, second, third] }));
    const repaired = await folder.repoless(['rollout', '--organization', 'wknd', '-f', 'repair.yaml'], asAdmin());
    expect([repaired.code, repaired.out]).toEqual([0, expect.stringMatching(/^2 changed, 1 unchanged\n/)]);
    expect(await folder.repoless(['plan', '-f', 'drift.yaml'], asAdmin())).toMatchObject({ code: 0 });
  });

  test('a sign-in on the page of the hosted service reaches the command line, and is stored', async () => {
    const token = world.hosted.token('session', { email: EXAMPLE.admin });
    const signedIn = await folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      wait: () => new Promise(() => undefined),
      onStderr: (text) => void (text.startsWith('Open ') && pressSend(text, token)),
    });
    expect([signedIn.code, signedIn.out], signedIn.err).toEqual([0, expect.stringContaining(EXAMPLE.admin)]);
    expect(await folder.repoless(['doctor'], { env: world.settings })).toMatchObject({ code: 0 });
    expect(await folder.repoless(['logout'], { env: world.settings })).toMatchObject({ code: 0 });
    expect(await folder.repoless(['doctor'], { env: world.settings })).toMatchObject({ code: 3 });
  });

  test('the command line occupies every address of localhost, so no other local program receives the token', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ internal }) => internal));
    const hosts = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
    const token = world.hosted.token('session', { email: EXAMPLE.admin });
    const answers: number[] = [];
    const signedIn = await folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      wait: () => new Promise(() => undefined),
      async onStderr(text) {
        if (!text.startsWith('Open ')) return;
        for (const host of hosts) answers.push(await pressSend(text, token, 'another state', host).catch(() => 0));
        void pressSend(text, token);
      },
    });
    expect([signedIn.code, hosts.length > 0, answers]).toEqual([0, true, hosts.map(() => 403)]);
  });

  test('a token that a page sends without the requested state is not accepted', async () => {
    const answers: number[] = [];
    const stop = new AbortController();
    const pending = folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      signal: stop.signal,
      wait: (_time, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      onStderr(text) {
        if (!text.startsWith('Open ')) return;
        void pressSend(text, 'x', 'another state').then((status) => {
          answers.push(status);
          stop.abort();
        });
      },
    });
    expect(await pending).toMatchObject({ code: 1 });
    expect(answers).toEqual([403]);
  });

  test.each([
    ['sidekick', 'issued to a browser extension'],
    ['expired', 'REPOLESS_TOKEN is not accepted'],
    [
      'unregistered',
      'The API key is not accepted: it has expired, was revoked, or is for something else. Ask an administrator for a new one',
    ],
  ] as const)('doctor describes a token: %s', async (kind, sentence) => {
    const claims = kind === 'unregistered' ? { sub: 'wknd/*', roles: ['admin'] } : { email: EXAMPLE.admin };
    const env = { ...world.settings, REPOLESS_TOKEN: world.hosted.token(kind, claims) };
    const result = await folder.repoless(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], { env });
    expect(result.out + result.err).toContain(sentence);
  });

  test('doctor says for how many days a credential of a year is accepted', async () => {
    const exp = Math.floor(Date.now() / 1000) + 365.5 * 86_400;
    const token = world.hosted.token('session', { email: EXAMPLE.admin, exp });
    const result = await folder.repoless(['doctor'], { env: { ...world.settings, REPOLESS_TOKEN: token } });
    expect(result.out).toMatch(/^ok You: .*, until .* \(365 days\)$/m);
  });
});

/** Does what the hosted service's page does when a person presses "Send". */
async function pressSend(text: string, authToken: string, state?: string, host = 'localhost'): Promise<number> {
  const address = new URL(/Open (\S+) in/.exec(text)?.[1] ?? '');
  const to = (address.searchParams.get('redirect_uri') ?? '').replace('localhost', host);
  const body = JSON.stringify({ state: state ?? address.searchParams.get('state'), siteToken: 'hlxtst_x', authToken });
  return (await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
}
