import type { MediaType } from '#contract/endpoint.ts';
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from '#backend/http/openapi-examples.ts';
import { printedJson } from './printed-json.ts';
import type { DocumentedRow } from './documented-rows.ts';
import type { Example } from './step.ts';

/** The command of an example, as a reader would write it. Throws a sentence where something has no example value. */
export function curlCommand({ id, row, program }: DocumentedRow, example: Example): string {
  const method = row.method === 'GET' ? '' : ` -X ${row.method}`;
  const base = program === 'service' ? '$API' : '$BUILD';
  const query = example.query === undefined ? '' : `?${example.query}`;
  const lines = [`curl -i${method} "${base}${pathOf(id, row.path, example)}${query}"`];
  const token = example.token === undefined && row.permission !== 'public' ? 'TOKEN' : (example.token ?? undefined);
  const headers = { ...(token !== undefined && { 'x-auth-token': `$${token}` }), ...example.headers };
  const body = bodyOf(id, row.body?.optional === true, row.body?.media[0], example);
  const type = body === undefined || body.media === FORM ? {} : { 'content-type': body.media };
  for (const [name, value] of Object.entries({ ...headers, ...type })) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`${body.media === 'text/plain' ? '--data-binary' : '-d'} ${singleQuoted(body.text)}`);
  return inLines(lines);
}

const FORM = 'application/x-www-form-urlencoded';
const WIDTH = 120;

function pathOf(id: string, path: string, { params }: Example): string {
  return path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => {
    const value = params?.[name] ?? PARAMETER_EXAMPLES[name];
    if (value === undefined) throw new Error(`${id}: PARAMETER_EXAMPLES has no value for {${name}}.`);
    return String(value);
  });
}

function bodyOf(
  id: string,
  isOptional: boolean,
  media: MediaType | undefined,
  { body: own }: Example,
): { media: MediaType; text: string } | undefined {
  const body = own === undefined ? BODY_EXAMPLES[id] : own;
  if (media === undefined || body === null) return undefined;
  if (body === undefined && isOptional) return undefined;
  if (body === undefined) throw new Error(`${id}: BODY_EXAMPLES has no body for it.`);
  if (media === FORM) return { media, text: typeof body === 'string' ? body : formOf(body) };
  return { media, text: typeof body === 'string' ? body : printedJson(body) };
}

/** Only what must be is encoded, so that a reader can read it. */
function formOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) throw new Error('A form is written as an object.');
  const encoded = (text: string) => encodeURIComponent(text).replaceAll(/%(24|2F|3A)/g, decodeURIComponent);
  return Object.entries(body)
    .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
    .join('&');
}

/** Variables are put in by the shell, between double quotation marks. */
function quoted(text: string): string {
  return text.includes('$') ? `"${text.replaceAll('"', String.raw`\"`)}"` : singleQuoted(text);
}

function singleQuoted(text: string): string {
  const inner = text.replaceAll("'", String.raw`'\''`).replaceAll(/\$[A-Z_]+/g, (variable) => `'"${variable}"'`);
  return `'${inner}'`;
}

/** As many on a line as fit; what has lines of its own begins a new one. */
function inLines(pieces: readonly string[]): string {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const [first = ''] = piece.split('\n', 1);
    if (last !== undefined && !last.includes('\n') && last.length + first.length < WIDTH && lines.length > 1)
      lines.push(`${lines.pop()} ${piece}`);
    else lines.push(piece);
  }
  return lines.join(' \\\n  ');
}
