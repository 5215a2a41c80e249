import * as library from '@adobe/helix-shared-config';
import { expect, it } from 'vitest';
import { readFstab } from '@repoless/core/legacy/read-fstab.ts';

// Mount points are imported as the public library reads them; if it recognizes no type, the type beside the address counts.

const ADDRESSES = [
  'https://park.sharepoint.com/sites/park/Shared%20Documents/site',
  'https://park.sharepoint.com/sites/park/Shared Documents/site',
  'https://park-my.sharepoint.com/personal/ada/Documents/site/',
  'https://park.sharepoint.com/:f:/s/park/Ek17?e=abc',
  'https://park.sharepoint.com/sites/park?fallbackPath=default.docx',
  'https://park.sharepoint.com/sites/park?a=1&fallbackPath=default.docx&b=2',
  'https://park.sharepoint.com/sites/café',
  'https://1drv.ms/f/s!Ab17',
  'onedrive:/drives/b17/items/017',
  'onedrive:/drives/b17/root:/My Documents',
  'https://drive.google.com/drive/folders/abc17',
  'https://drive.google.com/drive/u/0/folders/abc17',
  'https://drive.google.com/drive/folders/abc17?usp=sharing',
  'gdrive:abc17',
  'gdrive:0AB_17-x',
];
const FORMS: readonly (readonly [form: string, write: (address: string) => string])[] = [
  ['a text', (address) => `mountpoints:\n  /: ${JSON.stringify(address)}\n`],
  ['a plain scalar', (address) => `mountpoints:\n  /: ${address}\n`],
  ['an object', (address) => `mountpoints:\n  /:\n    url: ${JSON.stringify(address)}\n`],
  ['an object of another type', (address) => `mountpoints:\n  "/":\n    url: ${JSON.stringify(address)}\n    type: markup\n`],
  ['an anchor', (address) => `x: &x\n  url: ${JSON.stringify(address)}\nmountpoints:\n  /: *x\n`],
  ['a merge', (address) => `x: &x { url: ${JSON.stringify(address)} }\nmountpoints:\n  /:\n    <<: *x\n`],
];
const CASES = FORMS.flatMap(([form, write]) => ADDRESSES.map((address) => [form, address, write(address)] as const));

it.each(CASES)('as %s, %s is read as by the public library', async (_form, _address, text) => {
  const { url, type, id } = await publicMount(text);
  expect(readFstab(text)).toMatchObject({ source: { url, type, ...(type === 'google' ? { id } : {}) } });
});

interface PublicConfig {
  withSource(text: string): this;
  init(): Promise<{ mountpoints: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Its declarations export only a type. */
const { MountConfig } = library as unknown as { MountConfig: new () => PublicConfig };

/** Skips the library's validation, which rejects anchors. */
async function publicMount(text: string): Promise<Readonly<Record<string, unknown>>> {
  const config = new MountConfig().withSource(text);
  Object.assign(config, { validate: async () => true });
  const { mountpoints } = await config.init();
  return mountpoints[0] ?? {};
}
