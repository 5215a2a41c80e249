// `npm run package:extension`: the extension as an App Builder application, from its build and manifest.json.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { reportErrors, say, ScriptError } from '../sandbox/preparation/run.mjs';
import { addressOf } from './address-of.mjs';

const ROOT = join(import.meta.dirname, '..');
const OPTIONS = { service: { type: 'string' }, web: { type: 'string' }, target: { type: 'string' } };
const HOOK = 'hooks/put-web.mjs';
const INDEX = 'index.html';

await reportErrors(async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const target = resolve(values.target ?? join(ROOT, 'dist/extension-app'));
  const { folder, build } = await lay(resolve(values.web ?? join(ROOT, 'extension/dist/web')), target, values.service);
  say(
    `${build.id} ${build.version}, content ${build.hash.slice(0, 12)}: ${Object.keys(build.files).length} files of the web app in ${folder}`,
  );
});

/**
 * Writes the application to `target`, which is emptied first. Takes the folder of the built web app, and the service's address if known.
 * Returns the folder of the web files in it, and the content of `build.json`.
 */
async function lay(built, target, service) {
  const [manifest, project] = await Promise.all(['manifest.json', 'package.json'].map(read));
  if (manifest.version !== project.version)
    throw new ScriptError(`manifest.json has version ${manifest.version}, package.json ${project.version}. Use the same version in both.`);
  const { id, name, version, description, extensionPoint } = manifest;
  // App Builder's folder name for an extension point: `universal-editor/ui/1` becomes `universal-editor-ui-1`.
  const point = extensionPoint.replaceAll('/', '-');
  const source = posix.join('src', point);
  const folder = join(target, source, 'web-src');
  await rm(target, { recursive: true, force: true });
  await cp(built, folder, { recursive: true }).catch(() => {
    throw new ScriptError(`There is no built extension in ${built}. Run: npm run build`);
  });
  if (service !== undefined) await writeJson(join(folder, 'settings.json'), { service: addressOf('--service', service) });
  const build = { id, name, version, extensionPoint, ...(await hashesOf(folder)) };
  await writeJson(join(folder, 'build.json'), build);
  await writeJson(join(target, 'package.json'), { name: id, version, description, license: project.license, private: true });
  await cp(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  await writeYaml(join(target, 'app.config.yaml'), {
    extensions: { [extensionPoint]: { $include: posix.join(source, 'ext.config.yaml') } },
  });
  await writeYaml(join(target, source, 'ext.config.yaml'), {
    operations: { view: [{ type: 'web', impl: INDEX }] },
    hooks: { 'build-static': `node ${HOOK} ${posix.join(source, 'web-src')} ${posix.join('dist', point)}` },
    web: 'web-src',
  });
  await mkdir(dirname(join(target, HOOK)), { recursive: true });
  await cp(join(import.meta.dirname, 'extension-app/put-web.mjs'), join(target, HOOK));
  return { folder, build };
}

async function read(file) {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8'));
}

async function writeJson(file, value) {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function writeYaml(file, value) {
  await writeFile(file, stringify(value, { lineWidth: 0 }));
}

/**
 * Returns the SHA-256 of each file below a folder by its path (with `/`), sorted, and one hash of them all: that of the lines `<hash>
 * <path>`, as `sha256sum` prints them.
 */
async function hashesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const files = {};
  for (const path of paths.map((one) => one.split(sep).join('/')).toSorted(byCodeUnits)) {
    files[path] = sha256(await readFile(join(folder, path)));
  }
  const lines = Object.entries(files).map(([path, hash]) => `${hash}  ${path}\n`);
  return { hash: sha256(lines.join('')), files };
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function byCodeUnits(one, other) {
  return one < other ? -1 : Number(one > other);
}
