import { expect, test } from 'vitest';
import { offered } from '../support/on-both.ts';
import { world, env, folder, inCommandWorld, repoless } from './command.ts';

inCommandWorld({ sites: true, authoring: true });

const clone = (root: string, ...more: string[]) =>
  repoless('clone', '--organization', 'wknd', '--from', 'wknd', '--site', 'twin', '--content-root', root, ...more);

test('A site is cloned from another, first as a dry run, then once, and never over an existing site', async () => {
  const root = '/content/wknd/de/en';
  const dryRun = await clone(root, '--dry-run');
  expect(dryRun.code).toBe(0);
  expect(dryRun.out).toContain(`  Mapping of / changed from /content/wknd/ to ${root}/\n`);
  expect(dryRun.out).toMatch(/^The site “twin” can be created with the configuration of “wknd”\. Nothing was written\.$/m);
  expect(await world.versions('twin')).toBe(0);

  const created = await clone(`${root}/`, '--json');
  expect(created).toMatchObject({ code: 0 });
  expect(created.json()).toMatchObject({
    site: 'twin',
    from: 'wknd',
    created: true,
    tried: true,
    preview: expect.stringContaining('main--twin--wknd'),
  });
  expect(await world.versions('twin')).toBe(1);

  const again = await clone('/content/wknd/de/de');
  expect(again).toMatchObject({ code: 1, err: 'A site with this name already exists. Choose another name.\n' });
  expect(await world.versions('twin')).toBe(1);
});

test('A clone requires a source, a name and a content root', async () => {
  const argv = ['clone', '--organization', 'wknd', '--from', 'wknd'];
  expect(await folder.repoless(argv, { env })).toMatchObject({ code: 2, err: expect.stringContaining('--site <name>') });
  expect(await repoless(...argv, '--site', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--content-root'),
  });
  expect(await clone('content')).toMatchObject({ code: 2, err: expect.stringContaining('must be absolute') });
  if (offered('authoring'))
    expect(await clone('/content/nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('This page doesn’t exist') });
});
