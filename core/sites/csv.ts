/**
 * A table for a spreadsheet (RFC 4180). Names and paths come from people: text that a spreadsheet would execute as a formula is marked as
 * text.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** With the full-width forms, which spreadsheets for Chinese and Japanese take for the same characters. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
