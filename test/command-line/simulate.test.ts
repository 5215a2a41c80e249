import { expect, test } from 'vitest';
import { z } from 'zod';
import { world, env, folder, inCommandWorld, sitesFile, repoless } from './command.ts';

inCommandWorld({ sites: true, authoring: true });

const ROOT = '/content/wknd/de/en';
const write = (mappings: readonly string[] = [`${ROOT}/:/`]) =>
  folder.write(
    'sites.yaml',
    sitesFile(world.authorAddress(), `  - { name: simulated, contentRoot: ${ROOT}, mappings: ${JSON.stringify(mappings)} }\n`),
  );
const simulate = (...more: string[]) => repoless('simulate', '-f', 'sites.yaml', ...more);
const withoutAuthoring = () => Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'REPOLESS_AUTHORING_TOKEN'));
/** Pages directly below the site's root. */
const pagesOfSite = async () => {
  const node = z.record(z.string(), z.unknown()).parse(await world.author.json(`${ROOT}.1.json`));
  return Object.entries(node).flatMap(([name, child]) => (Page.safeParse(child).success ? [`${ROOT}/${name}`] : []));
};
const Page = z.looseObject({ 'jcr:primaryType': z.literal('cq:Page') });
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const stored = () => world.versions('simulated');

test('The addresses of existing pages are shown before the file is applied, and nothing is written', async () => {
  await write();
  const created = await simulate();
  expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^simulated: \d+ pages get an address\.$/m) });
  expect(created.out).toContain(`  ${ROOT}: gets the address /\n`);
  expect(await stored()).toBe(0);

  expect((await folder.repoless(['apply', '-f', 'sites.yaml'], { env: withoutAuthoring() })).code).toBe(0);
  expect(await stored()).toBe(1);
  const same = await simulate();
  expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/^simulated: The addresses of all \d+ pages stay as they are\.\n$/) });

  const [first = '', second = ''] = await pagesOfSite();
  await write([`${ROOT}/:/`, `${first}:/${nameOf(second)}`]);
  const colliding = await simulate();
  expect(colliding.code).toBe(3);
  expect(colliding.out).toMatch(/^simulated: 2 pages collide, \d+ pages stay as they are\.$/m);
  expect(colliding.out).toContain(`  ${second}: not shown: /${nameOf(second)} shows ${first}\n`);

  await write([`${ROOT}:/`]);
  const lost = await simulate('--json');
  expect(lost.code).toBe(3);
  expect(lost.json()).toMatchObject({
    sites: [
      {
        site: 'simulated',
        isTruncated: false,
        unread: [],
        counts: { collides: 0, unchanged: 1 },
        pages: expect.arrayContaining([{ path: first, before: `/${nameOf(first)}`, effect: 'vanishes' }]),
      },
    ],
  });
  expect(await stored()).toBe(1);
});

test('Pages can only be read with a token of the authoring system, and unread ones are named', async () => {
  await write();
  const refused = await folder.repoless(['simulate', '-f', 'sites.yaml'], { env: withoutAuthoring() });
  expect(refused).toMatchObject({ code: 1, err: 'The pages are in the authoring system. Set REPOLESS_AUTHORING_TOKEN.\n' });
  await world.author.fault({ mode: 'forbidden', path: `${ROOT}/adventures` });
  const partly = await simulate();
  await world.author.fault({ mode: 'none' });
  expect(partly).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^ {2}1 folder of pages was not checked, among them \S+\/adventures\. You don’t have permission/m),
  });
  await world.author.fault({ mode: 'forbidden', path: ROOT });
  const failed = await simulate();
  await world.author.fault({ mode: 'none' });
  expect(failed.code).toBe(1);
  expect(failed.out).toMatch(/^simulated: You don’t have permission to read or change this in the authoring system\./);
});
