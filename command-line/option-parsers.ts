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

export function versionNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Use the number of a version.');
  return number;
}

/** `latest`, or a commit in the service's format. */
export function commitName(text: string): string {
  const isCommit = text === 'latest' || ServedCommitInput.safeParse({ sha: text }).success;
  if (!isCommit) throw new InvalidArgumentError('Use the full name of a commit, or latest.');
  return text.toLowerCase();
}

export function parallel(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 32) throw new InvalidArgumentError('Use a number from 1 to 32.');
  return number;
}
