import { Problem } from '#contract/errors.ts';
import type { Exchange } from './check-answers-record.ts';

/** What no sentence holds that was read once with a real value in it: nothing, or what a program calls it. */
const UNREADABLE = /""|\bundefined\b|\bnull\b|\bNaN\b|\[object|\$\{| {2}|\bInvalid (?:input|option|key|URL|string)\b/;

/** The sentences of a refusal that nobody has read. */
export function unreadSentences({ status }: Exchange, headers: ReadonlyMap<string, string>, body: unknown): string[] {
  if (status < 400) return [];
  const problem = Problem.safeParse(body);
  const { detail = '', errors = [] } = problem.success ? problem.data : {};
  const sentences = [headers.get('x-error') ?? '', detail, ...errors.map((error) => error.detail)];
  return [...new Set(sentences)]
    .filter((text) => UNREADABLE.test(text))
    .map((text) => `the sentence "${text}" was never read with this value`);
}
