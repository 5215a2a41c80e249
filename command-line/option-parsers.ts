import { integer } from '@repoless/contract/endpoint.ts';
import { VersionNumber } from '@repoless/contract/endpoint-parts.ts';
import { nameProblem } from '@repoless/contract/names.ts';
import { ServedCommitInput } from '@repoless/contract/served-code.ts';
import { InvalidArgumentError, Option } from 'commander';
import { FORMATS, type Options } from './cli-context.ts';

/** An option that may be given only once: otherwise the first of two values would be dropped silently. */
export function one(flags: string, description: string, parse: (value: string) => unknown = (value) => value): Option {
  return new Option(flags, description).argParser((value: string, previous: unknown) => {
    if (previous !== undefined) throw new InvalidArgumentError('Use it only once.');
    return parse(valueOf(value));
  });
}

export function many(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, previous = []) => [...previous, valueOf(value)]);
}

/** The parser would take any following argument as the value, even the next option. */
function valueOf(value: string): string {
  if (/^-./.test(value)) throw new InvalidArgumentError('It needs a value.');
  return value;
}

export function named(kind: 'organization' | 'site') {
  return (name: string): string => {
    const problem = nameProblem(kind, name);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return name;
  };
}

export function repository(text: string): Options['code'] {
  const [, owner, repo] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (owner === undefined || repo === undefined) throw new InvalidArgumentError('Use <owner>/<repo>.');
  return { owner, repo };
}

export function formatNamed(text: string): Options['format'] {
  const format = FORMATS.find((known) => known === text);
  if (format === undefined) throw new InvalidArgumentError(`Use ${FORMATS.join(', ')}.`);
  return format;
}

/** A whole number in decimal digits; a refusal names the bounds. */
function wholeNumber(schema: ReturnType<typeof integer>, message: string) {
  return (text: string): number => {
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(message);
    return parsed.data;
  };
}

export const versionNumber = wholeNumber(VersionNumber, 'Use the number of a version in decimal digits, 1 or more.');

export const parallel = wholeNumber(integer(1, 32), 'Use a number in decimal digits, from 1 to 32.');

/** `latest`, or a commit in the service's format. */
export function commitName(text: string): string {
  const isCommit = text === 'latest' || ServedCommitInput.safeParse({ sha: text }).success;
  if (!isCommit) throw new InvalidArgumentError('Use the full name of a commit, or latest.');
  return text.toLowerCase();
}
