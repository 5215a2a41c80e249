import type { z } from 'zod';
import { type FieldError, jsonPointer } from './errors.ts';
import { LIMITS } from './limits.ts';

type Issue = z.core.$ZodIssue;

/** The errors of a value by a schema: one for each field, and a sentence for all of them. */
export function problemOf(issues: readonly Issue[], what: string): { readonly sentence: string; readonly errors: FieldError[] } {
  const errors = fieldErrors(issues);
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
  return { sentence: summary(what, errors, count), errors };
}

/** The errors of a value, with a sentence for each field; empty if it is valid. */
export function problemsOf(schema: z.ZodType, value: unknown, above: readonly PropertyKey[] = []): FieldError[] {
  const { error } = schema.safeParse(value, { error: valueSentence });
  return error === undefined ? [] : fieldErrors(error.issues, above);
}

/** Only the first ones, so that a body with thousands of mistakes gets an answer of ordinary size. */
function fieldErrors(issues: readonly Issue[], above: readonly PropertyKey[] = []): FieldError[] {
  const reported = issues.slice(0, LIMITS.reportedErrors).flatMap((issue) => errorsOf(issue, [...above, ...issue.path]));
  return reported.slice(0, LIMITS.reportedErrors);
}

function errorsOf(issue: Issue, path: readonly PropertyKey[]): FieldError[] {
  const here = jsonPointer(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, LIMITS.reportedErrors)
        .map((key) => ({ pointer: jsonPointer([...path, key]), detail: `Unknown property "${key}". Remove it.` }));
    case 'invalid_union':
      return closestBranch(issue, path) ?? [{ pointer: here, detail: issue.message }];
    case 'invalid_key':
      return [{ pointer: here, detail: `The name "${String(path.at(-1))}" is not allowed here. ${issue.issues[0]?.message ?? ''}`.trim() }];
    default:
      return [{ pointer: here, detail: issue.message }];
  }
}

/** The errors of the union's branch that matched furthest; undefined if none got beyond the value itself. */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): FieldError[] | undefined {
  const depth = (branch: readonly Issue[]) =>
    Math.max(0, ...branch.map((one) => one.path.length + (one.code === 'unrecognized_keys' ? 0.5 : 0)));
  const [closest] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
  return closest !== undefined && depth(closest) > 0 ? fieldErrors(closest, path) : undefined;
}

/** Default sentences, for schemas without their own: `error` of a parse. */
export function valueSentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `This is required; write ${noun(issue.expected)}.` : `Write ${noun(issue.expected)} here.`;
    case 'custom':
      return issue.input === undefined ? 'This is required; write a value of JSON.' : undefined;
    case 'invalid_value':
      return `Write ${oneOf(issue.values)} here.`;
    case 'invalid_union':
      return issue.discriminator === undefined ? formSentence(issue) : kindSentence(issue.discriminator, issue);
    case 'too_big':
      return `This is too large; the limit is ${String(issue.maximum)}.`;
    case 'too_small':
      return `This is too small; write at least ${String(issue.minimum)}.`;
    default:
      return undefined;
  }
}

/** For forms distinguished by one property: it is missing, or has none of the allowed values. */
function kindSentence(name: string, { input, options = [] }: { readonly input?: unknown; readonly options?: readonly unknown[] }): string {
  const isPresent = typeof input === 'object' && input !== null && Object.hasOwn(input, name);
  return isPresent ? `Write ${oneOf(options)} here.` : `This is required; write ${oneOf(options)}.`;
}

/** For forms distinguished only by their type: lists the allowed ones. */
function formSentence({ input, errors = [] }: { readonly input?: unknown; readonly errors?: readonly (readonly Issue[])[] }): string {
  const types = errors.map(([first]) => (first?.code === 'invalid_type' && first.path.length === 0 ? noun(first.expected) : undefined));
  if (types.length === 0 || types.includes(undefined)) return 'This matches none of the allowed forms.';
  const forms = [...new Set(types)].join(' or ');
  return input === undefined ? `This is required; write ${forms}.` : `Write ${forms} here.`;
}

function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

function noun(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : expected === 'record' ? 'an object' : `a ${expected}`;
}

function summary(what: string, errors: readonly FieldError[], count: number): string {
  const [first] = errors;
  if (first === undefined) return `${what} is not valid.`;
  const at = first.pointer === '' ? '' : ` at ${first.pointer}`;
  const all = Math.max(count, errors.length);
  const more = all > 1 ? ` (${all - 1} more)` : '';
  return `${what} is not valid${at}: ${first.detail}${more}`;
}
