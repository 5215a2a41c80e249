import type { CheckId, Finding } from '#extension/setup/findings.ts';

/** A finding in words: what was found, what it means for the author, how to mend it. */
export interface FindingWords {
  readonly finding: string;
  readonly consequence?: string;
  readonly fix?: string;
}

export type Say = (data: Readonly<Record<string, string>>) => FindingWords;

/** The sentences of one check. `variants` are chosen by a finding's own variant, before its verdict. */
export interface CheckWords {
  readonly fine: Say;
  readonly otherwise: Say;
  readonly unknown?: Say;
  readonly variants?: Readonly<Record<string, Say>>;
}

/** The words of a finding; `unknown` stands in where a check could not be made and has no words of its own for that. */
export function findingWords(sentences: Readonly<Record<CheckId, CheckWords>>, unknown: Say, finding: Finding): FindingWords {
  const words = sentences[finding.check];
  const variant = finding.variant === undefined ? undefined : words.variants?.[finding.variant];
  const say = variant ?? byVerdict(words, unknown, finding);
  return say(finding.data);
}

function byVerdict(words: CheckWords, unknown: Say, finding: Finding): Say {
  if (finding.verdict === 'fine') return words.fine;
  if (finding.verdict === 'unknown') return words.unknown ?? unknown;
  return words.otherwise;
}
