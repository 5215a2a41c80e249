import { printedJson } from './printed-json.ts';

/** What differs from one run to the next is shown as `…`. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '…'],
  [/job-\d{4}(?:-\d\d){5}-[0-9a-f]{8}/g, 'job-…'],
  [/(?<=before=)\d+/g, '…'],
  [/\b(process )\d+\b/g, '$1…'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '…'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…'],
  [/secret-[0-9a-z]{12}/g, 'secret-…'],
  [/whsec_[\w+/]+=*/g, 'whsec_…'],
  [/[0-9A-Za-z_-]{32,}/g, '…'],
  [/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/g, '…-…'],
];
/** Members whose values are times, or made anew by each run; `joined`: whether a sync had begun by itself a moment before; `since`, `entry`: when an audit trail was sealed. */
const NAMES = [
  'joined',
  'day',
  'since',
  'entry',
  'iat',
  'exp',
  'ttl',
  'timestamp',
  'user_code',
  'size',
  'unread',
  'uptime',
  'expires_in',
  'node',
  'schema',
  'knows',
];

/** A text without what differs; `known` are values that were kept from answers before. */
export function steadyText(text: string, known: readonly string[] = []): string {
  const open = known.filter((one) => one.length > 2).reduce((made, one) => made.replaceAll(one, '…'), text);
  return PATTERNS.reduce((made, [pattern, shown]) => made.replaceAll(pattern, shown), open);
}

/** A JSON text as people write it, without what differs: numbers and texts alike become `…`. */
export function steadyJson(text: string, known: readonly string[] = []): string {
  return printedJson(steadyValue(JSON.parse(text), known)).replaceAll('"…number"', '…');
}

function steadyValue(value: unknown, known: readonly string[], name?: string): unknown {
  if (name !== undefined && NAMES.includes(name)) return typeof value === 'number' ? '…number' : '…';
  // Of events: how many there were before depends on what was looked at meanwhile.
  if (name === 'id' && typeof value === 'number') return '…number';
  if (typeof value === 'string') return steadyText(value, known);
  if (Array.isArray(value)) return value.map((one) => steadyValue(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [steadyText(member, known), steadyValue(one, known, member)]));
}
