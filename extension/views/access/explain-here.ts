import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import type { Explained } from '#extension/messages/explain-failure.ts';
import type { Messages } from '#extension/messages/language.ts';

/** A failure in words; what to do next is left out where it speaks of another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}
