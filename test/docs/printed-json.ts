/** How long a line of JSON may become before it is broken up. */
const WIDTH = 100;

/** JSON as people write it: what is short stays on a line. */
export function printedJson(value: unknown, indent = ''): string {
  const short = onOneLine(value);
  if (indent.length + short.length <= WIDTH && (indent !== '' || short.length <= WIDTH - 20)) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((one) => `${inner}${printedJson(one, inner)}`).join(',\n')}\n${indent}]`;
  if (typeof value !== 'object' || value === null) return short;
  const members = Object.entries(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${printedJson(one, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${onOneLine(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
