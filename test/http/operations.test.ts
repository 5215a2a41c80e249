import { VersionList } from '@repoless/contract/history.ts';
import { KeySet } from '@repoless/contract/session.ts';
import { openSecretBox } from '@repoless/service/db/key-files.ts';
import { access, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callsAs, OPERATOR, siteBody, type TestBackend } from '../support/backend.ts';
import { buildCommandLine } from '../support/child-backend.ts';
import { operated, type Operated } from '../support/operate.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';

const as = OPERATOR;
const SITE = '/config/wknd/sites/kept.json';
const SECRET = { org: 'wknd', site: 'kept', name: 'cm-byog' };
const VALUE = 'the-secret-of-build-management';

let cluster: PostgresCluster;
let deployment: Operated | undefined;
beforeAll(async () => {
  [cluster] = await Promise.all([startPostgres(), buildCommandLine()]);
});
afterEach(() => deployment?.stop());
afterAll(() => cluster.stop());

describe.each([
  ['SQLite', 'Backup of SQLite', 'Restore of SQLite'],
  ['PostgreSQL', 'Backup of PostgreSQL', 'Restore of PostgreSQL'],
])('a backup of %s made as the manual says', (engine, backup, restore) => {
  it('restores what was acknowledged before it, despite writes during the backup', { timeout: 60_000 }, async () => {
    const { start, halt, operate, dataDir } = await deploy(engine === 'SQLite' ? undefined : await cluster.database());
    const before = await start();
    await fill(before);
    const token = await before.token(as);
    let isWriting = true;
    const writing = (async () => {
      for (let count = 0; isWriting; count++)
        await stored(before, `/config/wknd/sites/later-${count}.json`, siteBody('wknd', `later-${count}`));
    })();
    await operate(backup, { BACKUP: join(dataDir, 'backup') });
    isWriting = false;
    await writing;
    expect(await modesBelow(join(dataDir, 'backup'))).toEqual(['700', '600']);
    if (engine === 'SQLite') await operate('Verifying a backup', { BACKUP: join(dataDir, 'backup') });

    // Changes after the backup are lost: here, the removal of everything.
    for (const name of ['kept', 'later-0']) await before.call('DELETE', `/config/wknd/sites/${name}.json`, { as });
    await halt();
    await operate(restore, { BACKUP: join(dataDir, 'backup') });
    const after = await start();
    expect((await after.call('GET', SITE, { headers: { 'x-auth-token': token } })).status).toBe(200);
    const versions = VersionList.parse((await after.call('GET', '/config/wknd/sites/kept/versions.json', { as })).json());
    expect([versions.current, versions.versions.length]).toEqual([2, 2]);
    expect(await secretWith(after, dataDir)).toBe(VALUE);
    expect((await after.call('PUT', SITE, { as, body: siteBody('wknd', 'kept', { title: 'Written again' }) })).status).toBe(200);
  });
});

describe('an organization whose content another one claimed', () => {
  it('gets its authoring host assigned as the manual says', { timeout: 60_000 }, async () => {
    const { start, operate } = await deploy();
    const backend = await start();
    await fill(backend);
    await operate('Another organization holds our content', { HOST: 'author-p100-e200.example.com', ORGANIZATION: 'wknd' });
    expect(await backend.store.reads.authoringHosts()).toEqual([{ host: 'author-p100-e200.example.com', org: 'wknd' }]);
  });
});

describe('a new signing key', () => {
  it('leaves tokens of the old one valid until that is removed', async () => {
    const { start, operate, dataDir } = await deploy();
    const file = join(dataDir, 'signing-keys.json');
    const first = await start();
    const old = await first.token(as);
    await operate('Signing keys', { SIGNING_KEY_FILE: file });
    const second = await start();
    expect(await published(second)).toHaveLength(2);
    const renewed = await second.token(as);
    expect(kid(renewed)).not.toBe(kid(old));
    expect(await statuses(second, old, renewed)).toEqual([200, 200]);

    await keepFirst(file, 1);
    const third = await start();
    expect(await published(third)).toHaveLength(1);
    expect(await statuses(third, old, renewed)).toEqual([401, 200]);
  });
});

