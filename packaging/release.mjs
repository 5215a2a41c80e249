// `npm run release`: from the changesets that are there to a tagged commit and the files to publish. `npm run release -- --dry-run` does the same in a
// copy of the repository, and leaves the copy for you to look at.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const isDryRun = process.argv.includes('--dry-run');
/** What names the version beside the packages, each with the pattern before it. */
const NAMED = [
  ['package.json', /("(?:version|@repoless\/[a-z-]+)": ")[^"]+/g],
  ['manifest.json', /("version": ")[^"]+/],
  ['deploy/helm/repoless/Chart.yaml', /^((?:version|appVersion): ).+$/gm],
  ['contract/version.ts', /(VERSION = ')[^']+/],
  ['docs/operations.md', /(export VERSION=)\S+/],
];

const uncommitted = await output('git', ['status', '--porcelain'], ROOT);
if (uncommitted !== '') throw new Error(`Commit or remove these first:\n${uncommitted}`);
const folder = isDryRun ? await copyOf(ROOT) : ROOT;
await run('npx', ['changeset', 'version'], folder);
const { version } = JSON.parse(await readFile(join(folder, 'contract/package.json'), 'utf8'));
for (const [file, pattern] of NAMED) {
  const path = join(folder, file);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(pattern, `$1${version}`));
}
await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
await run('git', ['add', '--all'], folder);
await run('git', ['commit', '--quiet', '--message', `Release ${version}`], folder);
await run('git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}`], folder);
for (const script of ['packages', 'package:extension', 'package:authoring', 'sbom']) await run('npm', ['run', '--silent', script], folder);
const files = await checksums(join(folder, 'dist'));
process.stdout.write(`\n${files.join('\n')}\n\nVersion ${version} is in ${folder}. To publish it:
git push --follow-tags
npm publish --access public <each of dist/packages>
`);

/** A clone with its packages. */
async function copyOf(root) {
  const copy = await mkdtemp(join(tmpdir(), 'repoless-release-'));
  await run('git', ['clone', '--quiet', root, copy], root);
  await run('npm', ['ci', '--no-audit', '--no-fund'], copy);
  return copy;
}

/** Writes SHA256SUMS for what is published. Out: a line with size for each file. */
async function checksums(dist) {
  const names = await readdir(dist, { recursive: true, withFileTypes: true });
  const published = names
    .filter((one) => one.isFile() && /\.(?:tgz|zip|cdx\.json)$/.test(one.name))
    .map((one) => join(one.parentPath, one.name));
  const listed = await Promise.all(
    published.toSorted().map(async (path) => {
      const bytes = await readFile(path);
      return { name: path.slice(dist.length + 1), size: bytes.length, sum: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  await writeFile(join(dist, 'SHA256SUMS'), listed.map(({ name, sum }) => `${sum}  ${name}\n`).join(''));
  return listed.map(({ name, size }) => `${name}: ${Math.ceil(size / 1024)} kB`);
}

async function output(program, parameters, cwd) {
  const { stdout } = await promisify(execFile)(program, parameters, { cwd });
  return stdout.trim();
}

async function run(program, parameters, cwd) {
  const status = await new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} ended with ${status}.`);
}
