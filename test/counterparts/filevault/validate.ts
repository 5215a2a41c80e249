import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** FileVault's Maven plugin, and the node types of the authoring system for its validator. */
const PLUGIN = '1.4.0';
const NODE_TYPES = '6.5.7.0';
const Ended = z.object({ stdout: z.string(), code: z.number().optional() });

export interface Validated {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The validators that looked at the package. */
  readonly validators: readonly string[];
}

/** Lets FileVault's own validators look at a package. `folder`: an empty folder for what Maven needs. */
export async function validate(file: string, folder: string): Promise<Validated> {
  await writeFile(join(folder, 'pom.xml'), pom(file));
  const parameters = ['-B', '-ntp', 'org.apache.jackrabbit:filevault-package-maven-plugin:validate-package'];
  const run = promisify(execFile)('mvn', parameters, { cwd: folder, timeout: 540_000, maxBuffer: 16 * 1024 * 1024 });
  const { stdout } = Ended.parse(await run.catch((error: unknown) => error));
  const said = (level: string) =>
    [...stdout.matchAll(new RegExp(`^\\[${level}\\] ValidationViolation: (.*)$`, 'gm'))].map(([, line = '']) => line);
  const validators = [...(/^\[INFO\] Using \d+ validators .*$/m.exec(stdout)?.[0].matchAll(/(jackrabbit-[a-z]+) \(/g) ?? [])].map(
    ([, name = '']) => name,
  );
  if (validators.length === 0) throw new Error(`Maven did not validate the package (Debian: apt-get install maven):\n${stdout}`);
  return { errors: said('ERROR'), warnings: said('WARNING'), validators };
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
