import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ADA } from '../setup/setup-world.ts';
import { offered } from '../support/on-both.ts';
import { around, folder, inCommandWorld } from './command.ts';

inCommandWorld({ sites: true });
let service: string;
beforeAll(async () => {
  service = around.backend.address;
});

const NOT_ACCEPTED = 'REPOLESS_TOKEN is not accepted: it has expired, was revoked, or is for another service. Set a new one.\n';

test.each([
  ['export', ['export', '--organization', 'wknd']],
  ...(offered('sign-out') ? [['logout', ['logout']] as const] : []),
  ['sync', ['sync', '--organization', 'wknd']],
  ...(offered('audit') ? [['verify-log', ['verify-log', '--organization', 'wknd']] as const] : []),
] as const)('A token that the service refuses is reported as refused, at %s', async (_name, args) => {
  const said = await folder.repoless([...args], { env: { REPOLESS_SERVICE: service, REPOLESS_TOKEN: 'of-another-service' } });
  expect(said).toMatchObject({ code: 1, err: NOT_ACCEPTED });
});

test('A revoked sign-in is reported as ended', async () => {
  await mkdir(folder.configDirectory, { recursive: true });
  const kept = { [service]: { token: 'revoked', exp: Math.floor(Date.now() / 1000) + 3600 } };
  await writeFile(join(folder.configDirectory, 'tokens.json'), JSON.stringify(kept));
  const said = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: service } });
  expect(said.err).toBe('Your sign-in is not accepted: it has expired or was revoked. Run repoless login again.\n');
});

test.each(['"token"', "'token'", 'Bearer token', 'token\n', 'tok en'])('%j is refused as a token before it is sent', async (token) => {
  for (const variable of ['REPOLESS_TOKEN', 'REPOLESS_AUTHORING_TOKEN']) {
    const said = await folder.repoless(['export', '--organization', 'wknd'], { env: { REPOLESS_SERVICE: service, [variable]: token } });
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining(`${variable} contains characters that a token can’t have.`) });
  }
});

test('A refused authoring token is named', async () => {
  const env = { REPOLESS_SERVICE: service, REPOLESS_TOKEN: await around.backend.token(ADA), REPOLESS_AUTHORING_TOKEN: 'ended' };
  const [from, to] = [around.authorAddress(), around.authorAddress('p100-e300')];
  const said = await folder.repoless(['move', '--organization', 'wknd', '--from', from, '--to', to], { env });
  expect(`${said.out}${said.err}`).toContain('REPOLESS_AUTHORING_TOKEN is not accepted');
});
