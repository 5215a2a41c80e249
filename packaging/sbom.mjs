// `npm run sbom`: a bill of materials (CycloneDX) of all published packages and everything they install. It is read from an installation
// rather than from this project, whose lock marks packages that are also used to build and test as `dev`.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { reportErrors, say } from '../sandbox/preparation/run.mjs';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['service', 'extension'];
const exec = promisify(execFile);

await reportErrors(async () => {
  const target = resolve(process.argv[2] ?? join(ROOT, 'dist/sbom.cdx.json'));
  const folder = await mkdtemp(join(tmpdir(), 'repoless-sbom-'));
  try {
    await exec(process.execPath, [join(ROOT, 'packaging/installation.mjs'), folder, ...PACKAGES]);
    await exec('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'], { cwd: folder });
    const { stdout } = await exec('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], { cwd: folder, maxBuffer: 1e8 });
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const bill = described(JSON.parse(stdout), version);
    await writeFile(target, `${JSON.stringify(bill, null, 2)}\n`);
    say(`${target}: ${bill.components.length} packages`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Named after the release, without values that differ each time or are paths on the build machine. */
function described({ serialNumber: _number, ...bill }, version) {
  const { timestamp: _now, ...metadata } = bill.metadata;
  const before = bill.metadata.component['bom-ref'];
  const own = `repoless@${version}`;
  const component = {
    ...bill.metadata.component,
    'bom-ref': own,
    name: 'repoless',
    purl: `pkg:npm/${own}`,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  return {
    ...bill,
    metadata: { ...metadata, component },
    components: bill.components.map((one) => ({
      ...one,
      externalReferences: one.externalReferences.filter(({ url }) => !url.startsWith('file:')),
    })),
    dependencies: bill.dependencies.map((one) => (one.ref === before ? { ...one, ref: own } : one)),
  };
}
