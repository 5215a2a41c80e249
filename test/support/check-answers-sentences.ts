import { Problem } from '@repoless/contract/errors.ts';
import type { Exchange } from './check-answers-record.ts';

/** Never part of a message that somebody has read with a real value in it. */
const UNREADABLE = /""|\bundefined\b|\bnull\b|\bNaN\b|\[object|\$\{| {2}|\bInvalid (?:input|option|key|URL|string)\b/;

/** Messages of a refusal that contain a raw or missing value. */
export function unreadSentences({ status }: Exchange, headers: ReadonlyMap<string, string>, body: unknown): string[] {
  if (status < 400) return [];
  const problem = Problem.safeParse(body);
  const { detail = '', errors = [] } = problem.success ? problem.data : {};
  const sentences = [headers.get('x-error') ?? '', detail, ...errors.map((error) => error.detail)];
  return [...new Set(sentences)]
    .filter((text) => UNREADABLE.test(text))
    .map((text) => `the sentence "${text}" was never read with this value`);
}