describe('a new secret key', () => {
  it('reseals the secrets at the next start, so that the old one can be removed', async () => {
    const { start, operate, dataDir, logged } = await deploy();
    const file = join(dataDir, 'secret-keys.json');
    await fill(await start());
    await operate('Secret keys', { SECRET_KEY_FILE: file });
    await start();
    expect(logged.join('')).toContain('1 secrets were sealed again under the newest key.');
    await keepFirst(file, 1);
    const after = await start();
    expect(await secretWith(after, dataDir)).toBe(VALUE);
    expect(logged.join('')).not.toContain('cannot be opened');
  });

  it('is reported if older keys are missing, and secrets can be opened once those are restored', async () => {
    const { start, halt, operate, dataDir, logged } = await deploy();
    const file = join(dataDir, 'secret-keys.json');
    await fill(await start());
    await halt();
    await rename(file, `${file}.lost`);
    await start();
    expect(logged.join('')).toMatch(/1 secrets cannot be opened with the keys of .*Put the older keys back\./);
    await rename(`${file}.lost`, file);
    await operate('Secret keys', { SECRET_KEY_FILE: file });
    expect(await secretWith(await start(), dataDir)).toBe(VALUE);
  });
});

it('a lost file of signing keys signs everyone out, and new tokens are valid', async () => {
  const { start, halt, dataDir } = await deploy();
  const first = await start();
  await fill(first);
  const old = await first.token(as);
  await halt();
  await rm(join(dataDir, 'signing-keys.json'));
  const second = await start();
  expect(await statuses(second, old, await second.token(as))).toEqual([401, 200]);
});

async function deploy(databaseUrl?: string): Promise<Operated> {
  deployment = await operated(databaseUrl);
  return deployment;
}

/** A site with two versions and a secret. */
async function fill(backend: TestBackend): Promise<void> {
  const source = { type: 'byogit', url: 'https://sync.example.com', raw_url: 'https://raw.example.com', secretId: 'cm-byog' };
  await stored(backend, SITE, siteBody('wknd', 'kept', { code: { owner: '100', repo: '7', source } }));
  await stored(backend, SITE, siteBody('wknd', 'kept', { code: { owner: '100', repo: '7', source }, title: 'Kept' }));
  await callsAs(backend, as).done('POST', '/config/wknd/sites/kept/secrets/cm-byog.json', { value: VALUE });
}

const stored = (backend: TestBackend, path: string, body: unknown) => callsAs(backend, as).done('PUT', path, body);

/** The stored secret, unsealed with the current keys. */
async function secretWith(backend: TestBackend, dataDir: string): Promise<string> {
  const box = await openSecretBox(join(dataDir, 'secret-keys.json'));
  const [secret] = await backend.store.reads.keySecrets();
  return box.open(secret?.sealed ?? '', SECRET).use((value) => value);
}

async function statuses(backend: TestBackend, ...tokens: readonly string[]): Promise<number[]> {
  const answers = tokens.map((token) => backend.call('GET', '/profile', { headers: { 'x-auth-token': token } }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function published(backend: TestBackend): Promise<unknown[]> {
  return KeySet.parse((await backend.call('GET', '/auth/discovery/keys')).json()).keys;
}

function kid(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

const Keys = z.object({ keys: z.array(z.unknown()) });

/** Deletes all but the first keys of a file, as an operator does with an editor. */
async function keepFirst(file: string, count: number): Promise<void> {
  await access(file);
  const { keys } = Keys.parse(JSON.parse(await readFile(file, 'utf8')));
  await writeFile(file, JSON.stringify({ keys: keys.slice(0, count) }));
}

/** The modes of the folder and of each file in it. */
async function modesBelow(folder: string): Promise<string[]> {
  const entries = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  return await Promise.all(entries.map(async (entry) => ((await stat(entry)).mode & 0o777).toString(8)));
}
