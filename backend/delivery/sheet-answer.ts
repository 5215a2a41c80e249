import { createHash } from 'node:crypto';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { CodeFile } from '../code/rules/ports.ts';
import { Refusal } from '../domain/errors.ts';
import { runInThread, ThreadEnded } from '../threads/in-thread.ts';
import type { PageShare } from './page-budget.ts';
import { selectSheets } from './select-sheets.ts';
import type { SelectedSheets, SheetQuery } from './select-sheets.ts';
import { contentAnswer, refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** What is asked for by `sheet`, `limit` and `offset` of an address; undefined where none of them is there. A refusal where a number is none. */
export function readSheetQuery(url: string): SheetQuery | ReadyAnswer | undefined {
  const question = url.indexOf('?');
  if (question < 0) return undefined;
  const parameters = new URLSearchParams(url.slice(question + 1));
  if (![...NAMES].some((name) => parameters.has(name))) return undefined;
  const [limit, offset] = [numberOf(parameters.get('limit'), ROWS), numberOf(parameters.get('offset'), 0)];
  if (limit === undefined || offset === undefined)
    return refusalAnswer(400, 'QUERY_INVALID', 'Write a whole number for "limit" and "offset".');
  const sheets = parameters.getAll('sheet').filter((name) => name !== '');
  return { sheets, limit, offset };
}

/**
 * Content or a file of the code that is a spreadsheet, with the sheets and rows that are asked for. Without a query, a file with several sheets
 * answers its default one, and anything else stays as it is: undefined. In: the bytes, and whose they are where something is wrong with them.
 */
export async function sheetAnswer(
  bytes: Uint8Array,
  query: SheetQuery | undefined,
  path: string,
  owner: 'content' | 'code',
): Promise<ReadyAnswer | undefined> {
  if (query === undefined && !hasSeveralSheets(bytes)) return undefined;
  const selected = await select(bytes, query ?? { sheets: [], limit: ROWS, offset: 0 });
  switch (selected.state) {
    case 'selected': {
      const json = Buffer.from(selected.json);
      return contentAnswer('application/json', json, `"${createHash('sha256').update(json).digest('base64url')}"`);
    }
    case 'missing':
      return refusalAnswer(
        404,
        'ROUTE_NOT_FOUND',
        ascii(`${path} has none of the sheets that are asked for. It has: ${told(selected.names)}.`),
      );
    case 'no-json':
    case 'no-sheet':
      if (query === undefined) return undefined;
      return owner === 'content'
        ? refusalAnswer(502, 'CONTENT_UNREACHABLE', ascii(`The content source returned no spreadsheet for ${path}.`))
        : refusalAnswer(400, 'QUERY_INVALID', ascii(`${path} is no spreadsheet. Leave out "sheet", "limit" and "offset".`));
    default:
      return selected satisfies never;
  }
}

/** Whether the bytes may be a spreadsheet of several sheets, which is not answered as it is. */
export function hasSeveralSheets(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('":names"');
}

/** The bytes of a file of the code, counted as those of a page are; undefined where it is larger than a page may be. */
export async function fileBytes(file: CodeFile, share: PageShare): Promise<Uint8Array | undefined> {
  if (file.size > LIMITS.pageSize) return undefined;
  share.hold(file.size);
  const found = await file.read();
  if (found instanceof Uint8Array) return found;
  const pieces: Uint8Array[] = [];
  for await (const piece of found) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A large one is read in a thread of its own: others have theirs to wait for. */
async function select(bytes: Uint8Array, query: SheetQuery): Promise<SelectedSheets> {
  if (bytes.length <= PARSED_DIRECTLY) return selectSheets(new TextDecoder().decode(bytes), query);
  try {
    // Safe: the program of the thread posts what selectSheets returns.
    return (await runInThread({ script: SCRIPT, input: { bytes, query }, deadline: DEADLINE })) as SelectedSheets;
  } catch (error) {
    if (error instanceof ThreadEnded)
      throw new Refusal('OVERLOADED', 'The spreadsheet takes too long to be read. Try again in a moment.', { retryAfter: 1 });
    throw error;
  }
}

function numberOf(text: string | null, usual: number): number | undefined {
  if (text === null || text === '') return usual;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function told(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name.slice(0, SHOWN)}"`);
  return names.length > SHOWN ? `${shown.join(', ')} and ${names.length - SHOWN} more` : shown.join(', ');
}

function ascii(sentence: string): string {
  return sentence.replaceAll(/[^\x20-\x7e]/g, '?');
}

const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { bytes, query } = workerData.input;
  ${selectSheets.toString()}
  parentPort.postMessage(selectSheets(new TextDecoder().decode(bytes), query));
`;
const NAMES: ReadonlySet<string> = new Set(['sheet', 'limit', 'offset']);
/** Of a sheet where no limit is asked for. */
const ROWS = 1000;
const SHOWN = 50;
/** Bytes that are parsed within some milliseconds. */
const PARSED_DIRECTLY = 512 * 1024;
const DEADLINE = 10_000;
