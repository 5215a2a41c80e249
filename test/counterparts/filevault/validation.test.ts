import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAuthoringPackage } from '../../support/authoring-package.ts';
import { validate } from './validate.ts';
import type { Validated } from './validate.ts';

const MINUTES = 600_000;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repoless-filevault-'));
  file = await makeAuthoringPackage(join(folder, 'package'), ['--extension', 'https://extension.example.com']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it(
  'FileVault finds no error in the content package, with the node types of the authoring system',
  async () => {
    const { errors, warnings, validators } = await validatedIn('whole', file);
    expect(validators).toEqual(expect.arrayContaining(['jackrabbit-filter', 'jackrabbit-docviewparser', 'jackrabbit-nodetypes']));
    expect(errors).toEqual([]);
    // The nodes above its own belong to nobody in particular.
    const expected = ["Package of type 'MIXED' is legacy.", "Ancestor node '/apps/wcm", "Filter root's ancestor '/apps/wcm"];
    expect(warnings.filter((line) => !expected.some((beginning) => line.startsWith(beginning)))).toEqual([]);
  },
  MINUTES,
);

it(
  'FileVault finds what is wrong with one whose nodes have no such type, or lie outside of the filter',
  async () => {
    const entries = unzipSync(await readFile(file));
    const library = 'jcr_root/apps/repoless/clientlibs/site-setup/.content.xml';
    const text = new TextDecoder().decode(entries[library]).replace('cq:ClientLibraryFolder', 'cq:NoSuchType');
    const broken = join(folder, 'broken.zip');
    const outside = { 'jcr_root/content/elsewhere/.content.xml': new TextEncoder().encode(text) };
    await writeFile(broken, zipSync({ ...entries, ...outside, [library]: new TextEncoder().encode(text) }));
    const { errors } = await validatedIn('broken', broken);
    expect(errors.join('\n')).toContain('}NoSuchType');
    expect(errors.join('\n')).toContain('/content/elsewhere');
  },
  MINUTES,
);

async function validatedIn(name: string, packed: string): Promise<Validated> {
  const place = join(folder, name);
  await mkdir(place);
  return validate(packed, place);
}
