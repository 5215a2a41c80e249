import type { Figure, Report, Target } from './figures.ts';

const HEADINGS = ['', 'unit', 'ours', 'against', 'theirs', 'ratio', 'target', ''];

/** The report as a table of text, one line a figure. */
export function printTable(report: Report): string {
  const rows = [HEADINGS, ...report.figures.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  return [report.scenario, ...lines].join('\n');
}

function cells(figure: Figure): string[] {
  const { against, ratio, target, met, exponent, note } = figure;
  return [
    figure.name,
    figure.unit,
    printNumber(figure.ours),
    against?.name ?? '',
    against === undefined ? '' : printNumber(against.value),
    ratio === undefined ? '' : ratio.toFixed(2),
    target === undefined ? '' : printTarget(target),
    [met === undefined ? '' : met ? 'met' : 'MISSED', exponent === undefined ? '' : `n^${exponent.toFixed(2)}`, note ?? '']
      .filter((text) => text !== '')
      .join('; '),
  ];
}

function pad(cell: string, width: number, column: number): string {
  const isNumber = column === 2 || column === 4 || column === 5;
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function printTarget(target: Target): string {
  return 'atLeast' in target ? `≥ ${rounded(target.atLeast)}` : `≤ ${rounded(target.atMost)}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
