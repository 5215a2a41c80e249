import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SiteFile } from '#contract/site-file.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import type { Options } from './arguments.ts';
import { printSiteFile } from './site-file-text.ts';
import type { CommandResult, CommandSurroundings } from './surroundings.ts';

/** Answers with the file: where `--out` says, else on standard output. `notes` are for a person. */
export async function writeSiteFile(
  surroundings: CommandSurroundings,
  { out, json }: Options,
  file: SiteFile,
  notes: readonly string[],
): Promise<CommandResult> {
  for (const note of notes) surroundings.err(`${note}\n`);
  const format = json || out?.endsWith('.json') === true ? 'json' : 'yaml';
  const text = printSiteFile(file, format);
  if (out === undefined) return { code: 0, json: file, lines: [text.trimEnd()] };
  await writeFile(resolve(surroundings.cwd, out), text);
  return { code: 0, json: { file: out, sites: file.sites.length, notes }, lines: [words.export.written(out, file.sites.length)] };
}
