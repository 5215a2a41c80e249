import { STATUS_CODES } from 'node:http';
import type { Documented } from '../support/documented-calls.ts';
import { steadyJson, steadyText } from './placeholders.ts';

export interface Printing {
  /** Puts the addresses of the pages in the place of those that answered. */
  shown(text: string): string;
  /** Values that differ from run to run. */
  readonly open: readonly string[];
  /** How many lines of the body are shown. */
  readonly lines: number;
}

const SHOWN_HEADERS = [
  'content-type',
  'location',
  'link',
  'etag',
  'set-cookie',
  'allow',
  'retry-after',
  'x-error',
  'x-error-code',
  'x-relayed',
];

/** An answer as HTTP prints it, the same at each run: `…` for what differs, and the headers that a caller reads. */
export function printedAnswer({ status, headers, body }: Documented, { shown, open, lines }: Printing): string {
  const printed = SHOWN_HEADERS.flatMap((wanted) =>
    headers.flatMap(([name, value]) => (name === wanted ? [`${name}: ${steadyHeader(name, shown(value), open)}`] : [])),
  );
  const isJson = headers.some(([name, value]) => name === 'content-type' && value.includes('json'));
  const text = isJson && body !== '' ? steadyJson(shown(body), open) : steadyText(shown(body), open);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...printed, ...(text === '' ? [] : ['', ...short(text, lines)])].join('\n');
}

function steadyHeader(name: string, value: string, open: readonly string[]): string {
  if (name === 'etag') return '"…"';
  if (name === 'location') return steadyText(value, open).replace(/(?<=^https?:.*\?).*/, '…');
  return name === 'set-cookie' ? value.replace(/=[^;]+/, '=…').replace(/Max-Age=\d+/, 'Max-Age=…') : steadyText(value, open);
}

function short(text: string, lines: number): string[] {
  const all = text.split('\n');
  return all.length <= lines ? all : [...all.slice(0, lines), '…'];
}
