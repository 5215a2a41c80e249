import type { Failure } from '@repoless/core/situation/situation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';

/** A failure in words; what to do next is left out where it speaks of another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}
