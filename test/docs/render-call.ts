import { z } from 'zod';
import { aliasesOf } from '#contract/aliases.ts';
import { COMMON_ERRORS, errorsOf } from '#contract/endpoint.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { permissionText } from '#contract/permissions.ts';
import type { ConvertedSchemas } from '#backend/http/openapi-schemas.ts';
import type { DocumentedRow } from './documented-rows.ts';
import { fieldsOf, ruleOf } from './render-fields.ts';
import type { Ran } from './run-scenario.ts';

/** One call as a section of its page. */
export function renderCall({ id, row }: DocumentedRow, schemas: ConvertedSchemas, examples: readonly Ran[]): string {
  return [
    `## ${row.summary}`,
    `\`${row.method} ${row.path}\` · \`${id}\`${row.call === undefined ? '' : ` · [call ${row.call}](../contract.md#11-the-calls-and-their-bodies)`}`,
    alsoAt(row),
    `**Permission:** ${permissionText(row.permission)}`,
    table(['Parameter', 'In', 'Rule'], parameterRows(row, schemas)),
    bodyText(row, schemas),
    table(['Answer', 'Meaning', 'Body'], answerRows(row, schemas)),
    errorsText(row),
    ...examples.map(renderExample),
  ]
    .filter((one) => one !== '')
    .join('\n\n');
}

function renderExample({ title, command, answer }: Ran): string {
  return [...(title === undefined ? [] : [title]), `\`\`\`sh\n${command}\n\`\`\``, `\`\`\`http\n${answer}\n\`\`\``].join('\n\n');
}

function alsoAt({ path }: Endpoint): string {
  const aliases = aliasesOf(path);
  if (aliases.length === 0) return '';
  const leftOut = aliases
    .flatMap(({ defaults = {} }) => Object.entries(defaults))
    .map(([name, value]) => ` (\`?${name}=\`, \`${value}\` where it is left out)`);
  return `**Also at:** ${aliases.map((alias) => `\`${alias.path}\``).join(', ')}${[...new Set(leftOut)].join('')}`;
}

function parameterRows(row: Endpoint, schemas: ConvertedSchemas): string[][] {
  const rowsOf = (place: 'path' | 'query', { shape }: z.ZodObject) =>
    Object.entries(shape).map(([name, schema]) => [
      `\`${name}\``,
      place,
      schema instanceof z.ZodType ? parameterRule(schema, schemas) : '',
    ]);
  const preconditions = [
    ['`if-match`', 'header', 'the `etag` that was read: refused with 412 where it is another by now'],
    ['`if-none-match`', 'header', '`*`: refused with 412 where it exists already'],
  ];
  const isWrite = row.method !== 'GET';
  return [...rowsOf('path', row.params), ...rowsOf('query', row.query), ...(row.preconditions === true && isWrite ? preconditions : [])];
}

/** Of `true` and `false` in an address the schema says no more than that it is a text. */
function parameterRule(schema: z.ZodType, schemas: ConvertedSchemas): string {
  return schema.safeParse('true').data === true ? '`true` or `false`' : ruleOf(schemas.of(schema));
}

function bodyText({ body }: Endpoint, schemas: ConvertedSchemas): string {
  if (body === undefined) return '';
  const schema = schemas.of(body.schema);
  const rows = fieldsOf(schema).map(({ name, required, rule }) => [`\`${name}\``, required ? 'yes' : '', rule]);
  const optional = body.optional === true ? ', which may be left out' : '';
  const media = body.media.map((one) => `\`${one}\``).join(' or ');
  const about = rows.length > 0 ? '' : `: ${ruleOf(schema)}`;
  return [`**Body** (${media}${optional})${about}`, table(['Field', 'Required', 'Rule'], rows)].filter((one) => one !== '').join('\n\n');
}

function answerRows(row: Endpoint, schemas: ConvertedSchemas): string[][] {
  return Object.entries(row.answers).map(([status, { description, schema }]) => [
    status,
    cell(description),
    schema === undefined ? '' : ruleOf(schemas.of(schema)),
  ]);
}

const COMMON: readonly ErrorCode[] = COMMON_ERRORS;

function errorsText(row: Endpoint): string {
  const own = errorsOf(row).filter((code) => !COMMON.includes(code));
  const links = own.map((code) => `[${code}](../errors.md#${code.toLowerCase()})`);
  return `**Errors:** ${[...links, '[those of every call](README.md#every-call)'].join(', ')}`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A table's cell holds no line break. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
