import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from './figures.ts';

/** Writes the reports of a run as JSON below `bench-results/`; gives the file's path. */
export async function writeReport(began: Date, about: Record<string, unknown>, reports: readonly Report[]): Promise<string> {
  const path = join('bench-results', `${began.toISOString().replaceAll(':', '-').slice(0, 19)}.json`);
  await mkdir('bench-results', { recursive: true });
  await writeFile(path, `${JSON.stringify({ began, ...about, reports }, null, 2)}\n`);
  return path;
}
