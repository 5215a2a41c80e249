import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';
import { extensionAddress } from '@repoless/contract/extension.ts';
import { makeAuthoringPackage } from '../../support/authoring-package.ts';
import { launchChromium } from '../../support/chromium.ts';
import { readManifest } from '../../support/extension-app.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { temporaryDirectory } from '../../support/child-backend.ts';

const EXTENSION = 'https://one.example.com';
const AUTHORIZATION = `Basic ${Buffer.from(`${ADMIN.name}:${ADMIN.password}`).toString('base64')}`;
const CONSOLE = '/apps/wcm/core/content/sites/_jcr_content';
const SELECTION = `${CONSOLE}/actions/selection`;
const SCRIPT = '/apps/repoless/clientlibs/site-setup/js/extension.js';
/** Sling installs it in a job, which a new instance only starts after half a minute on two free cores. */
const LONGEST = 240_000;
const WITHIN = { timeout: 200_000, interval: 250 };

const sling = slingCaller(inject('sling'), ADMIN);
const folder = startBeforeAll(temporaryDirectory);

describe('the content package', { timeout: LONGEST }, () => {
  it('installs its nodes with the package manager', async () => {
    const { headerMenuButtons } = await readManifest();
    await install(EXTENSION);
    expect(await json('/apps/repoless/clientlibs/site-setup.json')).toMatchObject({
      'jcr:primaryType': 'cq:ClientLibraryFolder',
      categories: ['repoless.site-setup', 'cq.siteadmin.admin.properties'],
      allowProxy: true,
    });
    const script = await text('/apps/repoless/clientlibs/site-setup/js/site-setup.js');
    expect(script).toBe(await readFile(new URL('../../../packaging/authoring/dist/web/site-setup.js', import.meta.url), 'utf8'));
    expect(await json(`${CONSOLE}/head.1.json`)).toMatchObject({ repoless: { categories: ['repoless.site-setup'] } });
    for (const { id, label } of headerMenuButtons) {
      const action = await json(`${SELECTION}/repoless-${id}.1.json`);
      expect(action).toMatchObject({ text: label, action: 'repoless.open', ignoreRel: true, data: { view: id } });
    }
    const dialog = JSON.stringify(await json('/apps/repoless/components/edge-delivery-configuration/cq:dialog.infinity.json'));
    const names = [...dialog.matchAll(/"name":"\.\/([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(EDGE_FIELDS.map(({ property }) => property)));
  });

  it('opens the extension from a Sling page that loads its script, for that page and author', async () => {
    const { headerMenuButtons } = await readManifest();
    const origin = inject('sling');
    await servePage('properties.html', '<form id="cq-sites-properties-form"></form>');
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({ extraHTTPHeaders: { authorization: AUTHORIZATION } });
      await context.route(`${EXTENSION}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Extension</title>' }));
      const page = await context.newPage();
      await page.goto(`${origin}/content/properties.html?item=/content/summit`);
      const opening = context.waitForEvent('page');
      await page.getByRole('button', { name: headerMenuButtons[0]?.label ?? '', exact: true }).click();
      const opened = await opening;
      await opened.waitForURL(`${EXTENSION}/**`);
      expect(opened.url()).toBe(
        extensionAddress({ extension: EXTENSION, org: 'wknd' }, 'page-properties', { author: origin, path: '/content/summit' }),
      );
    } finally {
      await browser.close();
    }
  });

  it('is listed by the package manager, and its nodes by the node browser', async () => {
    expect(await text('/bin/cpm/package.tree.json/repoless')).toContain('repoless-authoring');
    expect(await text('/bin/cpm/nodes/node.tree.json/apps/repoless')).toContain('/apps/repoless/clientlibs');
  });

  it('replaces its own nodes, and preserves those of others', async () => {
    await sling.post(CONSOLE, [['./title', 'Theirs']]);
    await sling.post(`${SELECTION}/theirs`, [['./text', 'Theirs']]);
    await sling.post(`${SELECTION}/repoless-page-properties`, [['./text', 'Changed by hand']]);
    await install('https://two.example.com');
    expect(await json(`${SELECTION}.1.json`)).toMatchObject({
      theirs: { text: 'Theirs' },
      'repoless-page-properties': { text: 'Repoless sites' },
    });
    expect(await json(`${CONSOLE}.json`)).toMatchObject({ title: 'Theirs' });
  });

  it('removes its own nodes when it is uninstalled, and preserves those of others', async () => {
    const { version } = await readManifest();
    await manage({ cmd: 'uninst', group: 'repoless', name: 'repoless-authoring', version });
    await expect.poll(async () => (await sling.get('/apps/repoless.json')).status, WITHIN).toBe(404);
    expect(Object.keys(await json(`${CONSOLE}/head.1.json`))).toEqual(['jcr:primaryType']);
    expect(await json(`${SELECTION}.1.json`)).toEqual({
      'jcr:primaryType': 'nt:unstructured',
      theirs: expect.objectContaining({ text: 'Theirs' }),
    });
    expect(await json(`${CONSOLE}.json`)).toMatchObject({ title: 'Theirs' });
  });
});

async function install(extension: string): Promise<void> {
  const file = await makeAuthoringPackage(join(folder.path, 'package'), ['--extension', extension, '--org', 'wknd']);
  const content = await readFile(file);
  // The package manager times out after a minute if the job has not started, so the request is repeated.
  const installed = async (): Promise<string> => {
    await manage({ force: 'true', install: 'true' }, content);
    return text(SCRIPT);
  };
  await expect.poll(installed, WITHIN).toContain(`"${extension}"`);
}

/** The package manager of the Sling Starter (Composum), by the calls of FileVault's Maven plugin. */
async function manage(fields: Readonly<Record<string, string>>, file?: Buffer): Promise<void> {
  const form = new FormData();
  if (file !== undefined) form.append('file', new Blob([new Uint8Array(file)]), 'package.zip');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  await sling.postForm('/bin/cpm/package.service.html', form);
}

/** A file in the content that Sling serves, with the scripts of the package as a page of the authoring system loads them. */
async function servePage(name: string, body: string): Promise<void> {
  const scripts = [SCRIPT, `${SCRIPT.slice(0, SCRIPT.lastIndexOf('/'))}/site-setup.js`].map(
    (address) => `<script src="${address}"></script>`,
  );
  const form = new FormData();
  form.append(`./${name}`, new Blob([`<!doctype html><body>${body}${scripts.join('')}</body>`], { type: 'text/html' }), name);
  expect((await sling.postForm('/content', form)).status).toBeLessThan(300);
}

/** The text at an address, or the status if there is none. */
async function text(path: string): Promise<string> {
  const { status, text: body } = await sling.get(path);
  return status === 200 ? body : `${path} answers ${status}`;
}

async function json(path: string): Promise<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(await text(path)));
}
