import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { runIn } from '../sandbox/preparation/run.mjs';

const ROOT = join(import.meta.dirname, '..');
const RELEASE = join(ROOT, 'dist/release');
const PACKAGES = ['extension', 'backend', 'command-line', 'upstream', 'core', 'contract'];
/** Date of every entry, so that the same content gives the same file: the first date that the format can store, whatever the time zone. */
const WRITTEN = new Date(1980, 0, 1);

/**
 * Writes everything that is published for a tagged version to `dist/release` and returns the files' names and sizes. A company's own
 * addresses are optional: `extension` with `org` for the content package, which opens that one address and is omitted without it, and
 * `service` for the App Builder application.
 */
export async function writeReleaseFiles(version, { extension, org, service }) {
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(RELEASE, { recursive: true });
  const node = (...parameters) => runIn(ROOT, process.execPath, ...parameters);
  const vite = (part) => node('node_modules/vite/bin/vite.js', 'build', part, '--logLevel', 'warn');
  await node('node_modules/typescript/bin/tsc', '-b', 'backend', 'extension', 'packaging/authoring');
  await vite('extension');
  await node('packaging/main.mjs');
  await node('packaging/sbom.mjs', join(RELEASE, `repoless-${version}.cdx.json`));
  await node('packaging/extension-app.mjs', ...option('service', service));
  await writeFile(join(RELEASE, `repoless-extension-app-${version}.zip`), await zipOf(join(ROOT, 'dist/extension-app')));
  if (extension !== undefined) {
    await vite('packaging/authoring');
    await node('packaging/authoring-package.mjs', ...option('extension', extension), ...option('org', org));
  }
  for (const folder of ['packages', ...(extension === undefined ? [] : ['authoring-package'])])
    await cp(join(ROOT, 'dist', folder), RELEASE, { recursive: true });
  // The source of the images, Compose, the chart and systemd.
  const source = join(RELEASE, `repoless-${version}-source.tar.gz`);
  await runIn(ROOT, 'git', 'archive', '--format=tar.gz', `--prefix=repoless-${version}/`, '--output', source, `v${version}`);
  await writeFile(join(RELEASE, 'CHANGELOG.md'), await changesOf(version));
  return writeSums();
}

function option(name, value) {
  return value === undefined ? [] : [`--${name}`, value];
}

async function zipOf(folder) {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const paths = entries.map((one) => join(one.parentPath, one.name)).toSorted();
  const files = await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path)]));
  return zipSync(Object.fromEntries(files), { level: 9, mtime: WRITTEN });
}

/** A version's changes for its users: the entries of all packages, each once, without those that only say that another package changed. */
async function changesOf(version) {
  const entries = new Map();
  for (const name of PACKAGES) {
    const text = await readFile(join(ROOT, name, 'CHANGELOG.md'), 'utf8').catch(() => '');
    const [, section = ''] = text.replaceAll(/\n *- (?:Updated dependencies.*|@repoless\/\S+@\S+)$/gm, '').split(`\n## ${version}\n`);
    for (const part of section.split(/\n## /)[0]?.split(/\n### /) ?? []) {
      const [kind, ...lines] = part.split('\n');
      for (const entry of lines
        .join('\n')
        .trim()
        .split(/\n(?=- )/))
        if (entry !== '') entries.set(entry.replace(/^- [0-9a-f]{7,}: /, '- '), kind);
    }
  }
  const sections = ['Major Changes', 'Minor Changes', 'Patch Changes'].flatMap((kind) => {
    const its = [...entries.keys()].filter((entry) => entries.get(entry) === kind);
    return its.length === 0 ? [] : [`## ${kind}\n\n${its.join('\n')}\n`];
  });
  return `# repoless ${version}\n\n${sections.join('\n')}`;
}

/** Writes SHA256SUMS for the files of the release and returns their names and sizes. */
async function writeSums() {
  const names = (await readdir(RELEASE)).toSorted();
  const listed = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(RELEASE, name));
      return { name, size: bytes.length, sum: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  await writeFile(join(RELEASE, 'SHA256SUMS'), listed.map(({ name, sum }) => `${sum}  ${name}\n`).join(''));
  return listed;
}
