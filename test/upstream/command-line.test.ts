import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, openFolder } from '../command-line/command.ts';
import { startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();
let folder: Folder;
beforeAll(async () => void (folder = await openFolder()));
afterAll(() => folder.remove());

const asAdmin = () => ({ env: { ...world.settings, REPOLESS_TOKEN: world.hosted.token('session', { email: EXAMPLE.admin }) } });
const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];

describe('without any server of one’s own', () => {
  test('from nothing to a new locale site, and back', async () => {
    world.hosted.set({ codeFiles: { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) } });
    const who = await folder.repoless(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], asAdmin());
    expect([who.code, who.out]).toEqual([0, expect.stringContaining(`You: ${EXAMPLE.admin}, signed in by a session`)]);
    expect(who.out).toContain(EXAMPLE.otherAdmin);

    expect(await folder.repoless(['export', '--organization', 'wknd', '-o', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    expect(await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    await folder.write('sites.yaml', `${await folder.read('sites.yaml')}  - name: wknd-ch-de\n    contentRoot: /content/wknd/ch/de\n`);

    const since = world.hosted.requests.length;
    const planned = await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin());
    expect([planned.code, planned.out]).toEqual([3, expect.stringContaining('create wknd-ch-de')]);
    const asked = world.hosted.requests.slice(since);
    expect(asked.every(({ method }) => method === 'GET')).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(6);

    const applied = await folder.repoless(['apply', '-f', 'sites.yaml'], asAdmin());
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 created')]);
    expect(await folder.repoless(['plan', '-f', 'sites.yaml'], asAdmin())).toMatchObject({ code: 0 });
    const stored = await readdir(join(folder.folder, 'repoless-history', 'wknd'));
    expect(stored).toHaveLength(1);

    world.hosted.change('POST', '/config/wknd/sites/wknd-ch-de/folders.json', { '/a': '/b' });
    const address = ['--organization', 'wknd', '--site', 'wknd-ch-de'];
    const listed = await folder.repoless(['history', ...address], asAdmin());
    expect(listed.out).toMatch(/^2 .*made elsewhere\n1 .*ada\.admin@example\.com\n/);
    expect(await folder.repoless(['undo', ...address, '--dry-run'], asAdmin())).toMatchObject({ code: 3 });
    expect(await folder.repoless(['undo', ...address], asAdmin())).toMatchObject({ code: 0 });
    expect((await world.call('GET', '/config/wknd/sites/wknd-ch-de.json')).body).not.toHaveProperty('folders');
  });

  test('a sign-in in the page of the hosted service reaches the command line, and is kept', async () => {
    const token = world.hosted.token('session', { email: EXAMPLE.admin });
    const signedIn = await folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      wait: () => new Promise(() => undefined),
      heard: (text) => void (text.startsWith('Open ') && pressSend(text, token)),
    });
    expect([signedIn.code, signedIn.out], signedIn.err).toEqual([0, expect.stringContaining(EXAMPLE.admin)]);
    expect(await folder.repoless(['doctor'], { env: world.settings })).toMatchObject({ code: 0 });
    expect(await folder.repoless(['logout'], { env: world.settings })).toMatchObject({ code: 0 });
    expect(await folder.repoless(['doctor'], { env: world.settings })).toMatchObject({ code: 3 });
  });

  test('a token that a page sends without knowing what was asked is not taken', async () => {
    const answers: number[] = [];
    const stop = new AbortController();
    const asked = folder.repoless(['login', '--organization', 'wknd', '--site', EXAMPLE.ownSite], {
      env: world.settings,
      signal: stop.signal,
      wait: (_time, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      heard(text) {
        if (!text.startsWith('Open ')) return;
        void pressSend(text, 'x', 'another state').then((status) => {
          answers.push(status);
          stop.abort();
        });
      },
    });
    expect(await asked).toMatchObject({ code: 1 });
    expect(answers).toEqual([403]);
  });

  test.each([
    ['sidekick', 'issued to a browser extension'],
    ['expired', 'REPOLESS_TOKEN is not accepted'],
    ['unregistered', 'API key'],
  ] as const)('doctor says what a token is: %s', async (kind, sentence) => {
    const claims = kind === 'unregistered' ? { sub: 'wknd/*', roles: ['admin'] } : { email: EXAMPLE.admin };
    const env = { ...world.settings, REPOLESS_TOKEN: world.hosted.token(kind, claims) };
    const said = await folder.repoless(['doctor', '--organization', 'wknd', '--site', EXAMPLE.ownSite], { env });
    expect(said.out + said.err).toContain(sentence);
  });
});

/** What the page of the hosted service does when the person presses "Send". */
async function pressSend(text: string, authToken: string, state?: string): Promise<number> {
  const address = new URL(/Open (\S+) in/.exec(text)?.[1] ?? '');
  const to = address.searchParams.get('redirect_uri') ?? '';
  const body = JSON.stringify({ state: state ?? address.searchParams.get('state'), siteToken: 'hlxtst_x', authToken });
  return (await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
}
