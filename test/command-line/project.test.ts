import { SiteCheck } from '@repoless/contract/site-check.ts';
import { wait } from '@repoless/core/api/exchange.ts';
import { startCodeHost } from '../support/git-hosts.ts';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADA, startSetupWorld } from '../setup/setup-world.ts';
import { type CommandOutcome, folder, inOwnFolder, sitesFile, allowCode } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../support/listen.ts';

const LEGACY = new URL('../../sandbox/repositories/code-host/wknd/legacy/', import.meta.url).pathname;
const EDGE = '/conf/legacy';
const LOCALE = '  - name: wknd-de-en\n    contentRoot: /content/wknd/de/en\n    cloudConfiguration: /conf/wknd/de-en\n';

let env: Record<string, string>;
const data = startBeforeAll(temporaryDirectory);
const codeHost = startBeforeAll(() => startCodeHost({ port: 0, dataDir: data.path }));
const world = startBeforeAll(() =>
  startSetupWorld({ settings: { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw` } }),
);
beforeAll(async () => {
  const token = await world.author.issuer.token(ADA, { expires: '1h' });
  env = { REPOLESS_TOKEN: await world.backend.token(ADA), REPOLESS_AUTHORING_TOKEN: token, REPOLESS_SERVICE: world.backend.address };
});
inOwnFolder();

const repoless = (...argv: string[]): Promise<CommandOutcome> => folder.repoless(argv, { env });

describe('A project with fstab.yaml and paths.json', () => {
  beforeEach(async () => {
    for (const name of ['fstab.yaml', 'paths.json']) await cp(join(LEGACY, name), join(folder.folder, name));
  });

  test('is imported, applied, and checks green; its export changes nothing', async () => {
    const imported = await repoless('import', '.', '--author', world.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    expect(imported).toMatchObject({ code: 0, out: 'sites.yaml: 1 site.\n', err: expect.stringContaining('no longer needed') });
    expect(await folder.read('sites.yaml')).toContain('/content/legacy/:/');

    const planned = await repoless('plan', '-f', 'sites.yaml');
    expect(planned).toMatchObject({ code: 3, out: expect.stringContaining('create legacy: registering the site') });
    const before = await repoless('check', '-f', 'sites.yaml', '--json');
    expect(before.code).toBe(3);

    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    const checked = await repoless('check', '-f', 'sites.yaml', '--json');
    // Until the first sync has ended, the host does not serve the repository's files.
    const state = expect.stringMatching(/^(changed|syncing|in-order)$/) as unknown;
    expect(checked.json()).toMatchObject({ reach: 'both', summary: { sites: 1, wrong: 0 }, sites: [{ site: 'legacy', state }] });
    expect(checked.code).toBe(0);
    expect((await repoless('status', '-f', 'sites.yaml')).out).toContain('legacy: In order, in sync');

    expect((await repoless('export', '--organization', 'wknd', '-o', 'exported.json')).code).toBe(0);
    expect(await repoless('apply', '-f', 'exported.json')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect(await world.versions('legacy')).toBe(1);
  });

  test('stores the result of a check in the service for everyone, unless disabled', async () => {
    await repoless('import', '.', '--author', world.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    const storedCheck = async () =>
      SiteCheck.parse((await world.backend.call('GET', '/config/wknd/sites/legacy/checks.json', { as: ADA })).json());
    const before = await storedCheck();
    expect(await repoless('check', '-f', 'sites.yaml', '--no-record')).toMatchObject({ code: 0 });
    expect(await storedCheck()).toEqual(before);
    const checked = await repoless('check', '-f', 'sites.yaml', '--json');
    const after = await storedCheck();
    expect(after).toMatchObject({ isOutdated: false, authoring: { by: ADA, version: 1, switched: true, drifts: [] } });
    expect(checked.json()).toMatchObject({ sites: [{ state: after.state }] });
    expect(after.authoring?.at).not.toBe(before.authoring?.at);
  });

  test('is also checked if the service stores no checks', async () => {
    await repoless('import', '.', '--author', world.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    const older = await olderService(world.backend.address);
    const checked = await folder.repoless(['check', '-f', 'sites.yaml'], { env: { ...env, REPOLESS_SERVICE: older.address } });
    await older.stop();
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('were not recorded') });
    expect(checked.out).toContain('The service is too old to store check results');
  });

  test('is checked only in the service if there is no authoring token', async () => {
    await repoless('import', '.', '--author', world.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    const { REPOLESS_AUTHORING_TOKEN: _token, ...service } = env;
    const checked = await folder.repoless(['check', '-f', 'sites.yaml'], { env: service });
    expect(checked).toMatchObject({ code: 4, out: expect.stringMatching(/not checked technical-account-listed/) });
    expect(checked.out).toMatch(/Not checked without the authoring system: .*project-type.*REPOLESS_AUTHORING_TOKEN/);
    expect(checked.out).not.toContain('fine');
    expect(checked.out).toMatch(/^legacy: In order$/m);
    const answer = await folder.repoless(['check', '-f', 'sites.yaml', '--json'], { env: service });
    expect(answer.json()).toMatchObject({ notChecked: expect.arrayContaining(['project-type']), summary: { wrong: 0, notChecked: 7 } });
  });

  test('is not fine if a host has no home page, which is named', async () => {
    await repoless('import', '.', '--author', world.authorAddress(), '--code', 'wknd/wknd', '-o', 'sites.yaml');
    await folder.write('sites.yaml', (await folder.read('sites.yaml')).replaceAll('/content/legacy/:/', '/content/legacy/en/:/'));
    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    const { REPOLESS_AUTHORING_TOKEN: _token, ...service } = env;
    const checked = await folder.repoless(['check', '-f', 'sites.yaml'], { env: service });
    expect(checked.code).toBe(3);
    expect(checked.out).toMatch(/^legacy: Has errors$/m);
    expect(checked.out).toMatch(/error page-live: http\S+ returns 404 instead of the site’s home page/);
  });

  test('is refused with a message if the content comes from elsewhere', async () => {
    await folder.write('fstab.yaml', 'mountpoints:\n  /: https://drive.example.com/folder\n');
    expect(await repoless('import', '.')).toMatchObject({ code: 2, err: expect.stringContaining('https://drive.example.com/folder') });
  });
});

describe('The plan', () => {
  const file = (admins: string, more = '') =>
    sitesFile(world.authorAddress(), `${LOCALE}${more}`, { access: `{ role: { admin: [${admins}] } }`, cloudConfiguration: '/conf/wknd' });
  const steps = (result: CommandOutcome) =>
    (result.json() as { changes: { steps: { step: string; changes: object[] }[] }[] }).changes[0]?.steps;

  test('prints each field and each person that apply would change, by site and step', async () => {
    await folder.write('sites.yaml', file(ADA));
    const created = await repoless('plan', '-f', 'sites.yaml');
    expect(created.code).toBe(3);
    for (const line of [
      /^create wknd-de-en: .*registering the site/m,
      /^ {4}Administrators: ada\.admin@example\.com added$/m,
      /^ {4}owner: wknd$/m,
      /^ {4}repo: wknd-de-en$/m,
      /^ {4}\/content\/wknd\/de\/en\/configuration is created$/m,
      /^ {4}cq:conf: \/conf\/wknd\/de-en$/m,
    ])
      expect(created.out).toMatch(line);
    expect(await world.versions('wknd-de-en')).toBe(0);

    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    await folder.write('sites.yaml', file(`${ADA}, ben@example.com`, '    includes: [/content/wknd/de/en/, /content/dam/]\n'));
    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    await folder.write('sites.yaml', file(`${ADA}, cleo@example.com`));
    const changed = await repoless('plan', '-f', 'sites.yaml');
    expect(changed.out).toMatch(/Administrators: ben@example\.com removed, cleo@example\.com added/);
    expect(changed.out).toMatch(/\/content\/dam\//);
    expect(steps(await repoless('plan', '-f', 'sites.yaml', '--json'))).toMatchObject([
      {
        step: 'register-site',
        changes: expect.arrayContaining([
          expect.objectContaining({ field: '/access/admin/role/admin', added: ['cleo@example.com'], removed: ['ben@example.com'] }),
        ]),
      },
      { step: 'verify' },
    ]);
  });

  test('is a comment for a pull request, in which no text becomes a link or a mention', async () => {
    const hostile = '/content/wknd/de/en/x```@team[here](x)/';
    await folder.write('sites.yaml', file(ADA, `    includes: [/content/wknd/de/en/, ${JSON.stringify(hostile)}]\n`));
    const planned = await repoless('plan', '-f', 'sites.yaml', '--format', 'markdown');
    expect(planned).toMatchObject({ code: 3, err: '' });
    expect(planned.out).toMatch(/^### Sites of wknd\n\n\d to create, \d to change, 0 in sync\.\n/);
    expect(planned.out).toMatch(/\n\| Site \| Plan \| Parts \|\n\| --- \| --- \| --- \|\n\| `wknd-de-en` \| (create|change) \| \S/);
    const [block = '', , details = ''] = /\n(`{4,})text\n([\s\S]*?)\n\1\n\n<\/details>\n/.exec(planned.out) ?? [];
    expect(details).toContain(hostile);
    expect(planned.out.replace(block, '')).not.toContain('@team');
  });

  test('truncates a comment that is too long, and adds a note', async () => {
    const sites = Array.from({ length: 120 }, (_, index) => `  - name: many-${index}\n    contentRoot: /content/wknd/many/${index}\n`);
    await folder.write('sites.yaml', file(ADA).replace(/sites:[\s\S]*/, `sites:\n${sites.join('')}`));
    const { REPOLESS_AUTHORING_TOKEN: _, ...service } = env;
    const { out } = await folder.repoless(['plan', '-f', 'sites.yaml', '--format', 'markdown'], { env: service });
    expect(out.length).toBeLessThan(65_536);
    expect(out).toMatch(/^120 to create, 0 to change, 0 in sync\.$/m);
    expect(out).toMatch(/^The details of \d+ more sites are too long for a comment\./m);
    expect(out.match(/<details>/g)?.length).toBe(out.match(/<\/details>/g)?.length);
    expect(out).toContain('| `many-119` | create |');
  });
});

describe('A locale with its own configuration', () => {
  const file = (technicalAccount: string) =>
    sitesFile(world.authorAddress(), LOCALE, { technicalAccount, cloudConfiguration: '/conf/wknd' });

  test('is refused with the technical account of another environment', async () => {
    await folder.write('sites.yaml', file('p100-e300@techacct.example.com'));
    const refused = await repoless('apply', '-f', 'sites.yaml');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('p100-e200');
    expect(await world.edgeConfiguration(EDGE)).toMatchObject({ repo: 'legacy' });
  });

  test('is set up in the authoring system too', async () => {
    await folder.write('sites.yaml', file('p100-e200@techacct.example.com'));
    expect((await repoless('apply', '-f', 'sites.yaml')).code).toBe(0);
    expect(await world.edgeConfiguration('/conf/wknd/de-en')).toMatchObject({ repo: 'wknd-de-en', projectType: '4' });
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect((await repoless('check', '-f', 'sites.yaml', '--json')).json()).toMatchObject({ summary: { wrong: 0 } });
  });
});

test('What the service warns of in a write is said once, and not by a plan', async () => {
  const twice = '  - { name: warned, contentRoot: /content/warned, mappings: ["/content/warned/a/:/", "/content/warned/b/:/"] }\n';
  await folder.write('sites.yaml', sitesFile(world.authorAddress(), twice));
  const ofService = { env: { ...env, REPOLESS_AUTHORING_TOKEN: '' } };
  expect((await folder.repoless(['plan', '-f', 'sites.yaml'], ofService)).err).not.toContain('mapped more than once');
  const applied = await folder.repoless(['apply', '-f', 'sites.yaml'], ofService);
  expect([applied.code, applied.err.match(/^.*mapped more than once.*$/gm)], applied.err).toEqual([
    0,
    [expect.stringMatching(/^warned: The public path "\/" is mapped more than once: /)],
  ]);
});

describe('Signing in', () => {
  test('stores the token readable only by its owner, and never shows it', async () => {
    const options = {
      env: { REPOLESS_SERVICE: world.backend.address },
      wait,
      onStderr: (text: string) => void allowCode(world.backend, ADA, text),
    };
    const result = await folder.repoless(['login', '--json'], options);
    expect(result).toMatchObject({ code: 0 });
    expect(result.json()).toMatchObject({ email: ADA, service: world.backend.address });
    expect(`${result.out}${result.err}`).not.toMatch(/eyJ/);
    const tokens = await stat(join(folder.configDirectory, 'tokens.json'));
    expect(tokens.mode & 0o777).toBe(0o600);

    const exported = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: world.backend.address } });
    expect(exported.code).toBe(0);
  });

  test.each([
    ['here', ['logout'], 200],
    ['everywhere', ['logout', '--everywhere'], 401],
  ])('ends with signing out %s, which deletes the token', async (_, args, elsewhere) => {
    const service = world.backend.address;
    const status = async (token: string) => (await world.backend.call('GET', '/profile', { headers: { 'x-auth-token': token } })).status;
    const [own, other] = [await world.backend.token(ADA), await world.backend.token(ADA)];
    const tokens = join(folder.configDirectory, 'tokens.json');
    await mkdir(folder.configDirectory, { recursive: true });
    await writeFile(tokens, JSON.stringify({ [service]: { token: own, exp: Math.floor(Date.now() / 1000) + 3600 } }));
    const result = await folder.repoless(args, { env: { REPOLESS_SERVICE: service } });
    expect([result.code, result.err]).toEqual([0, '']);
    expect(result.out).toContain(ADA);
    expect([await status(own), await status(other)]).toEqual([401, elsewhere]);
    expect(await readFile(tokens, 'utf8')).not.toContain(own);
    const again = await folder.repoless(args, { env: { REPOLESS_SERVICE: service } });
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('You are not signed in') });
  });
});
/** A service in front of another that announces no stored checks, like older versions without them. */
async function olderService(newer: string): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const server = createServer((incoming, answered) => forward(newer, incoming, answered));
  return await listen(server);
}

function forward(newer: string, incoming: IncomingMessage, answered: ServerResponse): void {
  const { host: _host, 'accept-encoding': _encoding, ...headers } = incoming.headers;
  const passed = request(new URL(incoming.url ?? '/', newer), { method: incoming.method, headers }, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => void parts.push(part));
    answer.on('end', () => {
      const text = Buffer.concat(parts)
        .toString()
        .replace(/,\s*"checks"/, '');
      const { 'content-length': _length, 'transfer-encoding': _transfer, ...more } = answer.headers;
      answered.writeHead(answer.statusCode ?? 500, more).end(text);
    });
  });
  incoming.pipe(passed);
}
