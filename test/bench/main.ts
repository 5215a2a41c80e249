import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment } from './environment.ts';
import type { Figure, Report, Target } from './figures.ts';
import { createLoad } from './load/load.ts';
import { type BenchOptions, readOptions, type Scenario, type ScenarioName, USAGE } from './options.ts';
import { bridge } from './scenarios/bridge.ts';
import { config } from './scenarios/config.ts';
import { cost } from './scenarios/cost.ts';
import { growth } from './scenarios/growth.ts';
import { list } from './scenarios/list.ts';
import { put } from './scenarios/put.ts';
import { start } from './scenarios/start.ts';
import { sync } from './scenarios/sync.ts';
import { createProgressLine } from './progress-line.ts';
import { withWorkspace } from './workspace.ts';

/** Writes the reports of a run as JSON below `bench-results/`. Returns the file's path. */
async function writeReport(startedAt: Date, about: Record<string, unknown>, reports: readonly Report[]): Promise<string> {
  const path = join('bench-results', `${startedAt.toISOString().replaceAll(':', '-').slice(0, 19)}.json`);
  await mkdir('bench-results', { recursive: true });
  await writeFile(path, `${JSON.stringify({ startedAt, ...about, reports }, null, 2)}\n`);
  return path;
}

const HEADINGS = ['', 'unit', 'ours', 'against', 'theirs', 'ratio', 'target', ''];

/** The report as a text table, one line per figure. */
function printTable(report: Report): string {
  const rows = [HEADINGS, ...report.figures.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  return [report.scenario, ...lines].join('\n');
}

function cells(figure: Figure): string[] {
  const { against, ratio, target, met, exponent, note } = figure;
  return [
    figure.name,
    figure.unit,
    printNumber(figure.ours),
    against?.name ?? '',
    against === undefined ? '' : printNumber(against.value),
    ratio === undefined ? '' : ratio.toFixed(2),
    target === undefined ? '' : printTarget(target),
    [met === undefined ? '' : met ? 'met' : 'MISSED', exponent === undefined ? '' : `n^${exponent.toFixed(2)}`, note ?? '']
      .filter((text) => text !== '')
      .join('; '),
  ];
}

function pad(cell: string, width: number, column: number): string {
  const isNumber = column === 2 || column === 4 || column === 5;
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function printTarget(target: Target): string {
  return 'atLeast' in target ? `≥ ${rounded(target.atLeast)}` : `≤ ${rounded(target.atMost)}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const SCENARIO: Record<ScenarioName, Scenario> = { config, put, cost, list, start, growth, sync, bridge };

const options = optionsOrUsage();
const startedAt = new Date();
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
print(`\nWritten to ${await writeReport(startedAt, { options, environment: about }, reports)}`);

/** Each scenario starts after the processes and files of the previous one are removed. */
async function runScenario(name: ScenarioName): Promise<Report> {
  const { showProgress, clear } = createProgressLine(name);
  return withWorkspace(async (workspace) =>
    SCENARIO[name]({ options, workspace, load: await createLoad(workspace), showProgress }),
  ).finally(clear);
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
