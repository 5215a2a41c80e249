import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTime } from '../bench/measure.ts';
import type { Watched } from './soak-world.ts';

/** The measures of a program. */
export const MEASURES = {
  resident: { title: 'resident memory', unit: 'MB' },
  anonymous: { title: 'anonymous memory', unit: 'MB' },
  heap: { title: 'heap used', unit: 'MB' },
  committed: { title: 'heap committed', unit: 'MB' },
  external: { title: 'external memory', unit: 'MB' },
  files: { title: 'open files', unit: '' },
  handles: { title: 'handles of Node.js', unit: '' },
  threads: { title: 'threads', unit: '' },
  delay: { title: 'event-loop delay, p99', unit: 'ms' },
  processor: { title: 'processor', unit: '%' },
  database: { title: 'database', unit: 'MB' },
} as const;
export type Measure = keyof typeof MEASURES;

/** One sample of a program, without measures that neither the system nor the program reports. */
export interface Sample {
  readonly program: string;
  /** Seconds since the first sample. */
  readonly at: number;
  /** Whether its garbage was collected just before. */
  readonly collected: boolean;
  readonly values: Readonly<Partial<Record<Measure, number>>>;
}

const MB = 2 ** 20;

/** Milliseconds that a program gets to collect its garbage. */
const COLLECTION = 100;

interface SampleOptions {
  readonly at: number;
  readonly collect: boolean;
  /** Its processor time in milliseconds at the previous sample, and the time of that. */
  readonly before: { readonly processor: number; readonly at: number } | undefined;
}

/** Takes a sample of a program, after collecting its garbage if requested. The stand-ins collect theirs at any time. */
export async function takeSample(one: Watched, { at, collect, before }: SampleOptions) {
  const collected = collect && one.metrics !== undefined;
  if (collected) {
    process.kill(one.pid, 'SIGUSR2');
    await pause(COLLECTION);
  }
  const [status, files, figures, processor, database] = await Promise.all([
    readFile(`/proc/${one.pid}/status`, 'utf8'),
    readdir(`/proc/${one.pid}/fd`),
    one.metrics === undefined ? '' : fetch(`http://127.0.0.1:${one.metrics}/metrics`).then((answer) => answer.text()),
    processorTime(one.pid),
    one.databaseBytes?.(),
  ]);
  const figure = (name: string) => figureOf(figures, name, one.process);
  const known: Partial<Record<Measure, number | undefined>> = {
    resident: scaled(field(status, /^VmRSS:\s+(\d+) kB$/m), 1024 / MB),
    anonymous: scaled(field(status, /^RssAnon:\s+(\d+) kB$/m), 1024 / MB),
    threads: field(status, /^Threads:\s+(\d+)$/m),
    files: files.length,
    heap: scaled(figure('nodejs_heap_size_used_bytes'), 1 / MB),
    committed: scaled(figure('nodejs_heap_size_total_bytes'), 1 / MB),
    external: scaled(figure('nodejs_external_memory_bytes'), 1 / MB),
    handles: figure('nodejs_active_handles_total'),
    delay: scaled(figure('nodejs_eventloop_lag_p99_seconds'), 1000),
    database: scaled(database, 1 / MB),
    processor: processor === undefined || before === undefined ? undefined : (processor - before.processor) / ((at - before.at) * 10),
  };
  const values = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const sample: Sample = { program: one.name, at, collected, values };
  return { sample, processor };
}

function field(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function figureOf(text: string, name: string, process: string | undefined): number | undefined {
  const labels = process === undefined ? '' : `\\{process="${process}"\\}`;
  return field(text, new RegExp(`^${name}${labels} (\\S+)$`, 'm'));
}

function scaled(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value * by;
}
