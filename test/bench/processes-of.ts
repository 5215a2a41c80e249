import { readFile } from 'node:fs/promises';

/** A process and those that it started, by their ids; itself alone where the system does not tell (Linux does). */
export async function processesOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [
    pid,
    ...children
      .split(' ')
      .filter((one) => one !== '')
      .map(Number),
  ];
}
