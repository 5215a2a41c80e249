import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';
import { EDGE_PROPERTY } from '@repoless/core/situation/edge-configuration.ts';
import { makeAuthoringPackage, textsOf } from '../support/authoring-package.ts';
import { readManifest } from '../support/extension-app.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const EXTENSION = 'https://extension.example.com/site-setup';
const SELECTION = 'jcr_root/apps/wcm/core/content/sites/_jcr_content/actions/selection';

let file: string;
let texts: Readonly<Record<string, string>>;
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  file = await makeAuthoringPackage(join(folder.path, 'package'), ['--extension', EXTENSION, '--org', 'wknd']);
  texts = await textsOf(file);
});

it('is identical byte for byte for the same input, at any time and in any time zone', async () => {
  const again = await makeAuthoringPackage(join(folder.path, 'again'), ['--extension', `${EXTENSION}/index.html`, '--org', 'wknd'], {
    TZ: 'Pacific/Auckland',
  });
  expect((await readFile(again)).equals(await readFile(file))).toBe(true);
  const other = await makeAuthoringPackage(join(folder.path, 'other'), ['--extension', EXTENSION]);
  expect((await readFile(other)).equals(await readFile(file))).toBe(false);
});

it('opens the extension that the command names, and names it in one file only', async () => {
  const { version, headerMenuButtons } = await readManifest();
  const [button] = headerMenuButtons;
  const named = Object.entries(texts).filter(([, text]) => text.includes('extension.example.com'));
  expect(named).toEqual([
    [
      'jcr_root/apps/repoless/clientlibs/site-setup/js/extension.js',
      `window.repoless = ${JSON.stringify({ extension: EXTENSION, org: 'wknd', label: button?.label })};\n`,
    ],
  ]);
  expect(file).toMatch(new RegExp(`repoless-authoring-${version}\\.zip$`));
  expect(texts['META-INF/vault/properties.xml']).toContain(`<entry key="version">${version}</entry>`);
});

it('has a console button for each one in the manifest, and loads the scripts they need', async () => {
  const { headerMenuButtons } = await readManifest();
  const buttons = Object.keys(texts).filter((path) => path.startsWith(`${SELECTION}/`) && path !== `${SELECTION}/.content.xml`);
  expect(buttons).toEqual(headerMenuButtons.map(({ id }) => `${SELECTION}/repoless-${id}/.content.xml`));
  for (const { id, label } of headerMenuButtons) {
    const text = texts[`${SELECTION}/repoless-${id}/.content.xml`];
    expect(text).toContain(`text="${label}"`);
    expect(text).toContain(`view="${id}"`);
    expect(text).toContain('activeSelectionCount="single"');
  }
  expect(texts['jcr_root/apps/wcm/core/content/sites/_jcr_content/head/repoless/.content.xml']).toContain(
    'categories="[repoless.site-setup]"',
  );
  const library = 'jcr_root/apps/repoless/clientlibs/site-setup';
  expect(texts[`${library}/.content.xml`]).toContain('categories="[repoless.site-setup,cq.siteadmin.admin.properties]"');
  const listed = (texts[`${library}/js.txt`] ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const scripts = Object.keys(texts).filter((path) => path.endsWith('.js'));
  expect(scripts).toEqual(listed.map((name) => `${library}/js/${name}`));
  // Sling serves them without a character encoding.
  for (const path of scripts) expect(texts[path]).toMatch(/^[\x20-\x7e\s]+$/);
});

it('has the fields of the Edge Delivery configuration, by the names that the extension reads and writes', () => {
  const dialog = texts['jcr_root/apps/repoless/components/edge-delivery-configuration/_cq_dialog/.content.xml'] ?? '';
  const names = [...dialog.matchAll(/ name="\.\/([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(EDGE_FIELDS.map(({ property }) => property));
  expect(names).toEqual(expect.arrayContaining(Object.values(EDGE_PROPERTY)));
  for (const { label } of EDGE_FIELDS) expect(dialog).toContain(`fieldLabel="${label}"`);
});

it('owns only its own paths, and nothing else of the overlay', () => {
  const owned = [...(texts['META-INF/vault/filter.xml'] ?? '').matchAll(/<filter root="([^"]+)"\/>/g)].map(([, root = '']) => root);
  expect(owned.filter((root) => !root.split('/').some((name) => name.startsWith('repoless')))).toEqual([]);
  const paths = Object.keys(texts)
    .filter((path) => path.startsWith('jcr_root/'))
    .map((path) =>
      path
        .slice('jcr_root'.length)
        .replace(/\/\.content\.xml$/, '')
        .replaceAll('/_jcr_', '/jcr:'),
    );
  const others = paths.filter((path) => !owned.some((root) => path === root || path.startsWith(`${root}/`)));
  expect(others.filter((path) => !owned.some((root) => root.startsWith(`${path}/`)))).toEqual([]);
});

it.each([
  [[], 'Specify the address: --extension https://'],
  [['--extension', 'extension.example.com'], 'is not a valid address'],
  [['--extension', 'ftp://extension.example.com'], 'must start with https://'],
  [['--extension', 'http://extension.example.com'], 'must start with https://'],
  [['--extension', 'https://extension.example.com/?x=1'], 'no query'],
  [['--extension', 'https://me:hush@extension.example.com'], 'no name or password'],
  [['--extension', EXTENSION, '--org', 'Wknd'], 'organization'],
])('refuses %j with a message', async (options, sentence) => {
  const refused = await makeAuthoringPackage(join(folder.path, 'refused'), options).catch((error: unknown) => Failed.parse(error).stderr);
  expect(refused).toContain(sentence);
  expect(refused).not.toContain('    at ');
});

const Failed = z.object({ stderr: z.string() });
