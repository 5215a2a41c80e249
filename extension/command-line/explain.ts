import type { ErrorCode } from '#contract/errors.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import {
  notTheService,
  requestId,
  fixByCheck,
  nextByBlock,
  nextByCode,
  nextByFailure,
  nextByRow,
} from '#extension/messages/en/command-line-next.ts';
import { NOT_FOUND, failureOf } from '#extension/setup/failure-of.ts';
import type { CellSays, RowProblem, RowStep } from '#extension/setup/sites/rows.ts';
import { rowSteps, cellSentence, rowProblems } from '#extension/messages/en/site-rows.ts';
import { explainCell, explainRow } from '#extension/messages/explain-row.ts';
import type { Finding } from '#extension/setup/findings.ts';
import { findingSentences } from '#extension/messages/en/findings.ts';
import { firstView as en } from '#extension/messages/en/first-view.ts';
import { CommandFailure } from './cli-context.ts';

/** Sentence and next step of a failure, in one line. */
export function failureLine(failure: Failure): string {
  if (failure.status === 401 && failure.system === 'authoring') return messages.login.notAccepted('REPOLESS_AUTHORING_TOKEN');
  // `connect` says whose token was refused.
  if (failure.status === 401) return failure.message ?? messages.login.needed;
  if (failure === NOT_FOUND) return messages.failed(notTheService.notFound, notTheService.checkNames);
  if (isOfNoService(failure)) return messages.failed(notTheService.sentence(failure.status), notTheService.next);
  const { problem, finding } = failure;
  if (finding?.kind === 'unread' && finding.from === 'service')
    return messages.failed(notTheService.unread(finding.about), notTheService.next);
  const { sentence, next } = explainFailure(terminal, failure);
  const line = messages.failed(sentence, next);
  return problem?.requestId !== undefined && REPORTED.has(problem.code) ? `${line} ${requestId(problem.requestId)}` : line;
}

/** Whether another program answered: every refusal of the service is a problem document. */
export function isOfNoService({ kind, system, problem, finding, message }: Failure): boolean {
  const isExplained = problem !== undefined || finding !== undefined || message !== undefined;
  return (kind === 'refused' || kind === 'unexpected') && system === undefined && !isExplained;
}

/** What only an operator finds the cause of, by the request. */
const REPORTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BODY_UNPARSABLE',
  'BODY_MISSING',
  'PROPERTY_UNKNOWN',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
  'INTERNAL',
]);

/** What went wrong with something that the command cannot do without. */
export function notKnown(known: Exclude<Known<unknown>, { state: 'known' }>): CommandFailure {
  return new CommandFailure(failureLine(failureOf(known)));
}

/** What a step of a site is called within a sentence. */
export function stepMessages(step: RowStep): string {
  return rowSteps[step];
}

/** Why a site did not succeed, and what to do, in one line. */
export function problemLine(problem: RowProblem): string {
  const { reason, failure, after } = problem;
  if (reason === 'signed-out' && failure !== undefined && after === undefined) return failureLine(failure);
  const { sentence, next } = explainRow(terminal, problem);
  return messages.failed(sentence, next);
}

/** What is wrong at a value of a site. */
export function cellLine(says: CellSays): string {
  return says.kind === 'problem' ? problemLine(says.problem) : explainCell(terminal, says);
}

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
