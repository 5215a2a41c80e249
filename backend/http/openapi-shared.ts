import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from './openapi-schemas.ts';

type Item = Readonly<Record<string, JsonSchema>>;

/** What the calls of a document have alike, by the names under which they refer to it. */
export interface SharedParts {
  readonly paths: Readonly<Record<string, Item>>;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
}

/**
 * Refusals and parameters stand once in a document: written out at each call they are nine tenths of it. In: path items with
 * everything written out. Out: the same path items, which refer to what several calls have.
 */
export function shareParts(paths: Readonly<Record<string, Item>>): SharedParts {
  const responses = sharedOf('responses', responseName);
  const parameters = sharedOf('parameters', parameterName);
  const each = (change: (operation: JsonSchema) => JsonSchema) =>
    mapValues(paths, (item) => mapValues(item, (operation) => change(operation)));
  each((operation) => {
    for (const [status, response] of Object.entries(responsesOf(operation))) responses.meet(response, status);
    for (const parameter of parametersOf(operation)) parameters.meet(parameter, String(parameter['in']));
    return operation;
  });
  const shared = each((operation) => ({
    ...operation,
    parameters: parametersOf(operation).map((parameter) => parameters.inPlaceOf(parameter)),
    responses: mapValues(responsesOf(operation), (response) => responses.inPlaceOf(response)),
  }));
  return { paths: shared, responses: responses.named(), parameters: parameters.named() };
}

interface Shared {
  /** Meets a part of a call, and where it stands: at a status, or in a path. All are met before the first is replaced. */
  meet(part: JsonSchema, place: string): void;
  /** A reference, where several calls have this part and it has a name. */
  inPlaceOf(part: JsonSchema): JsonSchema;
  named(): Record<string, JsonSchema>;
}

/** Parts of one kind. A name that two different parts would have gets a number. */
function sharedOf(kind: 'responses' | 'parameters', nameOf: (part: JsonSchema, place: string) => string | undefined): Shared {
  const met = new Map<string, { readonly part: JsonSchema; readonly place: string; count: number }>();
  let names: ReadonlyMap<string, string> | undefined;
  const nameAll = () => {
    const taken = new Map<string, number>();
    const named = new Map<string, string>();
    for (const [text, { part, place, count }] of met) {
      const name = count > 1 ? nameOf(part, place) : undefined;
      if (name === undefined) continue;
      const times = (taken.get(name) ?? 0) + 1;
      taken.set(name, times);
      named.set(text, times === 1 ? name : `${name}${times}`);
    }
    return named;
  };
  const namesByText = () => (names ??= nameAll());
  return {
    meet(part, place) {
      const text = JSON.stringify(part);
      const known = met.get(text) ?? { part, place, count: 0 };
      known.count += 1;
      met.set(text, known);
    },
    inPlaceOf(part) {
      const name = namesByText().get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
    named: () => Object.fromEntries([...namesByText()].map(([text, name]) => [name, met.get(text)?.part ?? {}])),
  };
}

/** A refusal is named by its code, or where there are several as HTTP names its status; so is what has not changed. Any other answer is its call's own. */
function responseName({ content, headers }: JsonSchema, status: string): string | undefined {
  if (status === '304') return nameOfStatus(status);
  const { [PROBLEM]: problem, ...others } = Object(content);
  const codes: unknown = Object(Object(Object(headers)['x-error-code']).schema).enum;
  if (problem === undefined || !Array.isArray(codes) || Object.keys(others).length > 0) return undefined;
  return codes.length === 1 ? pascal(String(codes[0])) : nameOfStatus(status);
}

const PROBLEM = 'application/problem+json';

function nameOfStatus(status: string): string {
  return (STATUS_CODES[status] ?? '').replaceAll(/[^a-zA-Z]/g, '');
}

/** What a query may say differs from call to call. */
function parameterName(parameter: JsonSchema, place: string): string | undefined {
  return place === 'query' ? undefined : pascal(String(parameter['name']));
}

/** `NAME_INVALID`, `if-match` and `dryRun` as `NameInvalid`, `IfMatch` and `DryRun`. */
function pascal(name: string): string {
  const words = /[a-z]/.test(name) ? name.split('-') : name.toLowerCase().split('_');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
}

function responsesOf(operation: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object(operation['responses']);
}

function parametersOf(operation: JsonSchema): readonly JsonSchema[] {
  const { parameters } = operation;
  return Array.isArray(parameters) ? parameters.map((one: unknown) => Object(one)) : [];
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
