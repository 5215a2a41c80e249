import { readFile, writeFile } from 'node:fs/promises';

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
