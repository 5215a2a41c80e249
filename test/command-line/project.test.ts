import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wait } from '#extension/api/wait.ts';
import { startCodeHost } from '#sandbox/code-host/start-code-host.ts';
import type { Running } from '#sandbox/running.ts';
import { ADA, startSurroundings } from '../setup/surroundings.ts';
import type { Surroundings } from '../setup/surroundings.ts';
import { openFolder } from './command.ts';
import type { Folder, Said } from './command.ts';

const LEGACY = new URL('../../sandbox/code-host/repositories/wknd/legacy/', import.meta.url).pathname;
const EDGE = '/conf/legacy';

let around: Surroundings;
let codeHost: Running;
let data: string;
let folder: Folder;
let env: Record<string, string>;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'code-host-'));
  codeHost = await startCodeHost({ port: 0, dataDir: data });
  around = await startSurroundings({ settings: { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw` } });
  const token = await around.author.issuer.token(ADA, { expires: '1h' });
  env = { REPOLESS_TOKEN: await around.backend.token(ADA), REPOLESS_AUTHORING_TOKEN: token, REPOLESS_SERVICE: around.backend.address };
});
afterAll(async () => {
  await around.stop();
  await codeHost.stop();
  await rm(data, { recursive: true });
});
beforeEach(async () => {
  folder = await openFolder();
});
afterEach(() => folder.remove());

const repoless = (...argv: string[]): Promise<Said> => folder.repoless(argv, { env });

describe('A project with fstab.yaml and paths.json', () => {
  beforeEach(async () => {
    for (const name of ['fstab.yaml', 'paths.json']) await cp(join(LEGACY, name), join(folder.folder, name));
  });

  test('is imported, applied, and checks green; its export changes nothing', async () => {
    const imported = await repoless('import', '.', '--author', around.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    expect(imported).toMatchObject({ code: 0, out: 'sites.yaml: 1 site.\n', err: expect.stringContaining('no longer needed') });
    expect(await folder.read('sites.yaml')).toContain('/content/legacy/:/');

    const planned = await repoless('plan', '-f', 'sites.yaml');
    expect(planned).toMatchObject({ code: 3, out: expect.stringContaining('create legacy: registering the site') });
    const before = await repoless('check', '-f', 'sites.yaml', '--json');
    expect(before.code).toBe(3);

    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    const checked = await repoless('check', '-f', 'sites.yaml', '--json');
    expect(checked.json()).toMatchObject({ reach: 'both', summary: { sites: 1, wrong: 0 }, sites: [{ site: 'legacy' }] });
    expect(checked.code).toBe(0);
    expect((await repoless('status', '-f', 'sites.yaml')).out).toContain('legacy: as the file says');

    expect((await repoless('export', '--organization', 'wknd', '-o', 'exported.json')).code).toBe(0);
    expect(await repoless('apply', '-f', 'exported.json')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect(await around.versions('legacy')).toBe(1);
  });

  test('is checked without an authoring token as far as the service goes', async () => {
    await repoless('import', '.', '--author', around.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    const { REPOLESS_AUTHORING_TOKEN: _token, ...service } = env;
    const checked = await folder.repoless(['check', '-f', 'sites.yaml'], { env: service });
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('Checked without the authoring system') });
  });

  test('is refused with a sentence where the content comes from elsewhere', async () => {
    await folder.write('fstab.yaml', 'mountpoints:\n  /: https://drive.example.com/folder\n');
    expect(await repoless('import', '.')).toMatchObject({ code: 2, err: expect.stringContaining('https://drive.example.com/folder') });
  });
});

describe('A locale with a configuration of its own', () => {
  const file = (account: string) => `version: 1
organization: wknd
author: ${around.authorAddress()}
code: { owner: wknd, repo: wknd }
access: { role: { admin: [${ADA}] } }
cloudConfiguration: /conf/wknd
technicalAccount: ${account}
sites:
  - name: wknd-de-en
    contentRoot: /content/wknd/de/en
    cloudConfiguration: /conf/wknd/de-en
`;

  test('is refused with the technical account of another environment', async () => {
    await folder.write('sites.yaml', file('p100-e300@techacct.example.com'));
    const refused = await repoless('apply', '-f', 'sites.yaml');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('p100-e200');
    expect(await around.edgeConfiguration(EDGE)).toMatchObject({ repo: 'legacy' });
  });

  test('is set up in the authoring system too', async () => {
    await folder.write('sites.yaml', file('p100-e200@techacct.example.com'));
    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    expect(await around.edgeConfiguration('/conf/wknd/de-en')).toMatchObject({ repo: 'wknd-de-en', projectType: '4' });
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect((await repoless('check', '-f', 'sites.yaml', '--json')).json()).toMatchObject({ summary: { wrong: 0 } });
  });
});

describe('Signing in', () => {
  test('keeps the token where only its owner reads it, and shows it to nobody', async () => {
    const cookie = `auth_token=${await around.backend.token(ADA)}`;
    const allow = async (text: string) => {
      const userCode = /code ([A-Z-]+)/.exec(text)?.[1] ?? '';
      const page = await around.backend.call('GET', `/device?user_code=${userCode}`, { headers: { cookie, accept: 'text/html' } });
      const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const body = new URLSearchParams({ user_code: userCode, decision: 'allow', nonce }).toString();
      await around.backend.call('POST', '/device', { headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' }, body });
    };
    const options = { env: { REPOLESS_SERVICE: around.backend.address }, wait, heard: (text: string) => void allow(text) };
    const said = await folder.repoless(['login', '--json'], options);
    expect(said).toMatchObject({ code: 0 });
    expect(said.json()).toMatchObject({ email: ADA, service: around.backend.address });
    expect(`${said.out}${said.err}`).not.toMatch(/eyJ/);
    const kept = await stat(join(folder.configDirectory, 'tokens.json'));
    expect(kept.mode & 0o777).toBe(0o600);

    const exported = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: around.backend.address } });
    expect(exported.code).toBe(0);
  });
});
