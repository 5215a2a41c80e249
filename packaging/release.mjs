// `npm run release`: makes a tagged commit and the files to publish from the pending changesets; on a commit with the tag of its version,
// only the files. `npm run release -- --dry-run` does it in a copy of the current checkout, and leaves the copy for inspection.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { reportErrors, ROOT, say, ScriptError, runIn, copyCheckout } from '../sandbox/preparation/run.mjs';
import { addressOf } from './address-of.mjs';
import { writeReleaseFiles } from './release-files.mjs';

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

async function read(folder, file) {
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

async function git(cwd, ...parameters) {
  const { stdout } = await promisify(execFile)('git', parameters, { cwd, maxBuffer: 1e8 });
  return stdout.trim();
}
