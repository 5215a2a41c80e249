import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { groupConsequences } from '@repoless/core/access/consequences.ts';
import { type Finding, fixOf } from '@repoless/core/checks/finding.ts';
import {
  APPLY,
  fixByCheck,
  nextByBlock,
  nextByCode,
  nextByFailure,
  nextByRow,
  unexpectedService,
  requestId,
} from '@repoless/core/messages/en/command-line-next.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { consequenceSentence } from '@repoless/core/messages/consequence-sentence.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { explainCell, explainRow } from '@repoless/core/messages/explain-row.ts';
import type { CheckMessages } from '@repoless/core/messages/finding-messages.ts';
import { fillFrom, type Message } from '@repoless/core/messages/format-message.ts';
import type { CellMessage, RowProblem, RowStep } from '@repoless/core/sites/rows.ts';
import { type Failure, failureOf, type Known, NOT_FOUND } from '@repoless/core/situation/call.ts';
import { CommandFailure } from './cli-context.ts';
import type { Change } from '@repoless/core/history/change.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';

/** What changes do to people and visitors, one line each. */
export function consequenceLines(found: readonly ConsequenceOfSites[]): string[] {
  return groupConsequences(found).map((one) => consequenceSentence(english.access, one));
}

/** Message and next step of a failure, in one line. */
export function failureLine(failure: Failure): string {
  if (failure.status === 401 && failure.system === 'authoring') return messages.login.notAccepted('REPOLESS_AUTHORING_TOKEN');
  // `connect` names the token that was refused.
  if (failure.status === 401) return failure.message ?? messages.login.needed;
  if (failure === NOT_FOUND) return messages.failed(unexpectedService.notFound, unexpectedService.checkNames);
  if (isOfNoService(failure)) return messages.failed(unexpectedService.sentence(failure.status), unexpectedService.next);
  const { problem, finding } = failure;
  if (finding?.kind === 'unread' && finding.from === 'service')
    return messages.failed(unexpectedService.unread(finding.about), unexpectedService.next);
  const { sentence, next } = explainFailure(terminal, failure);
  const line = messages.failed(sentence, next);
  return problem?.requestId !== undefined && REPORTED.has(problem.code) ? `${line} ${requestId(problem.requestId)}` : line;
}

/** Whether another program responded: every refusal of the service is a problem document. */
export function isOfNoService({ kind, system, problem, finding, message }: Failure): boolean {
  const isExplained = problem !== undefined || finding !== undefined || message !== undefined;
  return (kind === 'refused' || kind === 'unexpected') && system === undefined && !isExplained;
}

/** Errors whose cause only an operator can find, by the request. */
const REPORTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BODY_UNPARSABLE',
  'BODY_MISSING',
  'PROPERTY_UNKNOWN',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
  'INTERNAL',
]);

/** A failure of something that the command cannot do without. */
export function notKnown(known: Exclude<Known<unknown>, { state: 'known' }>): CommandFailure {
  return new CommandFailure(failureLine(failureOf(known)));
}

/** Names of a site's steps for use in a sentence. */
export const stepMessages: Record<RowStep, string> = {
  read: 'reading',
  repository: 'checking the repository',
  'configuration-page': 'creating the configuration page',
  'register-site': 'registering the site',
  code: 'syncing the code',
  verify: 'verifying both hosts',
  'cloud-configuration': 'setting its own cloud configuration',
  switch: 'selecting its own cloud configuration',
  pages: 'checking its pages on the preview host',
};

/** Why a site failed and what to do, in one line. */
export function problemLine(problem: RowProblem): string {
  const { reason, failure, after } = problem;
  if (reason === 'signed-out' && failure !== undefined && after === undefined) return failureLine(failure);
  const { sentence, next } = explainRow(terminal, problem);
  return messages.failed(sentence, next);
}

export function cellLine(message: CellMessage): string {
  return message.kind === 'problem' ? problemLine(message.problem) : explainCell(terminal, message);
}

const { service, sites, 'first-view': panel, 'site-check': siteCheck } = english;
const { failures } = panel;

/**
 * The panel's messages, with next steps for a terminal, which has no views and buttons. Always English, so that pipelines do not depend on
 * the language of the machine.
 */
export const terminal = {
  ...panel,
  service: { next: { ...service.next, ...nextByCode } },
  failures: {
    ...failures,
    changedMeanwhile: { ...failures.changedMeanwhile, next: nextByFailure.changedMeanwhile },
    planChanged: { ...failures.planChanged, next: nextByFailure.planChanged },
    unreachable: { ...failures.unreachable, next: nextByFailure.unreachable },
    unexpected: { ...failures.unexpected, next: nextByFailure.unexpected },
    refused: { ...failures.refused, next: nextByFailure.refused },
    notWritten: { ...failures.notWritten, next: nextByFailure.notWritten },
    authoringRefused: {
      ...failures.authoringRefused,
      401: { ...failures.authoringRefused[401], next: nextByFailure.authoringSignIn },
    },
  },
  blocked: overlaid(panel.blocked, 'next', { ...nextByBlock, 'sync-failed-by-secret': nextByBlock['sync-failed'] }),
  rowProblems: overlaid(sites.rowProblems, 'next', nextByRow),
  cellSentence: sites.cellSentence,
};

type Data = Readonly<Record<string, string>>;
type Next = (data: Data) => string | undefined;

/** The same messages, with those of `over` at the keys that it has. */
function overlaid<T extends Readonly<Record<string, Readonly<Record<string, Message>>>>>(
  messages: T,
  key: string,
  over: Readonly<Partial<Record<string, Next | undefined>>>,
): T {
  const filled = Object.entries(messages).map(([id, texts]) => {
    const next = over[id];
    return [id, next === undefined ? texts : { ...texts, [key]: (data: Data) => next(data) ?? fillFrom(texts[key] ?? '', data) }];
  });
  // Functions replace texts: `fillFrom` takes either.
  return Object.fromEntries(filled) as T;
}

/** How to fix a finding in a terminal. Takes the panel's text. */
export function terminalFix(finding: Finding, text: string | undefined): string | undefined {
  const { check, variant, verdict, data } = finding;
  const { variants }: CheckMessages = siteCheck.checks.sentences[check];
  const hasVariant = variant !== undefined && variants?.[variant] !== undefined;
  const fix = fixByCheck[check]?.[hasVariant ? variant : verdict === 'unknown' ? 'unknown' : 'otherwise'];
  const mending = fixOf(finding);
  const usual = mending !== undefined && 'step' in mending ? APPLY : text;
  if (usual === undefined || fix === undefined) return usual;
  return typeof fix === 'string' ? fix : fix(data);
}

/**
 * Names, titles and messages that others wrote must not move the cursor or set the title of a terminal: control characters are shown as
 * escapes, which mean the same in JSON and YAML.
 */
export function harmless(text: string): string {
  return text.replaceAll(CONTROL, escaped);
}
const CONTROL = /(?![\t\n]|\r\n)\p{Cc}/gu;

/** A text that others wrote as a part of a line: it adds no lines that seem to be ours, and does not reverse the writing direction. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, escaped);
}

export function changeLine(change: Change): string {
  return onOneLine(changeSentence(english.history, change));
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
