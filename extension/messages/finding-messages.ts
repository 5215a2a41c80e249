import type { CheckId } from '#contract/site-check.ts';
import type { Finding } from '#extension/setup/findings.ts';

/** A finding in words: what was found, what it means for the author, how to fix it. */
export interface FindingMessages {
  readonly finding: string;
  readonly consequence?: string;
  readonly fix?: string;
}

export type Say = (data: Readonly<Record<string, string>>) => FindingMessages;

/** The sentences of one check. `variants` are chosen by a finding's own variant, before its verdict. */
export interface CheckMessages {
  readonly fine: Say;
  readonly otherwise: Say;
  readonly unknown?: Say;
  readonly variants?: Readonly<Record<string, Say>>;
}

/** The messages of a finding; `unknown` is used if a check could not be made and has no message of its own for that. */
export function findingMessages(sentences: Readonly<Record<CheckId, CheckMessages>>, unknown: Say, finding: Finding): FindingMessages {
  const messages = sentences[finding.check];
  const variant = finding.variant === undefined ? undefined : messages.variants?.[finding.variant];
  const say = variant ?? byVerdict(messages, unknown, finding);
  return say(finding.data);
}

function byVerdict(messages: CheckMessages, unknown: Say, finding: Finding): Say {
  if (finding.verdict === 'fine') return messages.fine;
  if (finding.verdict === 'unknown') return messages.unknown ?? unknown;
  return messages.otherwise;
}
