import type { SiteFile } from '@repoless/contract/site-file.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { type CliContext, type CommandResult, type Options, UsageProblem } from './cli-context.ts';

/** The file as text: YAML, or JSON if requested. */
export function printFile(file: object, format: 'yaml' | 'json'): string {
  return format === 'json' ? `${JSON.stringify(file, null, 2)}\n` : stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Writes the file of sites. `notes` are for people. Throws UsageProblem if it cannot be written. */
export async function writeSiteFile(
  context: CliContext,
  options: Options,
  file: SiteFile,
  notes: readonly string[],
): Promise<CommandResult> {
  const count = file.sites.length;
  return writeNamedFile(context, options, file, { count, notes, written: (path) => messages.export.written(path, count) });
}

export interface FileNotes {
  /** The number of sites. */
  readonly count: number;
  /** For people, on standard error. */
  readonly notes: readonly string[];
  /** The message after the file was written. */
  written(path: string): string;
}

/** Writes a file to `--out`, otherwise to standard output. Throws UsageProblem if it cannot be written. */
export async function writeNamedFile(
  context: CliContext,
  { out, format }: Options,
  file: object,
  { count, notes, written }: FileNotes,
): Promise<CommandResult> {
  for (const note of notes) context.err(`${note}\n`);
  const text = printFile(file, format === 'json' || out?.endsWith('.json') === true ? 'json' : 'yaml');
  if (out === undefined) return { code: 0, json: file, lines: [text.trimEnd()] };
  await writeFile(resolve(context.cwd, out), text).catch((error: unknown) => {
    throw new UsageProblem(messages.export.notWritten(out, reasonOf(error)));
  });
  return { code: 0, json: { file: out, sites: count, notes }, lines: [written(out)] };
}

/** Why a file cannot be written, for a message. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return messages.export.whyNotWritten[code];
  return error instanceof Error ? error.message : String(error);
}
