import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { problemOf } from '#backend/domain/audit/verify-chain.ts';
import type { LinkedEntry } from '#backend/domain/audit/ports.ts';
import { beginDraft } from './draft.ts';
import { onDisk } from './on-disk.ts';

/** Entries of one organization in an archive: one piece of its chain. */
export interface ArchivedTrail {
  readonly org: string;
  /** The number of the first, and the hash of the one before it. */
  readonly first: { readonly entry: number; readonly previous: string };
  readonly last: { readonly entry: number; readonly hash: string };
}

/**
 * Writes a file, one entry a line, that is there only when it is whole and on the disk. Refuses, with a sentence, one that is there already. In:
 * `fill` gives it the entries. Out: how many there were; no file is made of none, nor where it is given
 * up (SIGINT, SIGTERM).
 */
export async function writeArchive(file: string, fill: (add: (entry: LinkedEntry) => Promise<void>) => Promise<void>): Promise<number> {
  requireFree(file);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = await beginDraft(file, 'The archive was discarded. Nothing was removed from the audit trails.');
  let [entries, lines]: [number, string[]] = [0, []];
  try {
    const handle = await open(draft.file, 'wx', 0o600);
    const store = async () => {
      draft.signal.throwIfAborted();
      await handle.appendFile(lines.join(''));
      lines = [];
    };
    try {
      await fill(async (entry) => {
        lines.push(`${JSON.stringify(entry)}\n`);
        entries += 1;
        if (lines.length === LINES) await store();
      });
      await store();
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (entries === 0) return 0;
    requireFree(file);
    draft.signal.throwIfAborted();
    await rename(draft.file, file);
    // So that the name of the file is there as well.
    await onDisk(folder);
    return entries;
  } finally {
    await draft.end();
  }
}

/** Every entry of an archive, each of which follows the one before it. Rejects with a sentence, which names the line, where one does not. */
export async function* readArchive(file: string): AsyncGenerator<LinkedEntry> {
  const stream = createReadStream(file, 'utf8');
  let [line, last]: [number, LinkedEntry | undefined] = [0, undefined];
  const seen = new Set<string>();
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      line += 1;
      const entry = entryOf(text);
      const wrong = `Line ${line} of ${file} was altered`;
      if (entry === undefined) throw new Error(`${wrong}.`);
      const isFirst = entry.org !== last?.org;
      if (isFirst && seen.has(entry.org)) throw new Error(`${wrong}: the entries of "${entry.org}" are not consecutive.`);
      seen.add(entry.org);
      const before = isFirst || last === undefined ? { seq: entry.seq - 1, hash: entry.previous } : last;
      const problem = problemOf(entry, before);
      if (problem !== undefined) throw new Error(`${wrong}. ${problem.sentence}`);
      yield entry;
      last = entry;
    }
  } finally {
    stream.destroy();
  }
}

/** The pieces of chains that an archive holds. Rejects as `readArchive` does, and where there is none. */
export async function trailsOf(file: string): Promise<readonly ArchivedTrail[]> {
  const trails: ArchivedTrail[] = [];
  for await (const { org, seq: entry, previous, hash } of readArchive(file)) {
    const last = { entry, hash };
    const open = trails.at(-1);
    if (open?.org === org) trails[trails.length - 1] = { ...open, last };
    else trails.push({ org, first: { entry, previous }, last });
  }
  if (trails.length === 0) throw new Error(`There are no entries in ${file}.`);
  return trails;
}

function requireFree(file: string): void {
  if (existsSync(file)) throw new Error(`The file ${file} already exists. Specify another one: an archive is never overwritten.`);
}

const Entry = z.strictObject({
  id: z.number().int(),
  org: z.string(),
  seq: z.number().int().positive(),
  site: z.string().nullable(),
  time: z.string(),
  user: z.string(),
  action: z.string(),
  requestId: z.string(),
  from: z.number().int().nullable(),
  to: z.number().int().nullable(),
  previous: z.string(),
  hash: z.string(),
});

function entryOf(line: string): LinkedEntry | undefined {
  try {
    return Entry.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Lines that are written at once. */
const LINES = 500;
