import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SiteFile } from '@repoless/contract/site-file.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { printSiteFile } from './site-file-text.ts';
import { UsageProblem } from './cli-context.ts';
import type { CommandResult, CliContext, Options } from './cli-context.ts';

/** Writes the file to `--out`, else to standard output. `notes` are for people. Throws UsageProblem if it cannot be written. */
export async function writeSiteFile(
  context: CliContext,
  { out, format }: Options,
  file: SiteFile,
  notes: readonly string[],
): Promise<CommandResult> {
  for (const note of notes) context.err(`${note}\n`);
  const text = printSiteFile(file, format === 'json' || out?.endsWith('.json') === true ? 'json' : 'yaml');
  if (out === undefined) return { code: 0, json: file, lines: [text.trimEnd()] };
  await writeFile(resolve(context.cwd, out), text).catch((error: unknown) => {
    throw new UsageProblem(messages.export.notWritten(out, reasonOf(error)));
  });
  return { code: 0, json: { file: out, sites: file.sites.length, notes }, lines: [messages.export.written(out, file.sites.length)] };
}

/** Why a file cannot be written, for a message. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return messages.export.whyNotWritten[code];
  return error instanceof Error ? error.message : String(error);
}

/** The most frequent value, which a file states once for all sites. Throws for an empty list. */
export function mostFrequent<T>(values: readonly T[]): T {
  const counts = new Map<string, { readonly value: T; count: number }>();
  for (const value of values) {
    const key = JSON.stringify(value);
    const counted = counts.get(key) ?? { value, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  const [first] = [...counts.values()].toSorted((one, other) => other.count - one.count);
  if (first === undefined) throw new RangeError('There is nothing to choose from.');
  return first.value;
}
