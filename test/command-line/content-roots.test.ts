import { expect, test, describe } from 'vitest';
import { z } from 'zod';
import { around, env, folder, inCommandWorld, sitesFile, repoless } from './command.ts';

inCommandWorld({ sites: true, authoring: true });

const ROOT = '/content/wknd/de/en';
const write = (mappings: readonly string[] = [`${ROOT}/:/`]) =>
  folder.write(
    'sites.yaml',
    sitesFile(around.authorAddress(), `  - { name: simulated, contentRoot: ${ROOT}, mappings: ${JSON.stringify(mappings)} }\n`),
  );
const simulate = (...more: string[]) => repoless('simulate', '-f', 'sites.yaml', ...more);
const withoutAuthoring = () => Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'REPOLESS_AUTHORING_TOKEN'));
/** Pages directly below the site's root. */
const pagesOfSite = async () => {
  const node = z.record(z.string(), z.unknown()).parse(await around.author.json(`${ROOT}.1.json`));
  return Object.entries(node).flatMap(([name, child]) => (Page.safeParse(child).success ? [`${ROOT}/${name}`] : []));
};
const Page = z.looseObject({ 'jcr:primaryType': z.literal('cq:Page') });
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const stored = () => around.versions('simulated');

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
        pages: expect.arrayContaining([{ path: first, before: `/${nameOf(first)}`, fate: 'vanishes' }]),
      },
    ],
  });
  expect(await stored()).toBe(1);
});

test('Pages can only be read with a token of the authoring system, and unread ones are named', async () => {
  await write();
  const refused = await folder.repoless(['simulate', '-f', 'sites.yaml'], { env: withoutAuthoring() });
  expect(refused).toMatchObject({ code: 1, err: 'The pages are in the authoring system. Set REPOLESS_AUTHORING_TOKEN.\n' });
  await around.author.fault({ mode: 'forbidden', path: `${ROOT}/adventures` });
  const partly = await simulate();
  await around.author.fault({ mode: 'none' });
  expect(partly).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^ {2}1 folder of pages was not checked, among them \S+\/adventures\. You don’t have permission/m),
  });
  await around.author.fault({ mode: 'forbidden', path: ROOT });
  const failed = await simulate();
  await around.author.fault({ mode: 'none' });
  expect(failed.code).toBe(1);
  expect(failed.out).toMatch(/^simulated: You don’t have permission to read or change this in the authoring system\./);
});
describe('A changed content root', () => {
  inCommandWorld({ sites: true });

  const apply = ['apply', '-f', 'sites.yaml'];
  const plan = ['plan', '-f', 'sites.yaml'];
  const served = async () => (await around.backend.visit('live', 'main--moving--wknd', '/config.json')).text;

  async function write(root: string, author = around.authorAddress()): Promise<void> {
    const beside = `  - { name: beside-${root.split('/').at(-1)}, contentRoot: ${root}/beside }\n`;
    await folder.write('sites.yaml', sitesFile(author, `${beside}  - { name: moving, contentRoot: ${root} }\n`));
  }

  test('A changed content root needs confirmation, is left out until then, and then replaces the old one', async () => {
    const [from, to] = ['/content/wknd/de/en', '/content/wknd/de/de'];
    await write(from);
    expect((await repoless(...apply)).code).toBe(0);

    expect(await served()).toContain(`${from}/:/`);

    await write(to);
    const at = (root: string) => `${around.authorAddress()}${root}`;
    const asked = await repoless(...plan);
    expect(asked.code).toBe(1);
    expect(asked.out).toContain(`blocked moving: The site has the content ${at(from)}. ${at(to)} would replace it`);
    expect(asked.out).toMatch(
      /would disappear from http\S+moving--wknd\.preview\S+ and http\S+moving--wknd\.live\S+\. .*--allow-content-change moving\./,
    );
    expect(asked.out).toMatch(/^create beside-de: /m);

    const left = await repoless(...apply);
    expect(left.code).toBe(1);
    expect(left.out).toMatch(/^created beside-de$/m);
    expect(left.out).toMatch(/^failed moving: The site has the content .*--allow-content-change moving\./m);
    expect(await served()).toContain(`${from}/:/`);

    const allowed = await repoless(...plan, '--allow-content-change', 'moving');
    expect(allowed.code).toBe(3);
    expect(allowed.out).toContain(`  Content: ${at(from)} → ${at(to)}\n`);
    expect(allowed.out).toMatch(/^ {2}The pages below \S+\/content\/wknd\/de\/en disappear from http/m);
    const answer = await repoless(...plan, '--allow-content-change', 'moving', '--json');
    expect(answer.json()).toMatchObject({
      changes: [{ site: 'beside-de' }, { site: 'moving', action: 'change', content: { from: at(from), to: at(to) } }],
    });
    expect(await repoless(...apply, '--allow-content-change', 'moving')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^changed moving$/m),
    });
    expect(await served()).toContain(`${to}/:/`);
    expect(await served()).not.toContain(from);
    expect(await repoless(...apply)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });

    await write(to, around.authorAddress('p100-e300'));
    const elsewhere = await repoless(...plan);
    expect(elsewhere.out).toContain(`The site has the content ${at(to)}. ${around.authorAddress('p100-e300')}${to} would replace it`);
  });

  test('A site that the file does not name cannot be confirmed', async () => {
    await write('/content/wknd/de/en');
    expect(await repoless(...apply, '--allow-content-change', 'other')).toMatchObject({
      code: 2,
      err: 'The file has no site "other". Specify one of its sites, or omit the option.\n',
    });
  });
});
