import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Load, LoadJob, LoadResult } from './load/load.ts';

/** One of the programs compared in a run. */
export interface Contestant<T> {
  readonly name: string;
  run(): Promise<T>;
}

/**
 * Runs the contestants in turn (A B C A B C …): once uncounted as a warm-up, then `runs` times. Returns a
 * function that gives the results of one by its name; none if the name is unknown.
 */
export async function alternate<T>(
  contestants: readonly Contestant<T>[],
  runs: number,
  showProgress: (text: string) => void,
): Promise<(name: string) => readonly T[]> {
  const results = new Map<string, T[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    for (const contestant of contestants) {
      showProgress(`${round === 0 ? 'warm-up' : `run ${round} of ${runs}`}: ${contestant.name}`);
      const result = await contestant.run();
      if (round > 0) results.get(contestant.name)?.push(result);
    }
  }
  return (name) => results.get(name) ?? [];
}

interface ProcessorCost extends LoadResult {
  /** Microseconds of processor time per request, including the system's; undefined if unknown. */
  readonly each: number | undefined;
}

/** The total cost of each request for the processes that answer it. */
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

/** Processor time of a process and its threads in milliseconds; undefined if the system does not report it (Linux does). */
export async function processorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The program's name, which may contain anything, ends with the last bracket.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]];
  return user === undefined || system === undefined ? undefined : (Number(user) + Number(system)) * TICK;
}

/** Linux reports hundredths of a second to programs, whatever the kernel's clock. */
const TICK = 10;

const KB = 1024;

/** Resident memory of a process in bytes, now and at its highest; undefined on systems other than Linux. */
export async function resident(pid: number): Promise<{ now: number; highest: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const [now, highest] = [/^VmRSS:\s+(\d+) kB$/m, /^VmHWM:\s+(\d+) kB$/m].map((pattern) => pattern.exec(status ?? '')?.[1]);
  return now === undefined || highest === undefined ? undefined : { now: Number(now) * KB, highest: Number(highest) * KB };
}

/** Resets the highest value. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

/** The median; of an even number, the mean of the middle two. NaN if empty. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile of the given share, interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/**
 * Warms something up: repeats it until two results in a row each differ from the previous one by at most `difference`, or for `most`
 * runs. Returns the number of runs.
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

/** Waits until a condition is true; rejects after two minutes. */
export async function waitUntil(what: string, isReached: () => Promise<boolean>, step = STEP_MS): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < LIMIT_MS;) {
    if (await isReached()) return;
    await pause(step);
  }
  throw new Error(`Not reached within ${LIMIT_MS / 1000} s: ${what}.`);
}
