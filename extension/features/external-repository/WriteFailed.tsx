import type { Failure } from '@repoless/core/situation/situation.ts';
import { isUncertain } from '@repoless/core/run/uncertain-failure.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly failure: Failure;
  /** What is said where the answer was lost: what may be there all the same, and what to do then. */
  readonly lost: { readonly title: string; readonly next: string };
}

/** Why something was not made, or that it may have been made although its answer was lost. */
export function WriteFailed({ failure, lost }: Props) {
  const messages = useMessages('sync');
  const isLost = isUncertain(failure);
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const explained = explainFailure(messages, failure);
  return isLost ? (
    <Explanation title={lost.title} explained={{ sentence: explained.sentence, next: lost.next }} focus={focus} />
  ) : (
    <Explanation explained={explained} details={fieldSentences(failure)} focus={focus} />
  );
}
