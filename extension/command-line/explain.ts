import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import { en } from '#extension/words/en.ts';
import { CommandFailure } from './surroundings.ts';

/** Sentence and next step of a failure, in one line. */
export function failureLine(failure: Failure): string {
  if (failure.status === 401) return words.login.needed;
  const { sentence, next } = explainFailure(en, failure);
  return words.failed(sentence, next);
}

/** What went wrong with something that the command cannot do without. */
export function notKnown(known: Exclude<Known<unknown>, { state: 'known' }>): CommandFailure {
  return new CommandFailure(failureLine(known.state === 'failed' ? known.failure : { kind: 'refused', status: 404 }));
}
