import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly minutes: number;
  /** Seconds between two samples. */
  readonly every: number;
  readonly sites: number;
  readonly postgres: boolean;
  /** The folder of the samples, the picture and the table. */
  readonly out: string;
}

export const USAGE = 'npm run soak -- [--minutes 30] [--postgres] [--sites 500] [--every 5] [--out dist/soak]';

/** Reads the command line; throws an Error with a message if it is invalid. */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      every: { type: 'string', default: '5' },
      sites: { type: 'string', default: '500' },
      postgres: { type: 'boolean', default: false },
      out: { type: 'string', default: 'dist/soak' },
    },
  });
  return {
    minutes: within('minutes', values.minutes, 1, 24 * 60),
    every: within('every', values.every, 1, 300),
    sites: within('sites', values.sites, 10, 100_000),
    postgres: values.postgres,
    out: values.out,
  };
}

function within(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`--${option} must be a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}
