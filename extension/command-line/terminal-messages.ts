import type { Finding } from '#extension/setup/findings.ts';
import { findingSentences } from '#extension/messages/en/findings.ts';
import { firstView as en } from '#extension/messages/en/first-view.ts';
import { cellSentence, rowProblems } from '#extension/messages/en/site-rows.ts';
import { fixByCheck, nextByBlock, nextByCode, nextByFailure, nextByRow } from '#extension/messages/en/command-line-next.ts';

const { failures, blocked } = en;

/**
 * What the panel says, with next steps for a terminal, which has no views and buttons. What pipelines read stays the same
 * whatever the language of the machine.
 */
export const terminal = {
  ...en,
  problems: { ...en.problems, ...nextByCode },
  failures: {
    ...failures,
    changedMeanwhile: { ...failures.changedMeanwhile, next: nextByFailure.changedMeanwhile },
    planChanged: { ...failures.planChanged, next: nextByFailure.planChanged },
    unreachable: { ...failures.unreachable, next: nextByFailure.unreachable },
    unexpected: { ...failures.unexpected, next: nextByFailure.unexpected },
    refused: (status: number | undefined) => ({ ...failures.refused(status), next: nextByFailure.refused }),
    notWritten: (address: string) => ({ ...failures.notWritten(address), next: nextByFailure.notWritten }),
    authoringRefused: {
      ...failures.authoringRefused,
      401: { ...failures.authoringRefused[401], next: nextByFailure.authoringSignIn },
    },
  },
  blocked: overlaid(blocked, (reason, data, said) => ({ ...said, who: nextByBlock[reason]?.(data) ?? said.who })),
  rowProblems: overlaid(rowProblems, (reason, data, said) => ({ ...said, next: nextByRow[reason]?.(data) ?? said.next })),
  cellSentence,
};

type Data = Readonly<Record<string, string>>;

/** The same messages, each as `over` makes it of its key and of what it says. */
function overlaid<K extends string, V>(base: Readonly<Record<K, (data: Data) => V>>, over: (key: K, data: Data, said: V) => V) {
  const result: Record<K, (data: Data) => V> = { ...base };
  for (const key of keysOf(base)) result[key] = (data) => over(key, data, base[key](data));
  return result;
}

/** In: a record that is written out where it is made, so that it has the keys of its type and no others. */
function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[];
}

/** How a finding is mended in a terminal. In: what the panel says. */
export function terminalFix({ check, variant, verdict, data }: Finding, said: string | undefined): string | undefined {
  const hasVariant = variant !== undefined && findingSentences[check].variants?.[variant] !== undefined;
  const fix = fixByCheck[check]?.[hasVariant ? variant : verdict === 'unknown' ? 'unknown' : 'otherwise'];
  if (said === undefined || fix === undefined) return said;
  return typeof fix === 'string' ? fix : fix(data);
}
