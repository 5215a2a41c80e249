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

await orExplain(async () => {
  await installMachinePrograms();
  await checkRequirements();
  await installPackages();
  await buildParts();
  say('Running all tests …');
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
  const { passed, failed } = totals(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')));
  if (passed + failed === 0) say('No test ran: that is a failure too.');
  say(`${passed} passed, ${failed} failed`);
  return code === 0 && failed === 0 && passed > 0 ? 0 : 1;
}

/** A file that could not even be loaded counts as one failure. */
function totals({ numPassedTests = 0, numFailedTests = 0, testResults = [] }) {
  const unloadable = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
}

function vitest(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...parameters, ...process.argv.slice(2)], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
