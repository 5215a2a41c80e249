import { parseArgs } from 'node:util';
import type { Report } from './figures.ts';
import type { Load } from './load/load.ts';
import type { Workspace } from './workspace.ts';

export const SCENARIOS = ['config', 'put', 'cost', 'list', 'start', 'growth', 'sync', 'bridge'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export const DIMENSIONS = ['sites', 'writers', 'nodes', 'repositories'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

export interface BenchOptions {
  readonly only: readonly ScenarioName[];
  /** Counted runs of each contestant; one more runs first as a warm-up. */
  readonly runs: number;
  /** The length of a run. */
  readonly seconds: number;
  /** The number of stored sites in scenarios with many. */
  readonly sites: number;
  /** The dimensions whose growth is measured. */
  readonly dimensions: readonly DimensionName[];
  /** Smaller steps, for a quick impression. */
  readonly quick: boolean;
}

export const USAGE = `npm run bench -- [--only ${SCENARIOS.join(',')}] [--runs 5] [--seconds 2] [--sites 50000]
  growth alone: [--dimensions ${DIMENSIONS.join(',')}] [--quick]`;

/** Reads the command line; throws an Error with a message if it is invalid. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      sites: { type: 'string' },
      dimensions: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only === undefined ? SCENARIOS : values.only.split(',').map((text) => oneOf(SCENARIOS, 'scenario', text)),
    runs: positive('runs', values.runs ?? '5'),
    seconds: positive('seconds', values.seconds ?? '2'),
    sites: positive('sites', values.sites ?? '50000'),
    dimensions:
      values.dimensions === undefined ? DIMENSIONS : values.dimensions.split(',').map((text) => oneOf(DIMENSIONS, 'dimension', text)),
    quick: values.quick,
  };
}

function oneOf<T extends string>(names: readonly T[], what: string, text: string): T {
  const found = names.find((name) => name === text.trim());
  if (found === undefined) throw new Error(`There is no ${what} "${text}"; choose one of ${names.join(', ')}.`);
  return found;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number of at least 1, not "${text}".`);
  return value;
}

/** The context of every scenario. */
export interface Bench {
  readonly options: BenchOptions;
  readonly workspace: Workspace;
  readonly load: Load;
  /** Shows progress on the terminal; not part of the report. */
  showProgress(text: string): void;
}

export type Scenario = (bench: Bench) => Promise<Report>;
