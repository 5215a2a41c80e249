import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, isUncertain } from '@repoless/core/situation/call.ts';
import type { ReactNode } from 'react';
import { TextButton } from './TextButton.tsx';
import { Explanation, Notice } from './Notice.tsx';
import { useFocusOnArrival } from './focus.ts';
import { useMessages } from './use-messages.ts';
import { useUnsavedEntry } from './use-guarded.ts';

interface Props {
  readonly title: string;
  readonly level?: 3 | 4;
  /** What it removes or creates. */
  readonly text: string;
  readonly more?: ReactNode;
  readonly yes: string;
  readonly no: string;
  /** Something stops working. */
  readonly isNegative?: boolean;
  /** Announced while it is carried out; undefined until it is confirmed. Its result is shown only once, so leaving asks first. */
  readonly doing?: string | undefined;
  /** Why it cannot be confirmed yet: something grave must first be confirmed in `more`. */
  readonly hint?: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** A question before something permanent. It replaces its button, with the answers below the text, so that a double click confirms nothing. */
export function Question({ title, level = 3, text, more, yes, no, isNegative = true, doing, hint = '', onYes, onNo }: Props) {
  const focus = useFocusOnArrival<HTMLHeadingElement>(title);
  useUnsavedEntry(doing !== undefined, 'place', 'making');
  const Heading = `h${level}` as const;
  return (
    <Notice
      tone="warning"
      role="group"
      label={title}
      actions={
        <>
          <TextButton
            variant={isNegative ? 'negative' : 'accent'}
            isDisabled={doing !== undefined || hint !== ''}
            onPress={onYes}
            text={doing ?? yes}
          />
          <TextButton isDisabled={doing !== undefined} onPress={onNo} text={no} />
          {hint !== '' && <span className="rp-quiet">{hint}</span>}
        </>
      }
    >
      <Heading tabIndex={-1} ref={focus}>
        {title}
      </Heading>
      <p>{text}</p>
      {more}
    </Notice>
  );
}

interface WriteFailedProps {
  readonly failure: Failure;
  /** Shown after a lost answer: what may have been created nevertheless, and what to do then. */
  readonly lost: { readonly title: string; readonly next: string };
}

/** Why something was not created, or that it may have been created although the answer was lost. */
export function WriteFailed({ failure, lost }: WriteFailedProps) {
  const messages = useMessages('sync');
  const isLost = isUncertain(failure);
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const explained = explainFailure(messages, failure);
  return isLost ? (
    <Explanation title={lost.title} explained={{ sentence: explained.sentence, next: lost.next }} focus={focus} />
  ) : (
    <Explanation explained={explained} details={fieldSentences(messages, failure)} focus={focus} />
  );
}
