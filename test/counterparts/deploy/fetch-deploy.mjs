// `npm run fetch:deploy`: fetches what checks the files of deploy/ into node_modules/.cache/deploy, once: Helm and kubeconform (compiled with Go), the
// schemas of Kubernetes (from a package of PyPI) and of Compose (from a Go module), Node.js of the images (npm), and a bare Debian (debootstrap).
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installGoProgram } from '../go-program.mjs';

const run = promisify(execFile);
const CACHE = new URL('../../../node_modules/.cache/deploy/', import.meta.url).pathname;
/** The oldest that the chart allows, and the newest of this release of the schemas. */
const KUBERNETES = ['1.25.0', '1.37.0'];
const PROGRAMS = ['helm.sh/helm/v3/cmd/helm@v3.22.0', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'];
const DEBIAN = 'http://deb.debian.org/debian';

const PARTS = {
  'kubernetes-schemas': fetchKubernetes,
  'compose-schema': fetchCompose,
  debian: fetchDebian,
  'debian-node-22': fetchDebianWithNode,
};

await mkdir(CACHE, { recursive: true });
try {
  for (const module of PROGRAMS) await installGoProgram(module, join(CACHE, 'go/'));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
for (const [name, fetch] of Object.entries(PARTS)) {
  const target = join(CACHE, name);
  if (existsSync(target)) continue;
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  try {
    console.log(`Fetching ${name}…`);
    await fetch(draft);
    await chmod(draft, 0o755);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    console.error(`${name} could not be fetched. ${error.stderr ?? error.message}`);
    process.exitCode = 1;
    break;
  }
}

/** Strict JSON schemas, one for each kind. References between them are turned into file names. */
async function fetchKubernetes(target) {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-schemas-'));
  await run('pip', ['download', '--no-deps', '-q', '--dest', folder, `kubernetes-validate==${KUBERNETES.at(-1)}`]);
  const [wheel = ''] = await readdir(folder);
  await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
  for (const version of KUBERNETES) {
    const from = join(folder, `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`);
    await mkdir(join(target, version));
    for (const file of await readdir(from)) {
      const { $id: _, ...schema } = JSON.parse(
        (await readFile(join(from, file), 'utf8')).replaceAll('/api/_definitions.json', '_definitions.json'),
      );
      await writeFile(join(target, version, file), JSON.stringify(schema));
    }
  }
  await rm(folder, { recursive: true });
}

/** The schema of the library with which Docker Compose reads its files. */
async function fetchCompose(target) {
  const { stdout } = await run('go', ['mod', 'download', '-json', 'github.com/compose-spec/compose-go/v2@v2.16.2'], { cwd: tmpdir() });
  await cp(join(JSON.parse(stdout).Dir, 'schema/compose-spec.json'), join(target, 'compose-spec.json'));
}

async function npm(target, ...packages) {
  await run('npm', ['install', '--prefix', target, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: target,
  });
}

/** A copy of debian:bookworm-slim: the essential packages, no documentation, and no services that start by themselves. */
async function fetchDebian(target) {
  await run('debootstrap', ['--variant=minbase', 'bookworm', target, DEBIAN], { maxBuffer: 1e8 });
  const suites = [`${DEBIAN} bookworm`, `${DEBIAN} bookworm-updates`, `${DEBIAN}-security bookworm-security`];
  await writeFile(join(target, 'etc/apt/sources.list'), suites.map((suite) => `deb ${suite} main\n`).join(''));
  await writeFile(join(target, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  await writeFile(
    join(target, 'etc/dpkg/dpkg.cfg.d/docker'),
    ['doc', 'man', 'locale', 'info'].map((one) => `path-exclude /usr/share/${one}/*\n`).join(''),
  );
  for (const rest of [
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
    'usr/share/info',
    'var/cache/apt/archives',
    'var/lib/apt/lists',
  ]) {
    await rm(join(target, rest), { recursive: true, force: true });
    await mkdir(join(target, rest), { recursive: true });
  }
}

/** As much of node:22-bookworm as the build needs: a compiler, and Node.js with npm and its headers below /usr/local. */
async function fetchDebianWithNode(target) {
  await run('cp', ['-a', `${join(CACHE, 'debian')}/.`, target]);
  await cp('/etc/resolv.conf', join(target, 'etc/resolv.conf'));
  const apt = 'apt-get update && apt-get install --yes --no-install-recommends ca-certificates g++ make python3';
  await run('chroot', [target, '/bin/sh', '-c', apt], {
    maxBuffer: 1e8,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
  });
  const node = await mkdtemp(join(tmpdir(), 'repoless-node-'));
  await npm(node, `node-linux-${process.arch}@22`, 'npm@11');
  const local = join(target, 'usr/local');
  await run('cp', ['-a', ...['bin', 'include'].map((one) => join(node, 'node_modules', `node-linux-${process.arch}`, one)), local]);
  await mkdir(join(local, 'lib/node_modules'), { recursive: true });
  await run('cp', ['-a', join(node, 'node_modules/npm'), join(local, 'lib/node_modules/npm')]);
  for (const program of ['npm', 'npx']) await symlink(`../lib/node_modules/npm/bin/${program}-cli.js`, join(local, 'bin', program));
  await rm(node, { recursive: true });
}
