import { expect, test } from 'vitest';
import { offered } from '../support/on-both.ts';
import { around, env, folder, inCommandWorld, repoless } from './command.ts';

inCommandWorld({ sites: true, authoring: true });

const clone = (root: string, ...more: string[]) =>
  repoless('clone', '--organization', 'wknd', '--from', 'wknd', '--site', 'twin', '--content-root', root, ...more);

test('A site is cloned from another, first as a dry run, then once, and never over an existing site', async () => {
  const root = '/content/wknd/de/en';
  const tried = await clone(root, '--dry-run');
  expect(tried.code).toBe(0);
  expect(tried.out).toContain(`  Mapping of / changed from /content/wknd/ to ${root}/\n`);
  expect(tried.out).toMatch(/^The site “twin” can be created with the configuration of “wknd”\. Nothing was written\.$/m);
  expect(await around.versions('twin')).toBe(0);

  const made = await clone(`${root}/`, '--json');
  expect(made).toMatchObject({ code: 0 });
  expect(made.json()).toMatchObject({
    site: 'twin',
    from: 'wknd',
    created: true,
    tried: true,
    preview: expect.stringContaining('main--twin--wknd'),
  });
  expect(await around.versions('twin')).toBe(1);

  const again = await clone('/content/wknd/de/de');
  expect(again).toMatchObject({ code: 1, err: 'A site with this name already exists. Choose another name.\n' });
  expect(await around.versions('twin')).toBe(1);
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
