// `npm test` on a fresh clone: plain JavaScript without dependencies, since nothing is installed yet.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildParts } from '../sandbox/preparation/build.mjs';
import { installPackages } from '../sandbox/preparation/install.mjs';
import { installMachinePrograms } from '../sandbox/preparation/machine.mjs';
import { checkRequirements } from '../sandbox/preparation/requirements.mjs';
import { ROOT, orExplain, say } from '../sandbox/preparation/run.mjs';

/** `npm test -- --no-setup` installs nothing, and names what is missing. */
const NO_SETUP = '--no-setup';
/** `npm test -- --all` leaves no file out, as the pipeline does. */
const ALL = '--all';
const installs = !process.argv.includes(NO_SETUP);
const chosen = process.argv.slice(2).filter((parameter) => parameter !== NO_SETUP && parameter !== ALL);
const isWhole = chosen.length === 0;
const isOrdinary = isWhole && !process.argv.includes(ALL);

await orExplain(async () => {
  await installMachinePrograms({ installs });
  await checkRequirements();
  await installPackages({ installs });
  await buildParts();
  say(isOrdinary ? 'Running the tests. Those that cost most are left to “npm test -- --all” …' : 'Running tests …');
  const folder = await mkdtemp(join(tmpdir(), 'repoless-test-'));
  try {
    process.exitCode = await runTests(join(folder, 'report.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Runs every project of the test configuration and ends with the totals. Out: the exit code. */
async function runTests(report) {
  const code = await vitest([
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { passed, failed } = totals(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')), code);
  if (passed + failed === 0) say('No test ran: that is a failure too.');
  say(`${passed} passed, ${failed} failed`);
  return code === 0 && failed === 0 && passed > 0 ? 0 : 1;
}

/**
 * A file that failed though none of its tests did (it could not be loaded, or what follows its tests failed) counts as one
 * failure; so does a run that failed though none of its files did: answers that deviate from the OpenAPI document.
 */
function totals({ numPassedTests = 0, numFailedTests = 0, testResults = [] }, code) {
  const beside = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  );
  const failed = numFailedTests + beside.length;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Where no file was chosen, every operation of the OpenAPI documents must have been answered. */
function vitest(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...parameters, ...chosen], {
      cwd: ROOT,
      env: {
        ...process.env,
        REPOLESS_BUILT: 'yes',
        ...(isWhole && { REPOLESS_WHOLE_SUITE: 'yes' }),
        ...(isOrdinary && { REPOLESS_TESTS: 'ordinary' }),
      },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
