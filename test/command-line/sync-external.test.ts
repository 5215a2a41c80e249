import { beforeAll, describe, expect, test } from 'vitest';
import { wait } from '@repoless/core/api/exchange.ts';
import { ADA, CARL } from '../setup/setup-world.ts';
import { siteBody } from '../support/backend.ts';
import { externalCode } from '../support/code-world.ts';
import { startByogit } from '../support/byogit.ts';
import { world, folder, inCommandWorld, type CommandOutcome, asOperator } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

inCommandWorld({ needs: 'git' });
const byogit = startBeforeAll(() => startByogit('what the holder must show'));
beforeAll(async () => {
  for (const name of ['first', 'second']) await register(name, name === 'first' ? { secretId: 'cm-byog' } : {});
  await asOperator.done('POST', '/config/wknd/sites/first/secrets/cm-byog.json', { value: 'something-else' });
});

async function register(name: string, secret: Record<string, string>): Promise<void> {
  const code = externalCode(byogit.address, { owner: '100', repo: '200', ...secret });
  const access = { admin: { role: { admin: [ADA, CARL] } } };
  await asOperator.done('PUT', `/config/wknd/sites/${name}.json`, siteBody('wknd', name, { code, access }));
}

async function synced(email: string, ...sites: string[]): Promise<CommandOutcome> {
  const env = { REPOLESS_TOKEN: await world.backend.token(email), REPOLESS_SERVICE: world.backend.address };
  const named = sites.flatMap((site) => ['--site', site]);
  return folder.repoless(['sync', '--organization', 'wknd', ...named], { env, wait: (_, signal) => wait(20, signal) });
}

describe('A sync whose external repository refuses the secret reports that', () => {
  test.each([
    ['of the organization, for all its sites', ADA, ['first', 'second'], 'the secret that the site “first” holds'],
    ['of the organization, for one that does not hold it', ADA, ['second'], 'the secret that the site “first” holds'],
    ['of the site that holds it', CARL, ['first'], 'the secret that the site “first” holds'],
    ['of only another site', CARL, ['second'], 'the secret that another of its sites holds'],
  ])('to an administrator %s', async (_who, email, sites, secret) => {
    const result = await synced(email, ...sites);
    expect(result).toMatchObject({ code: 1, out: expect.stringContaining(`The external repository does not accept ${secret}.`) });
    expect(result.out).toContain('Store the secret that build management shows');
  });
});
