import { BranchList, type ExternalRepository, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { newSecretKeys } from '@repoless/service/secrets/secret-box.ts';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { GITHUB } from './payloads.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
let external: ExternalRepository;
let other: ExternalRepository;
let before: WebhookCredentials;
let hook: WebhookCredentials;
const world = startBeforeAll(startBuildWorld);
beforeAll(async () => {
  external = await world.ready();
  before = await world.webhook(external.repositoryId);
  hook = await world.webhook(external.repositoryId);
  other = await world.ready();
});

/** Edits the key file as an operator does. Returns the previous text. */
async function changeKeys(change: (keys: unknown[]) => unknown[]): Promise<string> {
  const file = join(world.dataDir, 'secret-keys.json');
  const text = await readFile(file, 'utf8');
  const { keys } = JSON.parse(text) as { keys: unknown[] };
  await writeFile(file, JSON.stringify({ keys: change(keys) }));
  return text;
}
const freshKeys = () => (JSON.parse(newSecretKeys()) as { keys: unknown[] }).keys;

const logged = (text: RegExp) => world.output.flatMap((line) => text.exec(line)?.[0] ?? []);
const branches = (id: string) => world.call('GET', `${LIST}/${id}/branches`);
const push = ({ address, secret }: WebhookCredentials) => {
  const { pathname, search } = new URL(address);
  return world.call('POST', `${pathname}${search}`, { as: null, ...GITHUB.sign(GITHUB.push('main', randomUUID()), secret) });
};

it('seals access tokens and webhook secrets again after a key was added, so that the previous one can be removed', async () => {
  await world.restart(async () => void (await changeKeys((keys) => [...freshKeys(), ...keys])));
  // The token and the webhook's secrets of one repository, and the token of the other.
  expect(logged(/\d+ access .* sealed again under the newest key\./)).toEqual([
    '4 access tokens and webhook secrets were sealed again under the newest key.',
  ]);
  await world.restart(async () => void (await changeKeys(([newest]) => [newest])));
  for (const id of [external.repositoryId, other.repositoryId]) {
    const answer = await branches(id);
    expect([answer.status, answer.text.includes('key')], answer.text).toEqual([200, false]);
  }
  for (const credentials of [hook, before]) expect((await push(credentials)).status).toBe(202);
  expect([logged(/sealed again/), logged(/cannot be opened/)]).toEqual([['sealed again'], []]);
});

it('starts while the storage is locked, reports no secret as unreadable, and seals them at the next start', async () => {
  const other = new Database(join(world.dataDir, 'build-management.sqlite'));
  await world.restart(async () => {
    await changeKeys((keys) => [...freshKeys(), ...keys]);
    other.exec('begin immediate');
  });
  other.exec('rollback');
  other.close();
  expect(logged(/could not be stored under the newest key of .*Keep the older keys, and restart\./)).toHaveLength(1);
  expect(logged(/cannot be opened/)).toEqual([]);
  expect((await branches(external.repositoryId)).status).toBe(200);
  await world.restart();
  expect(logged(/4 access .* sealed again/)).toHaveLength(2);
}, 120_000);

it('says what to do if the key was removed too early', async () => {
  let lost = '';
  await world.restart(async () => void (lost = await changeKeys(freshKeys)));
  expect(logged(/\d+ access .* cannot be opened with the keys of .*secret-keys\.json\. Put the older keys back\./)).toHaveLength(1);
  const id = external.repositoryId;
  const message =
    'The access token of this repository cannot be opened: the key that sealed it is missing. Retry with a new access token, or ask the operator of build management to put the key back.';
  for (const answer of [await branches(id), await world.call('POST', `${LIST}/${id}/sync`, { body: { branch: 'main' } })])
    expect([answer.status, answer.headers['x-error-code'], answer.headers['x-error']]).toEqual([502, 'REPOSITORY_UNREACHABLE', message]);
  const refused = await push(hook);
  expect([refused.status, refused.headers['x-error-code'], refused.headers['x-error']]).toEqual([
    503,
    'STORAGE_UNAVAILABLE',
    'The webhook secret of this repository cannot be opened: the key that sealed it is missing. Ask the operator of build management to put the key back, or create new credentials for the webhook.',
  ]);

  await world.call('POST', `${LIST}/${id}/retry`);
  expect((await world.settled(id, 'READY', 'failed')).problem).toBe(message);
  // Without the old key, a new token and new credentials are sealed under the current one.
  await world.call('POST', `${LIST}/${id}/retry`, { body: { accessToken: ACCESS_TOKEN } });
  expect((await world.settled(id, 'READY', 'failed')).state).toBe('READY');
  expect(BranchList.parse((await branches(id)).json()).branches.map(({ name }) => name)).toContain('main');

  await world.restart(async () => {
    const { keys } = JSON.parse(lost) as { keys: unknown[] };
    await changeKeys((current) => [...current, ...keys]);
  });
  expect((await push(hook)).status).toBe(202);
});
