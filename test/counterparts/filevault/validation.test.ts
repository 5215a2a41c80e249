import { unzipSync, zipSync } from 'fflate';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { makeAuthoringPackage } from '../../support/authoring-package.ts';

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
    // Ancestors of its own nodes are not part of any package.
    const expected = ["Package of type 'MIXED' is legacy.", "Ancestor node '/apps/wcm", "Filter root's ancestor '/apps/wcm"];
    expect(warnings.filter((line) => !expected.some((beginning) => line.startsWith(beginning)))).toEqual([]);
  },
  MINUTES,
);

it(
  'FileVault reports nodes of an unknown type or outside the filter',
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
  const target = join(folder, name);
  await mkdir(target);
  return validate(packed, target);
}

/** FileVault's Maven plugin, and the node types of the authoring system for its validator. */
const PLUGIN = '1.4.0';
const NODE_TYPES = '6.5.7.0';
const Ended = z.object({ stdout: z.string(), code: z.number().optional() });

interface Validated {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The validators that checked the package. */
  readonly validators: readonly string[];
}

/** Runs FileVault's own validators on a package. `folder`: an empty folder for what Maven needs. */
async function validate(file: string, folder: string): Promise<Validated> {
  await writeFile(join(folder, 'pom.xml'), pom(file));
  const parameters = ['-B', '-ntp', 'org.apache.jackrabbit:filevault-package-maven-plugin:validate-package'];
  const run = promisify(execFile)('mvn', parameters, { cwd: folder, timeout: 540_000, maxBuffer: 16 * 1024 * 1024 });
  const { stdout } = Ended.parse(await run.catch((error: unknown) => error));
  const messages = (level: string) =>
    [...stdout.matchAll(new RegExp(`^\\[${level}\\] ValidationViolation: (.*)$`, 'gm'))].map(([, line = '']) => line);
  const validators = [...(/^\[INFO\] Using \d+ validators .*$/m.exec(stdout)?.[0].matchAll(/(jackrabbit-[a-z]+) \(/g) ?? [])].map(
    ([, name = '']) => name,
  );
  if (validators.length === 0) throw new Error(`Maven did not validate the package (Debian: apt-get install maven):\n${stdout}`);
  return { errors: messages('ERROR'), warnings: messages('WARNING'), validators };
}

function pom(file: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>repoless</groupId>
  <artifactId>validation</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.jackrabbit</groupId>
        <artifactId>filevault-package-maven-plugin</artifactId>
        <version>${PLUGIN}</version>
        <configuration>
          <packageFile>${file}</packageFile>
          <validatorsSettings>
            <jackrabbit-nodetypes>
              <options><cnds>tccl:aem.cnd</cnds><severityForUnknownNodetypes>ERROR</severityForUnknownNodetypes></options>
            </jackrabbit-nodetypes>
          </validatorsSettings>
        </configuration>
        <dependencies>
          <dependency><groupId>biz.netcentric.aem</groupId><artifactId>aem-nodetypes</artifactId><version>${NODE_TYPES}</version></dependency>
        </dependencies>
      </plugin>
    </plugins>
  </build>
</project>
`;
}
