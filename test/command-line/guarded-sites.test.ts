import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { offered } from '../support/on-both.ts';
import { world, folder, inCommandWorld, repoless, sitesFile, asOperator } from './command.ts';

inCommandWorld();
afterEach(async () => {
  for (const name of NAMES) await asOperator.call('DELETE', `/config/wknd/sites/${name}.json`);
});

const NAMES = ['ga', 'gb', 'gc'];

/** `also`: further lines for some of the sites. */
function fileOf(also: Readonly<Record<string, string>> = {}): string {
  const sites = NAMES.map((name) => `  - { name: ${name}, contentRoot: /content/${name}${also[name] ?? ''} }\n`);
  return sitesFile(world.authorAddress(), sites.join(''), { technicalAccount: undefined });
}

/** Lets only someone else than the caller read the preview host of a site. */
const guard = (name: string) =>
  asOperator.done('POST', `/config/wknd/sites/${name}/access/preview.json`, { allow: ['somebody@example.com'] });

const wider = ', includes: [/content/]';

describe('A site whose preview host does not admit the person who applies', () => {
  beforeEach(async () => {
    await folder.write('sites.yaml', fileOf());
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0 });
    await guard('ga');
  });

  test.runIf(offered('guarded-hosts')).each([[[]], [['--concurrency', '1']]])(
    'has nothing to do if its plan says so, nor have the others on its repository %j',
    async (args) => {
      expect(await repoless('plan', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: 'Nothing to do. All 3 sites match the file.\n' });
      expect(await repoless('apply', '-f', 'sites.yaml', ...args)).toMatchObject({
        code: 0,
        out: expect.stringContaining('Nothing to do. All 3 sites match the file.'),
      });
    },
  );

  test.runIf(offered('guarded-hosts'))('does not prevent changes to the others on its repository', async () => {
    await folder.write('sites.yaml', fileOf({ gb: wider, gc: wider }));
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringMatching(/^changed gb\nchanged gc\n/) });
  });

  test('is the only one to fail if it was changed and its code cannot be verified', async () => {
    await folder.write('sites.yaml', fileOf({ ga: wider, gb: wider, gc: wider }));
    const applied = await repoless('apply', '-f', 'sites.yaml', '--concurrency', '1');
    expect(applied).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^failed ga: .*have access to .*ga--wknd.*\nchanged gb\nchanged gc\n/),
    });
  });
});
