import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { filesBelow, type Place, plantedValues } from '../support/planted.ts';
import { settingsOf, siteBody } from '../upstream/hosted-world.ts';
import { startFrontWorld } from './hosted-world.ts';

const keys = await mkdtemp(join(tmpdir(), 'repoless-keys-'));
afterAll(() => rm(keys, { recursive: true }));
const file = join(keys, 'keys');
await writeFile(file, '');

const world = startFrontWorld({
  UPSTREAM_KEYS_FILE: file,
  SITE_CHECK_INTERVAL: '1',
  OPERATORS: EXAMPLE.admin,
  METRICS_PORT: '0',
  LOG_LEVEL: 'trace',
});
const { plant, register, found } = plantedValues();
const ORG = `/config/${EXAMPLE.org}`;
const SITE = `${ORG}/sites/planted`;

function site(title: string) {
  return {
    ...siteBody('planted'),
    title,
    cdn: { prod: { host: 'www.example.com', type: 'fastly', serviceId: 'one', authToken: plant('a credential of a CDN') } },
  };
}

test('in front of the hosted service, neither the service nor the command line stores or logs a credential', async () => {
  const { backend, hosted } = world;
  const standingKey = hosted.token('apiKey', {
    sub: `${EXAMPLE.org}/*`,
    roles: ['config_admin'],
    exp: Math.floor(Date.now() / 1000) + 86_400,
  });
  await writeFile(file, `${register('a standing key', standingKey)}\n`);
  const token = register('a session', hosted.token('session', { email: EXAMPLE.admin, name: plant('a name') }));
  const answers: Place[] = [];
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = { 'x-auth-token': token }) => {
    const answer = await backend.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    return { ...answer, place: { name: `${method} ${path}`, bytes: Buffer.from(JSON.stringify(answer)) } };
  };
  const record = async (...request: Parameters<typeof call>) => void answers.push((await call(...request)).place);

  expect((await call('PUT', `${SITE}.json`, site(plant('a title')))).status).toBe(201);
  expect((await call('POST', `${SITE}/public.json`, { theme: plant('a public value') })).status).toBe(200);
  for (const [name, path] of [
    ['a secret', `${SITE}/secrets.json`],
    ['a key of a site', `${SITE}/apiKeys.json`],
  ] as const) {
    const { status, text, json } = await call('POST', path, name === 'a key of a site' ? { roles: ['publish'] } : {});
    expect(status, text).toBe(201);
    register(name, (json() as { value: string }).value);
  }
  await call('POST', `${SITE}/secrets/given.json`, { value: plant('a secret that was sent') });
  await call('POST', `${ORG}/rollouts.json`, {
    title: 'All',
    sites: ['planted'],
    edits: [{ op: 'set', path: '/title', value: 'Rolled out' }],
  });
  await record('POST', `${ORG}/checks.json`);
  await record('POST', `${SITE}.json`, { secrets: plant('a credential in a body that is refused') });
  for (const headers of [
    { 'x-auth-token': plant('an invalid token') },
    { authorization: `Bearer ${plant('another')}` },
    { cookie: `auth_token=${plant('a cookie')}` },
    { 'x-auth-token': token, 'x-content-source-authorization': `Bearer ${plant('an authoring token')}` },
  ])
    for (const path of [`${SITE}.json?token=${plant('a token in a query')}`, '/authoring/localhost:1/content.json', '/profile', '/admin'])
      if (!('x-content-source-authorization' in headers) || path.startsWith('/authoring')) await record('GET', path, undefined, headers);
  for (const path of ['/admin/state', `${ORG}/log.json`, `${ORG}/rollouts.json`, `${ORG}/checks.json`, '/profile', '/orgs.json'])
    await record('GET', path);
  expect((await call('DELETE', `${SITE}.json`)).status).toBe(204);
  for (const version of ['', '/1', '/2']) await record('GET', `${SITE}/versions${version}.json`);

  const folder = await openFolder();
  const env = { ...settingsOf(hosted), REPOLESS_TOKEN: token };
  await folder.write(
    'rollout.yaml',
    JSON.stringify({ title: 'One', sites: [EXAMPLE.ownSite], edits: [{ op: 'set', path: '/title', value: 'By the command line' }] }),
  );
  expect((await folder.repoless(['rollout', '--organization', EXAMPLE.org, '-f', 'rollout.yaml'], { env })).code).toBe(0);
  await expect.poll(() => world.lines.join('')).toContain('standing API key');
  const [metrics = ''] = /http:[^\s"]+metrics/.exec(world.lines.join('\n')) ?? [];
  // The rollout stores its end after the command was answered.
  const written = await vi.waitUntil(() => filesBelow(folder.folder).catch(() => undefined));
  const places: Place[] = [
    ...answers.map((place) => ({ ...place, name: 'an answer' })),
    ...(await filesBelow(backend.dataDir)),
    ...written.map((place) => ({ ...place, name: 'a file of the command line' })),
    { name: 'the log', bytes: Buffer.from(world.lines.join('\n')) },
    { name: 'the metrics', bytes: Buffer.from(await (await fetch(metrics)).text()) },
  ].map(({ name, bytes }) => ({ name: name.replace(/^repoless\.sqlite(?:-wal)?$/, 'the database'), bytes }));
  await folder.remove();
  expect(found(places).toSorted()).toEqual([
    'a name in an answer',
    'a public value in an answer',
    'a public value in the database',
    'a title in an answer',
    'a title in the database',
  ]);
});
