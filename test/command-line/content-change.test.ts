import { expect, test } from 'vitest';
import { world, folder, repoless, inCommandWorld, sitesFile } from './command.ts';

inCommandWorld({ sites: true });

const apply = ['apply', '-f', 'sites.yaml'];
const plan = ['plan', '-f', 'sites.yaml'];
const served = async () => (await world.backend.visit('live', 'main--moving--wknd', '/config.json')).text;

async function write(root: string, author = world.authorAddress()): Promise<void> {
  const beside = `  - { name: beside-${root.split('/').at(-1)}, contentRoot: ${root}/beside }\n`;
  await folder.write('sites.yaml', sitesFile(author, `${beside}  - { name: moving, contentRoot: ${root} }\n`));
}

test('A changed content root needs confirmation, is left out until then, and then replaces the old one', async () => {
  const [from, to] = ['/content/wknd/de/en', '/content/wknd/de/de'];
  await write(from);
  expect((await repoless(...apply)).code).toBe(0);

  expect(await served()).toContain(`${from}/:/`);

  await write(to);
  const at = (root: string) => `${world.authorAddress()}${root}`;
  const result = await repoless(...plan);
  expect(result.code).toBe(1);
  expect(result.out).toContain(`blocked moving: The site has the content ${at(from)}. ${at(to)} would replace it`);
  expect(result.out).toMatch(
    /would disappear from http\S+moving--wknd\.preview\S+ and http\S+moving--wknd\.live\S+\. .*--allow-content-change moving\./,
  );
  expect(result.out).toMatch(/^create beside-de: /m);

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

  await write(to, world.authorAddress('p100-e300'));
  const elsewhere = await repoless(...plan);
  expect(elsewhere.out).toContain(`The site has the content ${at(to)}. ${world.authorAddress('p100-e300')}${to} would replace it`);
});

test('A site that the file does not name cannot be confirmed', async () => {
  await write('/content/wknd/de/en');
  expect(await repoless(...apply, '--allow-content-change', 'other')).toMatchObject({
    code: 2,
    err: 'The file has no site "other". Specify one of its sites, or omit the option.\n',
  });
});
