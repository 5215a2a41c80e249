// `npm run package:authoring`: a content package (FileVault) with the buttons that open the extension from an authoring system.
import { OrgName } from '@repoless/contract/names.ts';
import { strToU8, zipSync } from 'fflate';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reportErrors, say, ScriptError } from '../sandbox/preparation/run.mjs';
import { addressOf } from './address-of.mjs';
import { contentOf, escapeXml } from './authoring/content.mjs';

const ROOT = join(import.meta.dirname, '..');
const SCRIPT = join(ROOT, 'packaging/authoring/dist/web/site-setup.js');
const OPTIONS = { extension: { type: 'string' }, org: { type: 'string' }, target: { type: 'string' } };
/** Date of every entry, so that the same content gives the same file: the first date that the format can store, whatever the time zone. */
const WRITTEN = new Date(1980, 0, 1);

await reportErrors(async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const extension = addressOf('--extension', values.extension).replace(/\/index\.html$/, '');
  const settings = { extension, ...(values.org === undefined ? {} : { org: organizationOf(values.org) }) };
  const manifest = JSON.parse(await readFile(join(ROOT, 'manifest.json'), 'utf8'));
  const script = await readFile(SCRIPT, 'utf8').catch(() => {
    throw new ScriptError(`There is no script in ${SCRIPT}. Run: npm run build`);
  });
  const { roots, files } = contentOf(manifest, settings, script);
  const name = `${manifest.id}-authoring`;
  const entries = Object.entries(files).map(([path, content]) => [`jcr_root${path}`, content]);
  const all = [['META-INF/vault/filter.xml', filter(roots)], ['META-INF/vault/properties.xml', properties(manifest, name)], ...entries];
  const target = resolve(values.target ?? join(ROOT, 'dist/authoring-package'));
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const file = join(target, `${name}-${manifest.version}.zip`);
  const zipped = zipSync(Object.fromEntries(all.map(([path, content]) => [path, strToU8(content)])), { level: 9, mtime: WRITTEN });
  await writeFile(file, zipped);
  say(`${file}: ${all.length} files, opens ${extension}`);
});

function organizationOf(org) {
  const parsed = OrgName.safeParse(org);
  if (parsed.success) return parsed.data;
  throw new ScriptError(`--org ${org}: ${parsed.error.issues[0]?.message}`);
}

/**
 * What the package owns: installing replaces it and uninstalling removes it. Missing parents are created and otherwise left alone, because
 * others have overlays there, too.
 */
function filter(roots) {
  const lines = roots.map((root) => `  <filter root="${escapeXml(root)}"/>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<workspaceFilter version="1.0">\n${lines.join('')}</workspaceFilter>\n`;
}

function properties({ name: title, version, description }, name) {
  const entries = Object.entries({
    name,
    group: 'repoless',
    version,
    title: `${title}: buttons of the authoring system`,
    description,
    // The type `application` would also have to own all ancestors of its nodes.
    packageType: 'mixed',
    packageFormatVersion: '2',
    requiresRoot: 'false',
    allowIndexDefinitions: 'false',
  });
  const lines = entries.map(([key, value]) => `  <entry key="${key}">${escapeXml(value)}</entry>\n`);
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">
<properties>\n${lines.join('')}</properties>\n`;
}
