import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { firstView as en } from '#extension/messages/en/first-view.ts';
import { failureOf } from '#extension/setup/failure-of.ts';
import { CommandFailure } from './cli-context.ts';

/** Sentence and next step of a failure, in one line. */
export function failureLine(failure: Failure): string {
  if (failure.status === 401 && failure.system === 'authoring') return messages.login.notAccepted('REPOLESS_AUTHORING_TOKEN');
  // `connect` says whose token was refused.
  if (failure.status === 401) return failure.message ?? messages.login.needed;
  const { sentence, next } = explainFailure(en, failure);
  return messages.failed(sentence, next);
}

/** What went wrong with something that the command cannot do without. */
export function notKnown(known: Exclude<Known<unknown>, { state: 'known' }>): CommandFailure {
  return new CommandFailure(failureLine(failureOf(known)));
}
