// `npm run fetch:sling`: Apache Sling from Maven Central into node_modules/.cache, once, by Maven with its own settings.
// Plain JavaScript: .ci/run calls it to learn whether the tests against Sling can run at all.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** The newest Sling Starter that Maven Central has as one program (decision 0066). */
const VERSION = '11';
const FOLDER = new URL('../../../node_modules/.cache/sling/', import.meta.url).pathname;
const ARTIFACT = `org.apache.sling:org.apache.sling.starter:${VERSION}:jar`;
const LONGEST = 120_000;

if (!existsSync(`${FOLDER}org.apache.sling.starter-${VERSION}.jar`)) {
  console.log(`Fetching Apache Sling Starter ${VERSION} with Maven, about 75 MB and its plugin's own packages…`);
  const parameters = ['-B', '-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${FOLDER}`];
  try {
    await promisify(execFile)('mvn', parameters, { timeout: LONGEST });
  } catch (cause) {
    const said = cause instanceof Error && 'stdout' in cause ? String(cause.stdout).trim().split('\n')[0] : '';
    console.error(`Maven could not fetch ${ARTIFACT}. ${said}`);
    process.exitCode = 1;
  }
}
