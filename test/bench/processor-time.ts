import { readFile } from 'node:fs/promises';

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
