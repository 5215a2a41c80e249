import { expect, test } from 'vitest';
import { ADA, CARL } from '../setup/setup-world.ts';
import { world, folder, inCommandWorld, sitesFile } from './command.ts';
import { offered } from '../support/on-both.ts';

inCommandWorld({ sites: true });

const environment = async (email: string) => ({
  REPOLESS_TOKEN: await world.backend.token(email),
  REPOLESS_SERVICE: world.backend.address,
  REPOLESS_AUTHORING_TOKEN: await world.author.issuer.token(email, { expires: '1h' }),
});

const file = (roles: string) =>
  sitesFile(world.authorAddress(), '  - { name: plaza, contentRoot: /content/plaza, cloudConfiguration: /conf/plaza }\n', {
    access: `{ role: ${roles} }`,
    cloudConfiguration: '/conf/wknd',
  });

test.runIf(offered('git'))('A file without administrators is checked against those of the site', async () => {
  const ada = await environment(ADA);
  await folder.write('named.yaml', file(`{ admin: [${CARL}] }`));
  await folder.write('silent.yaml', file('{}'));
  const result = await folder.repoless(['apply', '-f', 'named.yaml'], { env: ada });
  expect(result).toMatchObject({ code: 0 });
  const env = await environment(CARL);
  for (const name of ['named.yaml', 'silent.yaml']) {
    expect(await folder.repoless(['plan', '-f', name], { env })).toMatchObject({ code: 0 });
    expect(await folder.repoless(['check', '-f', name], { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/The site is fine\.$/m),
    });
  }
});
