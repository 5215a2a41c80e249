import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Load, LoadJob, LoadResult } from './load/load.ts';

/** One of the things that are compared in a run: what it does once, and what it gives. */
export interface Contestant<T> {
  readonly name: string;
  run(): Promise<T>;
}

/**
 * Runs the contestants in turn (A B C A B C …): once uncounted as a warm-up, then `runs` times. Out: the results of one of
 * them by its name; none where nobody has that name.
 */
export async function alternate<T>(
  contestants: readonly Contestant<T>[],
  runs: number,
  tell: (text: string) => void,
): Promise<(name: string) => readonly T[]> {
  const results = new Map<string, T[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    for (const contestant of contestants) {
      tell(`${round === 0 ? 'warm-up' : `run ${round} of ${runs}`}: ${contestant.name}`);
      const result = await contestant.run();
      if (round > 0) results.get(contestant.name)?.push(result);
    }
  }
  return (name) => results.get(name) ?? [];
}

interface ProcessorCost extends LoadResult {
  /** Microseconds of the processor for each request, with what the system does for it; undefined where nobody tells. */
  readonly each: number | undefined;
}

/** What each request of a load costs the processes that answer it, all together. */
export async function processorCost(load: Load, pids: readonly number[], job: LoadJob): Promise<ProcessorCost> {
  const had = async () => {
    const times = await Promise.all(pids.map(processorTime));
    return times.reduce<number | undefined>((sum, time) => (sum === undefined || time === undefined ? undefined : sum + time), 0);
  };
  const before = await had();
  const result = await load.run(job);
  const after = await had();
  const isKnown = before !== undefined && after !== undefined && result.requests > 0;
  return { ...result, each: isKnown ? ((after - before) * 1000) / result.requests : undefined };
}

/** Milliseconds of the processor that a process has had, all its threads together; undefined where the system does not tell (Linux does). */
export async function processorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, which may hold anything, ends with the last bracket.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]];
  return user === undefined || system === undefined ? undefined : (Number(user) + Number(system)) * TICK;
}

/** Linux counts in hundredths of a second towards programs, whatever the kernel's own clock does. */
const TICK = 10;

const KB = 1024;

/** Resident memory of a process in bytes, now and at its highest; undefined on systems other than Linux. */
export async function resident(pid: number): Promise<{ now: number; highest: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const [now, highest] = [/^VmRSS:\s+(\d+) kB$/m, /^VmHWM:\s+(\d+) kB$/m].map((pattern) => pattern.exec(status ?? '')?.[1]);
  return now === undefined || highest === undefined ? undefined : { now: Number(now) * KB, highest: Number(highest) * KB };
}

/** Resets the highest value. */
export async function forgetHighest(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

/** The middle value; the mean of the two middle ones of an even number. NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share lies, interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/**
 * Runs something over and over until it is as quick as it will be: two results in a row that differ by no more than `difference`
 * from the one before, or as many runs as `most`. Out: how many runs it took.
 */
export async function untilSteady(run: () => Promise<number>, { difference = 0.05, most = 12 } = {}): Promise<number> {
  let [before, alike] = [await run(), 0];
  for (let runs = 2; runs <= most; runs += 1) {
    const now = await run();
    alike = Math.abs(now - before) <= difference * before ? alike + 1 : 0;
    if (alike === 2) return runs;
    before = now;
  }
  return most;
}

const LIMIT_MS = 120_000;
const STEP_MS = 50;

/** Waits until something that comes by itself is so; rejects where two minutes go by. */
export async function untilSo(what: string, isSo: () => Promise<boolean>, step = STEP_MS): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < LIMIT_MS;) {
    if (await isSo()) return;
    await pause(step);
  }
  throw new Error(`Not so within ${LIMIT_MS / 1000} s: ${what}.`);
}
