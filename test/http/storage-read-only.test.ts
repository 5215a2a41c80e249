import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { type Account, buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';

const FAILING = {
  status: 'failing',
  problem: 'The storage can be read but not written; nothing was changed. Its operator must make it writable.',
};
const SERVICE = 'http://repoless.example.com';
const SITE = '/config/wknd/sites/site.json';

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let child: ChildBackend;
let port: number;
let data: string;
let token: string;
beforeAll(async () => {
  await buildBackend();
  folder = await temporaryDirectory();
  // The program's account goes through to its own folder.
  await chmod(folder.path, 0o711);
  data = join(folder.path, 'data');
  await mkdir(data, { mode: 0o700 });
  await fill();
  token = await tokenOfOperator();
  const account = unprivileged();
  if (account !== undefined) await giveTo(account);
  port = (await freePorts()).backend;
  const settings = {
    PORT: String(port),
    PUBLIC_ADDRESS: SERVICE,
    LIVE_DOMAIN: 'live.example.com',
    OPERATORS: OPERATOR,
    // The folder where programs of tests note their answers is closed to its account.
    NODE_OPTIONS: '',
  };
  child = await startChildBackend(data, settings, { account });
});
afterAll(async () => {
  child.child.kill('SIGTERM');
  await child.ended;
  await folder.remove();
});

const call = (method: string, path: string, body?: unknown) =>
  ask(`http://127.0.0.1:${port}`, path, {
    method,
    host: new URL(SERVICE).host,
    headers: { 'x-auth-token': token },
    ...(body !== undefined && { body }),
  });
const config = () => ask(`http://127.0.0.1:${port}`, '/config.json', { host: 'main--site--wknd.live.example.com' });
const write = (title: string) => call('PUT', SITE, { version: 1, title });

it('says that a storage cannot be written, refuses changes with a sentence, and goes on reading, until it can be again', async () => {
  expect((await write('Before')).status).toBe(200);
  for (const [path, readOnly, writable] of [
    [join(data, 'repoless.sqlite'), 0o400, 0o600],
    [data, 0o500, 0o700],
  ] as const) {
    await chmod(path, readOnly);
    const health = await call('GET', '/health');
    expect([health.status, health.json()]).toEqual([503, FAILING]);
    const refused = await write('Behind');
    expect([refused.status, refused.headers['x-error-code'], refused.headers['x-error']]).toEqual([
      503,
      'STORAGE_UNAVAILABLE',
      FAILING.problem,
    ]);
    const out = await call('GET', '/logout?everywhere=true');
    expect([out.status, out.headers['x-error']]).toEqual([503, FAILING.problem]);
    expect((await call('GET', SITE)).json()).toMatchObject({ title: 'Before' });
    expect((await config()).status).toBe(200);
    await chmod(path, writable);
    expect((await call('GET', '/health')).json()).toEqual({ status: 'ready' });
  }
  expect((await write('After')).status).toBe(200);
  expect((await call('GET', SITE)).json()).toMatchObject({ title: 'After' });
});

/** An organization with a site. */
async function fill(): Promise<void> {
  const backend = await startTestBackend({ open: () => openStore({ dataDir: data }) });
  const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: siteBody('wknd', 'site', { public: publicPart('site') }) });
  expect(answer.status).toBe(201);
  await backend.stop();
}

async function tokenOfOperator(): Promise<string> {
  const store = await openStore({ dataDir: data });
  const keys = await openSigningKeys(join(data, 'signing-keys.json'));
  const tokens = createTokens({ keys, issuer: SERVICE, lifetime: 3600, store, now: () => new Date() });
  const { token: issued } = await tokens.issue({ email: OPERATOR });
  await store.close();
  return issued;
}

/** Modes of files say nothing to root: then the program runs as somebody else. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function giveTo({ uid, gid }: Account): Promise<void> {
  for (const name of await readdir(data)) await chown(join(data, name), uid, gid);
  await chown(data, uid, gid);
}
