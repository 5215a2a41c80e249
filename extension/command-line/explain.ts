import type { ErrorCode } from '#contract/errors.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { notTheService, requestId } from '#extension/messages/en/command-line-next.ts';
import { NOT_FOUND, failureOf } from '#extension/setup/failure-of.ts';
import { CommandFailure } from './cli-context.ts';
import { terminal } from './terminal-messages.ts';

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
