import type { Finding } from '../checks/finding.ts';
import { problemTextOf } from './explain-failure.ts';
import { fillFrom, type Message } from './format-message.ts';
import type { Messages, MessagesOf } from './language.ts';

/** The messages of a finding: what was found, what it means for the author, how to fix it. */
export interface FindingMessages {
  readonly finding: string;
  readonly consequence?: string;
  readonly fix?: string;
}

type Unfilled = Readonly<Pick<Record<keyof FindingMessages, Message>, 'finding'> & Partial<Record<keyof FindingMessages, Message>>>;

/** The messages of one check. `variants` are chosen by a finding's own variant, before its verdict. */
export interface CheckMessages {
  readonly fine: Unfilled;
  readonly otherwise: Unfilled;
  readonly unknown?: Unfilled;
  readonly variants?: Readonly<Partial<Record<string, Unfilled>>>;
}

/** The messages of a finding; for what was not checked, general ones if the check does not have its own. */
export function findingMessages(
  { sentences, unknown }: Pick<MessagesOf<'site-check'>['checks'], 'sentences' | 'unknown'>,
  { check, variant, verdict, data }: Finding,
  /** For sentences of the service or the contract; without it, they are in English. */
  service: Pick<Messages, 'service'> = {},
): FindingMessages {
  const messages: CheckMessages = sentences[check];
  const byVerdict = { fine: messages.fine, unknown: messages.unknown ?? unknown, wrong: undefined, warning: undefined, note: undefined };
  const chosen = (variant === undefined ? undefined : messages.variants?.[variant]) ?? byVerdict[verdict] ?? messages.otherwise;
  return fillFrom(chosen, { ...data, ...problemTextOf(service, data), ...shortened(data) });
}

/** Times to the minute, commits in short form, and durations: from two hours on, in whole hours. */
function shortened({ time, commit, head, minutes }: Finding['data']): Record<string, string | number | undefined> {
  const lasts = Number(minutes ?? 0);
  return {
    time: time?.slice(0, 16).replace('T', ' '),
    commit: commit?.slice(0, 10),
    head: head?.slice(0, 10),
    hours: lasts < 120 ? 0 : Math.floor(lasts / 60),
  };
}

/** Symptoms of a site that does not work, in display order. */
export const SYMPTOMS = ['white-page', 'old-code', 'publishing', 'config-missing'] as const;

export type Symptom = (typeof SYMPTOMS)[number];
