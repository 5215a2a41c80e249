import { COMMON_ERRORS } from '#contract/endpoint.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { profilePartEndpoints, sitePartEndpoints } from '#contract/endpoints.ts';
import { convertSchemas } from '#backend/http/openapi-schemas.ts';
import type { ConvertedSchemas } from '#backend/http/openapi-schemas.ts';
import type { DocumentedRow } from './documented-rows.ts';
import { renderCall, table } from './render-call.ts';
import { renderOffered } from './render-offered.ts';
import { fieldsOf, ruleOf } from './render-fields.ts';
import type { Ran } from './run-scenario.ts';

/** The pages of the reference by their file names, made from the rows and from the examples that were run. */
export function renderReference(rows: readonly DocumentedRow[], examples: readonly Ran[]): Map<string, string> {
  const schemas = convertSchemas(rows.map(({ row }) => row));
  const byPage = new Map<string, DocumentedRow[]>();
  for (const one of rows) byPage.set(pageOf(one), [...(byPage.get(pageOf(one)) ?? []), one]);
  const ranOf = (id: string) => examples.filter((one) => one.id === id);
  const pages = [...byPage].map(([page, calls]): [string, string] => [
    fileOf(page),
    ended([`# ${page}`, MADE, ...calls.map((call) => renderCall(call, schemas, ranOf(call.id)))]),
  ]);
  const offered = [...byPage]
    .filter(([page]) => page !== BUILD_MANAGEMENT)
    .map(([page, calls]): [string, Endpoint[]] => [page, calls.map(({ row }) => row)]);
  return new Map([
    ['README.md', indexPage(byPage)],
    ['what-is-offered.md', ended([renderOffered(new Map(offered), MADE)])],
    ...pages,
    ['fields.md', fieldsPage(schemas)],
  ]);
}

const MADE = '<!-- Created by `npm run docs` from the endpoint table and from examples that were run. Do not edit. -->';
const BUILD_MANAGEMENT = 'Build management';

const PART_ROWS = new Set<Endpoint>(
  [sitePartEndpoints, profilePartEndpoints].flatMap((parts) => Object.values(parts).flatMap((rows) => Object.values<Endpoint>(rows))),
);

function pageOf({ row, program }: DocumentedRow): string {
  if (program === 'build management') return BUILD_MANAGEMENT;
  if (!PART_ROWS.has(row)) return row.tag;
  return row.tag === 'Sites' ? 'Parts of a site' : 'Parts of a profile';
}

function fileOf(page: string): string {
  return `${page.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`;
}

/** As the headings of GitHub become anchors. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function indexPage(byPage: ReadonlyMap<string, readonly DocumentedRow[]>): string {
  const sections = [...byPage].map(([page, calls]) => {
    const rows = calls.map(({ row }) => [`\`${row.method}\``, `[\`${row.path}\`](${fileOf(page)}#${anchorOf(row.summary)})`, row.summary]);
    return `## ${page}\n\n${table(['Method', 'Path', 'What it does'], rows)}`;
  });
  const common = COMMON_ERRORS.map((code) => `[${code}](../errors.md#${code.toLowerCase()})`).join(', ');
  return ended([
    '# Reference',
    MADE,
    `Every call of the configuration service, and of build management, which is a program of its own. The objects that they take and
answer are in [fields.md](fields.md), the error codes in [../errors.md](../errors.md). All calls with all their addresses, and those of the public
service that are not offered, are in [what-is-offered.md](what-is-offered.md). The same for tools: \`/openapi.json\`.`,
    `The examples are commands of a shell, with these variables: \`$API\` is the address of the service, \`$BUILD\` that of build
management, \`$TOKEN\` what [signing in](sign-in.md) gave. All others hold what an example before has answered, such as the name of
a job in \`$JOB\`. \`…\` in an answer stands for what differs each time, and in its last line for lines that were left out. All
examples are run by the tests, against the sandbox: only the addresses differ.`,
    '## Every call',
    `Bodies and answers are JSON in UTF-8, where nothing else is said. Every answer has an \`x-request-id\`. Every refusal has a sentence in
\`x-error\`, a code in \`x-error-code\`, and a [problem document](fields.md#problem) as its body; it changes nothing. \`HEAD\` is answered
wherever \`GET\` is, \`OPTIONS\` everywhere. The token travels in \`x-auth-token\`, or as \`authorization: Bearer\`. Any call may be refused
with ${common}.`,
    ...sections,
  ]);
}

function fieldsPage(schemas: ConvertedSchemas): string {
  const sections = Object.entries(schemas.components)
    .filter(([name]) => name !== 'Json')
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, schema]) => {
      const rows = fieldsOf(schema).map((field) => [`\`${field.name}\``, field.required ? 'yes' : '', field.rule]);
      return `## ${name}\n\n${rows.length === 0 ? ruleOf(schema) : table(['Field', 'Required', 'Rule'], rows)}`;
    });
  return ended([
    '# Fields',
    MADE,
    'The objects that calls take and answer. `a.b` is the field `b` of the object `a`, `a[]` an entry of the list `a`.',
    ...sections,
  ]);
}

function ended(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
