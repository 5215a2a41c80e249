import { LIMITS } from '@repoless/contract/limits.ts';
import { createHash } from 'node:crypto';
import type { CodeFile } from '../code/rules/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { runInThread, ThreadEnded } from '../threads/in-thread.ts';
import type { PageShare } from './page-budget.ts';
import { contentAnswer, type ReadyAnswer, refusalAnswer } from './site-answers.ts';

/** The requested selection of a spreadsheet (docs/contract.md 6.6). */
interface SheetQuery {
  /** By name; none for those that the file answers by default. */
  readonly sheets: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

type SelectedSheets =
  | { readonly state: 'selected'; readonly json: string }
  | { readonly state: 'no-json' | 'no-sheet' }
  | { readonly state: 'missing'; readonly names: readonly string[] };

/**
 * Sheets of a spreadsheet as JSON, each with the requested rows: a single one by itself, several by name. Must be self-contained: for large
 * ones its text is the program of a thread.
 */
function selectSheets(text: string, query: SheetQuery): SelectedSheets {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { state: 'no-json' };
  }
  if (!isObject(parsed)) return { state: 'no-sheet' };
  const book: Record<string, unknown> = Array.isArray(parsed['data']) ? { ':names': ['default'], default: parsed } : parsed;
  const all = book[':names'];
  if (!Array.isArray(all)) return { state: 'no-sheet' };
  const names: string[] = all.filter((name: unknown): name is string => typeof name === 'string' && Object.hasOwn(book, name));
  const requested = query.sheets.length === 0 && Object.hasOwn(book, 'default') ? ['default'] : query.sheets;
  const selected = new Set(requested);
  const chosen = names.filter((name) => selected.size === 0 || selected.has(name));
  if (chosen.length === 0 && requested.length > 0) return { state: 'missing', names };
  const sheets: [string, object][] = [];
  for (const name of chosen) {
    const sheet = book[name];
    if (!isObject(sheet) || !Array.isArray(sheet['data'])) return { state: 'no-sheet' };
    const data: unknown[] = sheet['data'].slice(query.offset, query.offset + query.limit);
    const columns = sheet['columns'] === undefined ? {} : { columns: sheet['columns'] };
    sheets.push([name, { total: sheet['total'], offset: query.offset, limit: data.length, data, ...columns }]);
  }
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1 && requested.length < 2)
    return { state: 'selected', json: JSON.stringify({ ...only[1], ':type': 'sheet' }) };
  const several = { ...Object.fromEntries(sheets), ':version': 3, ':names': chosen, ':type': 'multi-sheet' };
  return { state: 'selected', json: JSON.stringify(several) };
}

/** The `sheet`, `limit` and `offset` of an address; undefined if there is none of them. A refusal if a number is invalid. */
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
 * Content or a code file that is a spreadsheet, with the requested sheets and rows. Without a query, a file with several sheets answers its
 * default one, and anything else stays unchanged: undefined. `owner` is for messages.
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
      return refusalAnswer(404, 'ROUTE_NOT_FOUND', ascii(`${path} has none of the requested sheets. It has: ${listed(selected.names)}.`));
    case 'no-json':
    case 'no-sheet':
      if (query === undefined) return undefined;
      return owner === 'content'
        ? refusalAnswer(502, 'CONTENT_UNREACHABLE', ascii(`The content source returned no spreadsheet for ${path}.`))
        : refusalAnswer(400, 'QUERY_INVALID', ascii(`${path} is not a spreadsheet. Omit "sheet", "limit" and "offset".`));
    default:
      return selected satisfies never;
  }
}

/** Whether the bytes may be a spreadsheet of several sheets, which is not answered unchanged. */
export function hasSeveralSheets(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('":names"');
}

/** The bytes of a code file, counted like those of a page; undefined if it is larger than a page may be. */
export async function fileBytes(file: CodeFile, share: PageShare): Promise<Uint8Array | undefined> {
  if (file.size > LIMITS.pageSize) return undefined;
  share.reserve(file.size);
  const found = await file.read();
  if (found instanceof Uint8Array) return found;
  const pieces: Uint8Array[] = [];
  for await (const piece of found) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Large ones are parsed on a separate thread, so that other requests do not wait. */
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

function listed(names: readonly string[]): string {
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
/** Of a sheet if no limit is requested. */
const ROWS = 1000;
const SHOWN = 50;
/** Bytes that are parsed within milliseconds. */
const PARSED_DIRECTLY = 512 * 1024;
const DEADLINE = 10_000;
