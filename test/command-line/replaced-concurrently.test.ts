import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OTTO } from '../setup/setup-world.ts';
import { IS_HOSTED } from '../support/on-both.ts';
import { world, env, folder, inCommandWorld, sitesFile, asOperator, asAda, repoless } from './command.ts';

inCommandWorld();
beforeEach(() =>
  folder.write(
    'sites.yaml',
    sitesFile(world.authorAddress(), '  - { name: nd, contentRoot: /content/nd }\n', { technicalAccount: undefined }),
  ),
);
afterEach(() => asOperator.call('DELETE', SITE));

const SITE = '/config/wknd/sites/nd.json';

/** Applies the file; someone else replaces the site's public part right after its creation. */
async function appliedUnder(paths: object) {
  let replaced = false;
  const answered = async (method: string, address: string): Promise<void> => {
    if (replaced || method !== 'PUT' || !address.includes('/sites/nd.json')) return;
    replaced = true;
    const answer = await world.backend.call('POST', '/config/wknd/sites/nd/public.json', { as: OTTO, body: { paths } });
    if (answer.status >= 300) throw new Error(answer.text);
  };
  const applied = await folder.repoless(['apply', '-f', 'sites.yaml'], { env, answered });
  expect(replaced).toBe(true);
  return applied;
}

// On the hosted service, the command line sends its requests from its own bridge, where no test can come between.
describe.runIf(!IS_HOSTED)('A site that someone else changes right after its creation', () => {
  test('is planned again, and ends as the file says', async () => {
    const mappings = ['/content/nd/:/', '/content/nd/configuration:/.helix/config.json'];
    expect(await appliedUnder({ mappings, includes: ['/content/nd/a/'] })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^created nd\n/),
    });
    expect(await repoless('plan', '-f', 'sites.yaml')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    });
  });

  test('is not reported as created if its content has been replaced', async () => {
    const applied = await appliedUnder({ mappings: ['/content/elsewhere/:/'], includes: ['/content/elsewhere/'] });
    expect(applied).toMatchObject({ code: 1, out: expect.stringMatching(/ nd: .*\/content\/elsewhere/) });
    expect(applied.out).not.toMatch(/^created/m);
    expect((await asAda.call('GET', SITE)).json()).toMatchObject({
      public: { paths: { mappings: ['/content/elsewhere/:/'] } },
    });
  });
});
