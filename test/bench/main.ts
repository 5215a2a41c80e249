import type { Scenario } from './bench.ts';
import type { Report } from './figures.ts';
import { createLoad } from './load/load.ts';
import { readOptions, USAGE, type BenchOptions, type ScenarioName } from './options.ts';
import { config } from './scenarios/config.ts';
import { cost } from './scenarios/cost.ts';
import { growth } from './scenarios/growth.ts';
import { list } from './scenarios/list.ts';
import { put } from './scenarios/put.ts';
import { start } from './scenarios/start.ts';
import { sync } from './scenarios/sync.ts';
import { environment } from './environment.ts';
import { printTable } from './table.ts';
import { createTeller } from './teller.ts';
import { withWorkspace } from './with-workspace.ts';
import { writeReport } from './write-report.ts';

const SCENARIO: Record<ScenarioName, Scenario> = { config, put, cost, list, start, growth, sync };

const options = optionsOrUsage();
const began = new Date();
const about = await environment();
print(
  Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', '),
);

const reports: Report[] = [];
for (const name of options.only) {
  const report = await runScenario(name);
  reports.push(report);
  print(`\n${printTable(report)}`);
}
print(`\nWritten to ${await writeReport(began, { options, environment: about }, reports)}`);

/** Each scenario begins on a machine that the one before has left. */
async function runScenario(name: ScenarioName): Promise<Report> {
  const { tell, clear } = createTeller(name);
  return withWorkspace(async (workspace) => SCENARIO[name]({ options, workspace, load: await createLoad(workspace), tell })).finally(clear);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function optionsOrUsage(): BenchOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}
