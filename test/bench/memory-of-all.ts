import { readFile } from 'node:fs/promises';
import { processesOf } from './processes-of.ts';

const KB = 1024;

/** Resident memory of a process and of those that it started, in bytes; pages that several share are divided among them. Undefined where the system does not tell (Linux does). */
export async function memoryOfAll(pid: number): Promise<number | undefined> {
  const all = await Promise.all((await processesOf(pid)).map(proportional));
  return all.reduce<number | undefined>((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}

async function proportional(pid: number): Promise<number | undefined> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => undefined);
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * KB;
}
