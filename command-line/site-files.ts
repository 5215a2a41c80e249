import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { z } from 'zod';
import { SiteFile } from '@repoless/contract/site-file.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { assistant } from '@repoless/core/messages/en/assistant.ts';
import { type ParsedFile, parseFile, sentenceOf, invalidFile } from './site-file-text.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, type FileLocation, UsageProblem } from './cli-context.ts';
import { access, chmod, lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';

/** Reads the declarative file that `-f` names; `-` is standard input. */
export function readSiteFile(context: CliContext, options: Options): Promise<ParsedFile> {
  return readFileBy(context, options, SiteFile);
}

/** The name of standard input in messages. */
const STANDARD_INPUT = 'standard input';

/** Reads the file that `-f` names by its schema. */
export async function readFileBy<S extends z.ZodType>(context: CliContext, { file }: Options, schema: S): Promise<ParsedFile<z.output<S>>> {
  if (file === undefined) throw new UsageProblem(messages.usage.noFile);
  const { jsonValues } = context;
  if (file === '-' && jsonValues !== undefined) return parseJsonFile(await context.readIn(), schema, jsonValues);
  if (file === '-') return parseFile(STANDARD_INPUT, await context.readIn(), schema);
  const text = await readText(resolve(context.cwd, file), file);
  if (text === undefined) throw new UsageProblem(messages.file.unreadable(file, messages.file.whyUnreadable.ENOENT));
  return parseFile(file, text, schema);
}

/** The text of a file; undefined if there is none. Throws UsageProblem, with `name`, if it cannot be read or is too long. */
export async function readText(path: string, name = path): Promise<string | undefined> {
  try {
    return await readAtMost(createReadStream(path), name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof UsageProblem || !(error instanceof Error)) throw error;
    const why = code === 'EACCES' || code === 'EISDIR' ? messages.file.whyUnreadable[code] : error.message;
    throw new UsageProblem(messages.file.unreadable(name, why));
  }
}

/** Reads standard input until it ends or the command is stopped. */
export async function readStandardInput(stream: Readable, signal: AbortSignal): Promise<string> {
  try {
    return await readAtMost(addAbortSignal(signal, stream), STANDARD_INPUT);
  } catch (error) {
    throw signal.aborted ? new CommandFailure(messages.stopped) : error;
  }
}

/** Reads a stream as text. Throws UsageProblem as soon as it exceeds the limit of a file, and the stream's own errors. */
async function readAtMost(stream: Readable, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BYTES) throw new UsageProblem(messages.file.tooLong(name, MAX_BYTES / 1_000_000));
    parts.push(part);
  }
  return decoded(Buffer.concat(parts));
}

/** UTF-8, or what `>` of older versions of PowerShell writes: UTF-16 with a byte order mark. */
function decoded(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : undefined;
  return encoding === undefined ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes);
}

const MAX_BYTES = 10_000_000;

/**
 * Reads a JSON file in time bounded by its length. Throws UsageProblem; its locations have a pointer and no line (line 0). `most`: the
 * maximum number of values, including nested ones.
 */
export function parseJsonFile<S extends z.ZodType>(text: string, schema: S, limit: number): ParsedFile<z.output<S>> {
  const value = parsedJson(text);
  if (!hasFew(value, limit)) throw new UsageProblem(assistant.refused.manyValues(limit));
  const parsed = schema.safeParse(value, { error: sentenceOf });
  if (parsed.success) return { value: parsed.data, locationOf };
  throw invalidFile(parsed.error.issues.slice(0, LIMITS.reportedErrors).map(({ path, message }) => locationOf(path, message)));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageProblem(assistant.refused.noJson);
  }
}

function locationOf(path: readonly PropertyKey[], sentence: string): FileLocation {
  return { file: '', line: 0, column: 0, pointer: jsonPointer(path), sentence };
}

/** Level by level, because deep nesting would recurse. */
function hasFew(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let seen = 0; level.length > 0;) {
    seen += level.length;
    if (seen > limit) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}

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
  await replaceFile(resolve(context.cwd, out), text).catch((error: unknown) => {
    throw new UsageProblem(messages.export.notWritten(out, reasonOf(error)));
  });
  return { code: 0, json: { file: out, sites: count, notes }, lines: [written(out)] };
}

/**
 * Writes a file completely or not at all: if the program is killed or the disk is full, the previous file stays. Keeps its mode, its owner
 * and a symbolic link to it; `mode` replaces the mode.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  const isReplaceable = before === undefined ? !isLink : before.isFile() && before.nlink === 1;
  if (isReplaceable) {
    // A rename would replace a read-only file too.
    if (before !== undefined) await access(path, constants.W_OK);
    const isReplaced = await renamedOver(before === undefined ? path : await realpath(path), text, { before, mode });
    if (isReplaced) return;
  }
  if (mode !== undefined && before !== undefined) await chmod(path, mode);
  await writeFile(path, text, mode === undefined ? {} : { mode });
}

interface Replaced {
  readonly before: Stats | undefined;
  readonly mode: number | undefined;
}

/** False: the folder does not allow it, as with a file that is mounted, or that is writable in a folder that is not. */
async function renamedOver(target: string, text: string, { before, mode = before?.mode }: Replaced): Promise<boolean> {
  const temporary = join(dirname(target), `.repoless-${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx', mode === undefined ? undefined : 0o600);
    try {
      await file.writeFile(text);
      if (before !== undefined) await file.chown(before.uid, before.gid);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_ALLOWED.has(String(error.code))) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

/** Why a file cannot be written, for a message. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return messages.export.whyNotWritten[code];
  return error instanceof Error ? error.message : String(error);
}
