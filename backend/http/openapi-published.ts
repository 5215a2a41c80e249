import { z } from 'zod';
import type { Described, Paths } from './openapi-table.ts';
import { type JsonSchema, mapValues } from './openapi-schemas.ts';

/**
 * The published description of the calls: no more than client generators can distinguish. If there are several forms of a body or an
 * answer, only JSON has a schema, and the description names the others. A dry run of a write is answered in another form: those calls are a
 * separate document (`dryRuns`).
 */
export function published({ paths, ...rest }: Described): Described {
  const write = (operation: JsonSchema) => plain({ ...operation, responses: withoutDryRuns(operation) }, 'write', rest.components);
  return { ...rest, paths: eachOperation(paths, write) };
}

/** The writes as dry runs: `?dryRun=true` is part of each, and the answer is a prediction. */
export function dryRuns({ paths, ...rest }: Described): Described {
  const tried = eachOperation(paths, (operation) => {
    const { parameters, responses } = Operation.parse(operation);
    if (!parameters.some(isDryRun)) return undefined;
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    const id = String(operation['operationId']);
    return plain(
      {
        ...operation,
        operationId: `${id}DryRun`,
        'x-dry-run-of': id,
        parameters: parameters.map((one) => (isDryRun(one) ? { ...one, required: true, schema: { type: 'string', enum: ['true'] } } : one)),
        responses: { 200: DRY_RUN_ANSWER, ...Object.fromEntries(refusals) },
      },
      'dry-run',
      rest.components,
    );
  });
  return { ...rest, paths: tried };
}

const Body = z.looseObject({
  description: z.string().optional(),
  required: z.boolean().optional(),
  content: z.record(z.string(), z.unknown()),
});
const Response = z.looseObject({ description: z.string(), content: z.record(z.string(), z.unknown()).optional() });
const Operation = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })),
  requestBody: Body.optional(),
  responses: z.record(z.string(), Response),
});
type Parameter = z.infer<typeof Operation>['parameters'][number];
type Responses = z.infer<typeof Operation>['responses'];

const JSON_FORM = 'application/json';
const PROBLEM = 'application/problem+json';
const DRY_RUN = '#/components/schemas/DryRun';
const DRY_RUN_ANSWER = {
  description: 'what would be stored, and the difference',
  headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
  content: { [JSON_FORM]: { schema: { $ref: DRY_RUN } } },
};

const isDryRun = (parameter: Parameter) => parameter.in === 'query' && parameter.name === 'dryRun';

/** Maps each operation to another, or none. Paths without any are left out. */
function eachOperation(paths: Paths, change: (operation: JsonSchema) => JsonSchema | undefined): Paths {
  const items = mapValues(paths, (item) => {
    const changed = Object.entries(item).map(([method, operation]) => [method, change(operation)] as const);
    return Object.fromEntries(changed.flatMap(([method, operation]) => (operation === undefined ? [] : [[method, operation] as const])));
  });
  return Object.fromEntries(Object.entries(items).filter(([, item]) => Object.keys(item).length > 0));
}

function plain(schema: JsonSchema, kind: 'write' | 'dry-run', components: JsonSchema): JsonSchema {
  const { parameters, requestBody: body, responses, ...operation } = Operation.parse(schema);
  const requestBody = body === undefined || isEmpty(body, components) ? undefined : body;
  const inPath = new Set(parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])));
  // Already in the path: generators would have two arguments with the same name.
  const own = parameters.filter((one) => one.in === 'path' || !inPath.has(one.name));
  const isWrite = parameters.some(isDryRun);
  return {
    ...operation,
    ...(kind === 'write' && isWrite && { description: sentences(String(operation['description']), DRY_RUN_HINT) }),
    parameters: kind === 'write' ? own.filter((one) => !isDryRun(one)) : own,
    ...(requestBody !== undefined && { requestBody: { ...requestBody, ...bodyInOneForm(requestBody) } }),
    responses: mapValues(responses, plainResponse),
  };
}

const DRY_RUN_HINT = 'Can be tried first, by `?dryRun=true`: /openapi-dry-run.json describes that.';

/** Whether there is nothing to send, so that a client need not ask for it. */
function isEmpty({ required, content }: z.infer<typeof Body>, components: JsonSchema): boolean {
  const { $ref } = Object(Object(content[JSON_FORM]).schema);
  const { properties, additionalProperties } = Object(Object(components['schemas'])[String($ref).replace('#/components/schemas/', '')]);
  return required !== true && additionalProperties === false && Object.keys(Object(properties)).length === 0;
}

function plainResponse({ content = {}, ...response }: Responses[string]): JsonSchema {
  // Whatever another program answers has no known form.
  if ('*/*' in content) return response;
  const { [PROBLEM]: problem, ...own } = content;
  const refused = problem === undefined ? {} : { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } };
  if (Object.keys(own).length === 0) return { ...response, ...(problem !== undefined && { content: refused }) };
  const { description, content: form } = inOneForm({ description: response.description, content: own }, 'Also as');
  return { ...response, description, content: { ...form, ...refused } };
}

function bodyInOneForm(body: z.infer<typeof Body>): JsonSchema {
  const { description, content } = inOneForm(body, 'Also accepted as');
  return { content, ...(description !== '' && { description }) };
}

/** JSON if it is among the forms, otherwise plain text, which every generator can send, otherwise the first. */
function inOneForm({ description, content }: z.infer<typeof Body>, also: string): { description: string; content: JsonSchema } {
  const forms = Object.keys(content);
  const form = [JSON_FORM, 'text/plain'].find((one) => forms.includes(one)) ?? forms[0] ?? JSON_FORM;
  const others = forms.filter((one) => one !== form).map((one) => `\`${one}\``);
  const text = sentences(description ?? '', others.length === 0 ? '' : `${also} ${others.join(', ')}.`);
  const shown = form.endsWith('yaml')
    ? { ...Object(content[form]), schema: { ...Object(Object(content[form]).schema), type: 'string' } }
    : content[form];
  return { description: text, content: { [form]: shown } };
}

function sentences(first: string, second: string): string {
  if (first === '' || second === '') return `${first}${second}`;
  return `${first}${first.endsWith('.') ? '' : '.'} ${second}`;
}

/** The answers without those of a dry run, including statuses that only a dry run has. */
function withoutDryRuns(operation: JsonSchema): Responses {
  const { responses } = Operation.parse(operation);
  const entries = Object.entries(responses).flatMap(([status, response]): [string, Responses[string]][] => {
    const { content } = response;
    if (content === undefined || !(Number(status) < 300)) return [[status, response]];
    const json = Object.entries(content).flatMap(([media, body]) => {
      const left = withoutDryRun(Object(body).schema);
      // Text is answered as JSON only to a dry run.
      const isOfDryRun = left === undefined || (media === JSON_FORM && left['type'] === 'string');
      return isOfDryRun ? [] : [[media, { ...Object(body), schema: left }]];
    });
    return json.length === 0 ? [] : [[status, { ...response, content: Object.fromEntries(json) }]];
  });
  return Object.fromEntries(entries);
}

function withoutDryRun(schema: JsonSchema): JsonSchema | undefined {
  const { $ref, anyOf, ...rest } = schema;
  if ($ref === DRY_RUN) return undefined;
  if (!Array.isArray(anyOf)) return schema;
  const [first, ...others] = anyOf.map((one: unknown): JsonSchema => Object(one)).filter((one) => one['$ref'] !== DRY_RUN);
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] };
}
