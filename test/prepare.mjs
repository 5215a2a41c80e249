// `npm test` on a fresh clone: plain JavaScript without dependencies, since nothing is installed yet.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkRequirements, installPackages, installMachinePrograms, buildParts } from '../sandbox/preparation/install.mjs';
import { ROOT, reportErrors, runTool, say } from '../sandbox/preparation/run.mjs';

/** `npm test -- --no-setup` installs nothing, and names what is missing. */
const NO_SETUP = '--no-setup';
/** `npm test -- --all` leaves no file out, as the pipeline does. */
const ALL = '--all';
/** More failures than this have a common cause, so they are not rerun. */
const MAX_RERUNS = 10;
const installs = !process.argv.includes(NO_SETUP);
const chosen = process.argv.slice(2).filter((parameter) => parameter !== NO_SETUP && parameter !== ALL);
const isWhole = chosen.length === 0;
const isOrdinary = isWhole && !process.argv.includes(ALL);

await reportErrors(async () => {
  await installMachinePrograms({ installs });
  await checkRequirements();
  await installPackages({ installs });
  await buildParts();
  // Tests import modules of the extension, which pages get bundled.
  await runTool('typescript/bin/tsc', ['-b', 'extension'], 'The extension does not compile; the messages above say where.');
  say(isOrdinary ? 'Running the tests. Those that cost most are left to “npm test -- --all” …' : 'Running tests …');
  const folder = await mkdtemp(join(tmpdir(), 'repoless-test-'));
  try {
    process.exitCode = await runTests(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Runs every project of the test configuration and ends with the totals. A file that fails is run once more alone: if it passes then, it is
 * named as unstable. Returns the exit code.
 */
async function runTests(folder) {
  const first = await run(join(folder, 'report.json'), chosen, isWhole);
  const failedFiles = first.testResults.filter(({ status }) => status === 'failed');
  const unstable = [];
  for (const [index, file] of failedFiles.entries()) {
    if (failedFiles.length > MAX_RERUNS) break;
    say(`Running ${relative(ROOT, file.name)} once more, alone …`);
    const again = await run(join(folder, `again-${index}.json`), [file.name], false);
    if (again.code === 0 && again.numPassedTests > 0) unstable.push({ ...file, again });
  }
  const { passed, failed } = totals(first, unstable);
  if (passed + failed === 0) say('No test ran: that is a failure too.');
  for (const file of failedFiles)
    if (!unstable.some(({ name }) => name === file.name)) namesFailed(file).forEach((name) => say(`Failed: ${name}`));
  if (unstable.length > 0) say(`Unstable, passed when run alone: ${unstable.map(({ name }) => relative(ROOT, name)).join(', ')}`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** The failed tests of a file, each with the first line of its message; the file itself if it failed as a whole. */
function namesFailed({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const listed = failed.length === 0 ? [{ title: '(the file)', failureMessages: [message] }] : failed;
  return listed.map(
    ({ title, failureMessages: [first = ''] }) => `${relative(ROOT, name)} › ${title}: ${first.split('\n', 1)[0].slice(0, 200)}`,
  );
}

/**
 * A file that failed though none of its tests did (it could not be loaded, or what follows its tests failed) counts as one
 * failure; so does a run that failed though none of its files did: answers that deviate from the OpenAPI document.
 */
function totals({ code, deviates, numPassedTests = 0, testResults }, unstable) {
  const failures = ({ assertionResults }) => Math.max(1, assertionResults.filter((one) => one.status === 'failed').length);
  const isStable = ({ name }) => !unstable.some((one) => one.name === name);
  const failedFiles = testResults.filter(({ status }) => status === 'failed');
  const failed = failedFiles.filter(isStable).reduce((sum, file) => sum + failures(file), 0);
  const recovered = unstable.reduce((sum, { again, assertionResults }) => {
    return sum + again.numPassedTests - assertionResults.filter((one) => one.status === 'passed').length;
  }, 0);
  const isFailedOutsideFiles = deviates || (failedFiles.length === 0 && code !== 0);
  return { passed: numPassedTests + recovered, failed: failed + (isFailedOutsideFiles ? 1 : 0) };
}

/**
 * Runs Vitest. If no file was chosen, every operation of the OpenAPI documents must have been answered. Returns its report and exit code.
 */
async function run(report, files, whole) {
  const parameters = ['run', '--config', 'test/vitest.config.ts'];
  const code = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...parameters, ...files], {
      cwd: ROOT,
      env: {
        ...process.env,
        REPOLESS_BUILT: 'yes',
        REPOLESS_REPORT: report,
        REPOLESS_DEVIATIONS: `${report}.deviations`,
        ...(whole && { REPOLESS_WHOLE_SUITE: 'yes' }),
        ...(isOrdinary && { REPOLESS_TESTS: 'ordinary' }),
      },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
  const deviates = await readFile(`${report}.deviations`, 'utf8').then(
    () => true,
    () => false,
  );
  const read = async (file, otherwise) => JSON.parse(await readFile(file, 'utf8').catch(() => otherwise));
  const { testResults = [], ...counts } = await read(report, '{}');
  // A file during which an error was unhandled has failed, whatever its tests say.
  for (const { name, message } of await read(`${report}.unhandled`, '[]'))
    testResults
      .filter((file) => file.name === name && file.status !== 'failed')
      .forEach((file) => Object.assign(file, { status: 'failed', message }));
  return { ...counts, testResults, code, deviates };
}
