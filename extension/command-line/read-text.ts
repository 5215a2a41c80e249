import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { SiteFile } from '#contract/site-file.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from './arguments.ts';
import { parseJsonFile } from './json-file.ts';
import { parseFile } from './site-file-text.ts';
import type { ParsedFile } from './site-file-text.ts';
import { UsageProblem } from './cli-context.ts';
import type { CliContext } from './cli-context.ts';

/** Reads the declarative file that `-f` names; `-` is standard input. */
export function readSiteFile(context: CliContext, options: Options): Promise<ParsedFile> {
  return readFileBy(context, options, SiteFile);
}

/** Reads the file that `-f` names by its schema. */
export async function readFileBy<S extends z.ZodType>(context: CliContext, { file }: Options, schema: S): Promise<ParsedFile<z.output<S>>> {
  if (file === undefined) throw new UsageProblem(messages.usage.noFile);
  const { jsonValues } = context;
  if (file === '-' && jsonValues !== undefined) return parseJsonFile(await context.readIn(), schema, jsonValues);
  if (file === '-') return parseFile('standard input', await context.readIn(), schema);
  const text = await readText(resolve(context.cwd, file));
  if (text === undefined) throw new UsageProblem(messages.file.unreadable(file));
  return parseFile(file, text, schema);
}

/** The text of a file; undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
