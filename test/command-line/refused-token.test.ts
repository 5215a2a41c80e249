import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ADA } from '../setup/setup-world.ts';
import { offered } from '../support/on-both.ts';
import { world, folder, inCommandWorld } from './command.ts';

inCommandWorld({ sites: true });
let service: string;
beforeAll(async () => {
  service = world.backend.address;
});

const NOT_ACCEPTED = 'REPOLESS_TOKEN is not accepted: it has expired, was revoked, or is for another service. Set a new one.\n';

test.each([
  ['export', ['export', '--organization', 'wknd']],
  ...(offered('sign-out') ? [['logout', ['logout']] as const] : []),
  ['sync', ['sync', '--organization', 'wknd']],
  ...(offered('audit') ? [['verify-log', ['verify-log', '--organization', 'wknd']] as const] : []),
] as const)('A token that the service refuses is reported as refused, at %s', async (_name, args) => {
  const result = await folder.repoless([...args], { env: { REPOLESS_SERVICE: service, REPOLESS_TOKEN: 'of-another-service' } });
  expect(result).toMatchObject({ code: 1, err: NOT_ACCEPTED });
});

test('A revoked sign-in is reported as ended', async () => {
  await mkdir(folder.configDirectory, { recursive: true });
  const tokens = { [service]: { token: 'revoked', exp: Math.floor(Date.now() / 1000) + 3600 } };
  await writeFile(join(folder.configDirectory, 'tokens.json'), JSON.stringify(tokens));
  const result = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: service } });
  expect(result.err).toBe('Your sign-in is not accepted: it has expired or was revoked. Run repoless login again.\n');
});

test.each(['"token"', "'token'", 'Bearer token', 'token\n', 'tok en'])('%j is refused as a token before it is sent', async (token) => {
  for (const variable of ['REPOLESS_TOKEN', 'REPOLESS_AUTHORING_TOKEN']) {
    const result = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: service, [variable]: token } });
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining(`${variable} contains characters that a token can’t have.`) });
  }
});

test('A refused authoring token is named', async () => {
  const env = { REPOLESS_SERVICE: service, REPOLESS_TOKEN: await world.backend.token(ADA), REPOLESS_AUTHORING_TOKEN: 'ended' };
  const [from, to] = [world.authorAddress(), world.authorAddress('p100-e300')];
  const result = await folder.repoless(['move', '--organization', 'wknd', '--from', from, '--to', to], { env });
  expect(`${result.out}${result.err}`).toContain('REPOLESS_AUTHORING_TOKEN is not accepted');
});
