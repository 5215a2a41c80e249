/** What of a spreadsheet is asked for (docs/contract.md 6.6). */
export interface SheetQuery {
  /** By their names; none for those that the file answers by itself. */
  readonly sheets: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

export type SelectedSheets =
  | { readonly state: 'selected'; readonly json: string }
  | { readonly state: 'no-json' | 'no-sheet' }
  | { readonly state: 'missing'; readonly names: readonly string[] };

/**
 * Sheets of a spreadsheet as JSON, of each the rows that are asked for: one by itself, several by their names. It must stand by itself: for
 * large ones its text is the program of a thread.
 */
export function selectSheets(text: string, query: SheetQuery): SelectedSheets {
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
  const asked = query.sheets.length === 0 && Object.hasOwn(book, 'default') ? ['default'] : query.sheets;
  const wanted = new Set(asked);
  const chosen = names.filter((name) => wanted.size === 0 || wanted.has(name));
  if (chosen.length === 0 && asked.length > 0) return { state: 'missing', names };
  const sheets: [string, object][] = [];
  for (const name of chosen) {
    const sheet = book[name];
    if (!isObject(sheet) || !Array.isArray(sheet['data'])) return { state: 'no-sheet' };
    const data: unknown[] = sheet['data'].slice(query.offset, query.offset + query.limit);
    const columns = sheet['columns'] === undefined ? {} : { columns: sheet['columns'] };
    sheets.push([name, { total: sheet['total'], offset: query.offset, limit: data.length, data, ...columns }]);
  }
  const [only] = sheets;
  if (only !== undefined && sheets.length === 1 && asked.length < 2)
    return { state: 'selected', json: JSON.stringify({ ...only[1], ':type': 'sheet' }) };
  const several = { ...Object.fromEntries(sheets), ':version': 3, ':names': chosen, ':type': 'multi-sheet' };
  return { state: 'selected', json: JSON.stringify(several) };
}
