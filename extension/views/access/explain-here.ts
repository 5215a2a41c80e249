import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import type { Explained } from '#extension/words/explained.ts';
import type { Words } from '#extension/words/words.ts';

/** A failure in words; what to do next is left out where it speaks of another view. */
export function explainHere(words: Words, failure: Failure): Explained {
  const explained = explainFailure(words, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}
