// `npm run release`: makes a tagged commit and the files to publish from the pending changesets; on a commit with the tag of its version,
// only the files. `npm run release -- --dry-run` does it in a copy of the current checkout, and leaves the copy for inspection.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { zipSync } from 'fflate';
import { reportErrors, ROOT, say, ScriptError, runIn, copyCheckout } from '../sandbox/preparation/run.mjs';
import { addressOf } from './address-of.mjs';

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    extension: { type: 'string' },
    org: { type: 'string' },
    service: { type: 'string' },
  },
});
/** Files that name the version, other than the packages, each with the pattern before it. */
const NAMED = [
  ['package.json', /("(?:version|@repoless\/[a-z-]+)": ")[^"]+/g],
  ['manifest.json', /("version": ")[^"]+/g],
  ['deploy/helm/repoless/Chart.yaml', /^((?:version|appVersion): ).+$/gm],
  ['contract/version.ts', /(VERSION = ')[^']+/g],
  ['docs/operations.md', /(export VERSION=)\d\S*/g],
];
const RELEASE = join(ROOT, 'dist/release');
const PACKAGES = ['extension', 'backend', 'command-line', 'upstream', 'core', 'contract'];
/** Date of every entry, so that the same content gives the same file: the first date that the format can store, whatever the time zone. */
const WRITTEN = new Date(1980, 0, 1);

await reportErrors(async () => {
  for (const name of ['extension', 'service']) if (options[name] !== undefined) addressOf(`--${name}`, options[name]);
  const folder = options['dry-run'] ? await copyOfCheckout() : ROOT;
  const uncommitted = await git(folder, 'status', '--porcelain');
  if (uncommitted !== '') throw new ScriptError(`Commit or remove these first:\n${uncommitted}`);
  const { version } = await read(folder, 'package.json');
  const isTagged = (await git(folder, 'tag', '--points-at', 'HEAD')).split('\n').includes(`v${version}`);
  if (!isTagged) {
    await tagNext(folder);
    // The code of the tagged commit makes the files, in its own folder.
    await runIn(folder, process.execPath, 'packaging/release.mjs', ...process.argv.slice(2).filter((one) => one !== '--dry-run'));
    if (options['dry-run']) say('This was a dry run: nothing of this checkout has changed. Delete the folder when you have seen it.');
    return;
  }
  const files = await writeReleaseFiles(version, options);
  say(`\n${files.map(({ name, size }) => `${name}: ${Math.ceil(size / 1024)} kB`).join('\n')}\n
${options.extension === undefined ? 'There is no content package: it opens one address. Make it with --extension <address>.\n' : ''}Version ${version} is in ${join(folder, 'dist/release')}. docs/releasing.md says how to publish it.`);
});

/** Writes the next version and its changelogs, commits and tags. */
async function tagNext(folder) {
  if (!(await hasChangesets(folder)))
    throw new ScriptError('There is nothing to release: no changeset, and this commit has no tag of its version. Run: npx changeset');
  await runIn(folder, 'npx', 'changeset', 'version');
  const { version } = await read(folder, 'contract/package.json');
  for (const [file, pattern] of NAMED) {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(pattern, `$1${version}`));
  }
  // Offline: the lock already has every package and may not get another.
  await runIn(folder, 'npm', 'install', '--package-lock-only', '--offline', '--ignore-scripts');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', `Release ${version}`);
  await git(folder, 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
}

async function hasChangesets(folder) {
  return (await readdir(join(folder, '.changeset'))).some((name) => name.endsWith('.md') && name !== 'README.md');
}

/**
 * A separate repository with this checkout as its only commit. If no changeset is pending, it has the tag of the current version.
 * Its commits have the date of the checkout's last one, so that another dry run makes the same files.
 */
async function copyOfCheckout() {
  process.env.GIT_AUTHOR_DATE = process.env.GIT_COMMITTER_DATE = await git(ROOT, 'log', '-1', '--format=%cI');
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'repoless-release-')));
  await copyCheckout(copy);
  await git(copy, 'init', '--quiet');
  for (const setting of ['user.name=Dry run', 'user.email=dry-run@localhost', 'commit.gpgsign=false', 'tag.gpgsign=false'])
    await git(copy, 'config', ...setting.split('='));
  await git(copy, 'add', '--all');
  await git(copy, 'commit', '--quiet', '--message', 'Everything before the release');
  const { version } = await read(copy, 'package.json');
  if (!(await hasChangesets(copy))) await git(copy, 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  return copy;
}

/**
 * Writes everything that is published for a tagged version to `dist/release` and returns the files' names and sizes. A company's own
 * addresses are optional: `extension` with `org` for the content package, which opens that one address and is omitted without it, and
 * `service` for the App Builder application.
 */
async function writeReleaseFiles(version, { extension, org, service }) {
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

async function read(folder, file) {
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

async function git(cwd, ...parameters) {
  const { stdout } = await promisify(execFile)('git', parameters, { cwd, maxBuffer: 1e8 });
  return stdout.trim();
}
