// `npm run fetch:sling`: fetches Apache Sling from Maven Central into node_modules/.cache, once, by Maven with its own settings.
// Plain JavaScript, because .ci/run calls it to find out whether the tests against Sling can run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const STARTER = { name: 'org.apache.sling.starter', version: '12', kind: 'oak_tar' };
const LAUNCHER = 'org.apache.sling:org.apache.sling.feature.launcher:1.1.26';
const FRAMEWORK = 'org.apache.felix:org.apache.felix.framework:7.0.5';
/** Bundles whose version in the starter is missing on Maven Central: the nearest available version, or none. */
const INSTEAD = {
  'org.apache.felix:org.apache.felix.healthcheck.generalchecks': '2.0.6',
  'org.apache.sling:org.apache.sling.models.caconfig': '1.0.2',
  'org.apache.sling:org.apache.sling.starter.content': '1.0.8',
  'com.composum.nodes:composum-nodes-commons': '4.1.2',
  'com.composum.nodes:composum-nodes-console': '4.1.2',
  'com.composum.nodes:composum-nodes-jslibs': '4.1.2',
  'com.composum.nodes:composum-nodes-pckgmgr': '4.1.2',
  'com.composum.nodes:composum-nodes-usermgr': undefined,
};
const FOLDER = new URL('../../../node_modules/.cache/sling/12/', import.meta.url).pathname;
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';
const LONGEST = 360_000;

if (!existsSync(`${FOLDER}starter.json`)) {
  console.log(`Fetching Apache Sling Starter ${STARTER.version} with Maven: 224 bundles, about 110 MB…`);
  try {
    await mkdir(FOLDER, { recursive: true });
    await fetchAll();
  } catch (cause) {
    const detail = cause instanceof Error && 'stdout' in cause ? (/^\[ERROR\].*$/m.exec(String(cause.stdout))?.[0] ?? '') : String(cause);
    console.error(`Maven could not fetch Apache Sling. ${detail}`);
    process.exitCode = 1;
  }
}

/** Fetches the starter's list, then its bundles and the launcher; writes the list last, so that an incomplete fetch does not count. */
async function fetchAll() {
  const { name, version, kind } = STARTER;
  await maven(`${PLUGIN}:copy`, `-Dartifact=org.apache.sling:${name}:${version}:slingosgifeature:${kind}`, `-DoutputDirectory=${FOLDER}`);
  const feature = JSON.parse(await readFile(`${FOLDER}${name}-${version}-${kind}.slingosgifeature`, 'utf8'));
  feature.bundles = feature.bundles.flatMap((bundle) => {
    const [group, artifact] = bundle.id.split(':');
    const known = `${group}:${artifact}`;
    if (!(known in INSTEAD)) return [bundle];
    return INSTEAD[known] === undefined ? [] : [{ ...bundle, id: `${known}:${INSTEAD[known]}` }];
  });
  await writeFile(`${FOLDER}pom.xml`, pom([LAUNCHER, FRAMEWORK, ...feature.bundles.map(({ id }) => id)]));
  const layout = [`-DoutputDirectory=${FOLDER}repository`, '-Dmdep.useRepositoryLayout=true'];
  await maven(`${PLUGIN}:copy-dependencies`, '-f', `${FOLDER}pom.xml`, ...layout);
  await writeFile(`${FOLDER}starter.json`, JSON.stringify(feature));
}

function maven(...parameters) {
  return promisify(execFile)('mvn', ['-B', '-ntp', ...parameters], { timeout: LONGEST, cwd: FOLDER, maxBuffer: 16 * 1024 * 1024 });
}

/** A Maven project with these dependencies, none transitive, because the starter lists all. */
function pom(ids) {
  const dependencies = ids.map((id) => {
    const [group, artifact, version] = id.split(':');
    const none = '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${none}</dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>repoless</groupId><artifactId>sling</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${dependencies.join('\n')}
</dependencies>
</project>
`;
}
