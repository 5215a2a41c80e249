import { OrgChecks } from '@repoless/contract/site-check.ts';
import { ServiceState } from '@repoless/contract/operator.ts';
import { readStandingKeys } from '@repoless/service/hosted/watch.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { siteBody } from '../upstream/hosted-world.ts';
import { startFrontWorld } from './hosted-world.ts';

const DAY = 86_400;
const folder = await mkdtemp(join(tmpdir(), 'repoless-standing-'));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'keys');
await writeFile(file, '# none yet\n');

const world = startFrontWorld({ UPSTREAM_KEYS_FILE: file, SITE_CHECK_INTERVAL: '1', OPERATORS: EXAMPLE.admin, METRICS_PORT: '0' });
const keyOf = (claims: object = {}) =>
  world.hosted.token('apiKey', {
    sub: `${EXAMPLE.org}/*`,
    roles: ['config_admin'],
    exp: Math.floor(Date.now() / 1000) + 5 * DAY,
    ...claims,
  });

async function listed() {
  const answer = await world.backend.call('GET', `/config/${EXAMPLE.org}/checks.json`, { headers: world.ada });
  return OrgChecks.parse(answer.json()).sites.find(({ name }) => name === EXAMPLE.ownSite);
}

test('sites are checked with a standing key once it is in its file, and changes by others are found without a requested check', async () => {
  expect((await listed())?.checkedAt).toBeUndefined();
  const key = keyOf();
  await writeFile(file, `# wknd\n${key}\n`);
  await expect.poll(async () => (await listed())?.checkedAt).toBeDefined();
  const before = (await listed())?.problems?.map(({ check }) => check) ?? [];
  expect(before).not.toContain('groups-exist');
  const access = { admin: { role: { admin: [EXAMPLE.siteAdmin], config_admin: ['groups/nobody'] }, requireAuth: 'auto' } };
  world.hosted.change('POST', `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}/access.json`, access);
  await expect.poll(async () => (await listed())?.problems?.map(({ check }) => check)).toContain('groups-exist');

  const { hosted } = ServiceState.parse((await world.backend.call('GET', '/admin/state', { headers: world.ada })).json());
  expect(hosted?.keys).toEqual([{ org: EXAMPLE.org, id: expect.any(String), ends: expect.any(String) }]);
  const lines = world.lines.join('\n');
  expect(lines).toContain(`The standing API key of the organization \\"${EXAMPLE.org}\\" ends at `);
  const [address = ''] = /http:[^\s"]+metrics/.exec(lines) ?? [];
  expect(await (await fetch(address)).text()).toMatch(/repoless_hosted_standing_key_seconds\{organization="wknd"\} 4\d{5}/);
  expect(lines + JSON.stringify(hosted)).not.toContain(key.split('.')[2]);
  expect(world.hosted.requests.every(({ method }) => method === 'GET')).toBe(true);

  // Sites are registered, and the key is revoked in the middle of a round.
  for (const name of ['one', 'two', 'three']) world.hosted.change('PUT', `/config/${EXAMPLE.org}/sites/${name}.json`, siteBody(name));
  const path = `/config/${EXAMPLE.org}/sites/two.json`;
  world.hosted.fault({ kind: 'answer', status: 401, takesEffect: false, method: 'GET', path, times: 50 });
  await expect
    .poll(() => world.lines.join('\n'), { timeout: 10_000 })
    .toMatch(/The check of the organization \\"wknd\\" ended after \d of \d sites: \w/);

  await writeFile(file, 'something else\n');
  await expect.poll(() => world.lines.join('\n')).toContain('The previously read keys are used.');
});

describe('a file of standing keys is refused, naming the line and not its content, with', () => {
  test.each([
    ['a key of one site', () => keyOf({ sub: `${EXAMPLE.org}/${EXAMPLE.ownSite}` }), /^Line 2 .* is not an API key of an organization/],
    ['a session token', () => world.hosted.token('session', { email: EXAMPLE.admin }), /^Line 2 .* is not an API key of an organization/],
    [
      'a key of an administrator',
      () => keyOf({ roles: ['config_admin', 'admin'] }),
      /^Line 2 .* role admin, which can change who has access/,
    ],
    ['a key that cannot read sites', () => keyOf({ roles: ['author'] }), /^Line 2 .* without the role config_admin/],
    ['a key without roles', () => keyOf({ roles: [] }), /^Line 2 .* without the role config_admin/],
    ['a second key of an organization', () => `${keyOf()}\n${keyOf()}`, /two keys of the organization "wknd"/],
  ])('%s', async (_name, line, sentence) => {
    const other = join(folder, 'other');
    await writeFile(other, `\n${line()}\n`);
    const message = await readStandingKeys(other).catch((error: unknown) => String(error).replace(/^Error: /, ''));
    expect(message).toMatch(sentence);
    for (const part of (await readFile(other, 'utf8')).trim().split('.')) expect(message).not.toContain(part);
  });
});
