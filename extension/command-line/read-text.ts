import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from './arguments.ts';
import { parseSiteFile } from './site-file-text.ts';
import type { ParsedFile } from './site-file-text.ts';
import { UsageProblem } from './cli-context.ts';
import type { CliContext } from './cli-context.ts';

/** Reads the file that `-f` names; `-` is standard input. */
export async function readSiteFile(context: CliContext, { file }: Options): Promise<ParsedFile> {
  if (file === undefined) throw new UsageProblem(messages.usage.noFile);
  if (file === '-') return parseSiteFile('standard input', await context.readIn());
  const text = await readText(resolve(context.cwd, file));
  if (text === undefined) throw new UsageProblem(messages.file.unreadable(file));
  return parseSiteFile(file, text);
}

/** The text of a file; undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
