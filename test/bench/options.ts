import { parseArgs } from 'node:util';

export const SCENARIOS = ['config', 'put', 'cost', 'list', 'start', 'growth', 'sync'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface BenchOptions {
  readonly only: readonly ScenarioName[];
  /** Counted runs of each contestant; one more goes before as a warm-up. */
  readonly runs: number;
  /** Length of a run. */
  readonly seconds: number;
  /** Sites stored where many are meant. */
  readonly sites: number;
}

export const USAGE = `npm run bench -- [--only ${SCENARIOS.join(',')}] [--runs 5] [--seconds 2] [--sites 50000]`;

/** Reads the command line; throws an Error with a sentence where it does not fit. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, runs: { type: 'string' }, seconds: { type: 'string' }, sites: { type: 'string' } },
  });
  return {
    only: values.only === undefined ? SCENARIOS : values.only.split(',').map(scenarioName),
    runs: positive('runs', values.runs ?? '5'),
    seconds: positive('seconds', values.seconds ?? '2'),
    sites: positive('sites', values.sites ?? '50000'),
  };
}

function scenarioName(text: string): ScenarioName {
  const found = SCENARIOS.find((name) => name === text.trim());
  if (found === undefined) throw new Error(`There is no scenario "${text}"; choose of ${SCENARIOS.join(', ')}.`);
  return found;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} wants a whole number from 1, not "${text}".`);
  return value;
}
