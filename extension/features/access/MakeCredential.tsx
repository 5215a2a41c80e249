import { type Explained, fieldSentences, serviceAnswer } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, isUncertain, type Known } from '@repoless/core/situation/call.ts';
import { type ReactNode, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { SubmitForm } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { explainHere } from './notices.tsx';

export interface Making<T, M> {
  /** The existing ones. */
  readonly listed: readonly T[];
  /** One may exist although no answer came: the list must be read again. */
  readonly onUncertain: () => void;
  readonly onMade: (made: M) => void;
  readonly onCancel: () => void;
}

interface Props<T, M> extends Making<T, M> {
  readonly messages: {
    readonly makeTitle: string;
    readonly making: string;
    readonly create: string;
    readonly cancel: string;
    readonly failed: string;
    readonly uncertain: { readonly title: string } & Explained;
  };
  readonly isEntered: boolean;
  /** Creates it; undefined while the input is invalid. */
  readonly make: () => Promise<Known<M>> | undefined;
  /** Whether a field already shows why it was refused. */
  readonly isShown?: (failure: Failure) => boolean;
  /** The names of what is new in the list. */
  readonly appeared: (before: readonly T[]) => readonly string[];
  readonly children: ReactNode;
}

type State<T> =
  | { readonly state: 'no' | 'making' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'uncertain'; readonly failure: Failure; readonly before: readonly T[] };

/** The form for a new credential whose value the service generates. */
export function MakeCredential<T, M>(props: Props<T, M>) {
  const { messages: texts, isEntered, make, isShown = () => false, appeared, children, listed, onUncertain, onMade, onCancel } = props;
  const messages = useMessages();
  const [making, setMaking] = useState<State<T>>({ state: 'no' });
  const isMaking = making.state === 'making';
  useUnsavedEntry(isMaking || isEntered, 'place', isMaking ? 'making' : 'unsaved');
  const heading = useFocusOnArrival<HTMLHeadingElement>(true);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in making ? making : undefined);
  const submit = async (): Promise<void> => {
    if (isMaking) return undefined;
    const asked = make();
    if (asked === undefined) return undefined;
    setMaking({ state: 'making' });
    const answer = await asked;
    if (answer.state === 'known') return onMade(answer.value);
    const failure = failureOf(answer);
    if (!isUncertain(failure)) return setMaking(isShown(failure) ? { state: 'no' } : { state: 'failed', failure });
    setMaking({ state: 'uncertain', failure, before: listed });
    return onUncertain();
  };
  return (
    <div className="rp-make-key">
      <h3 tabIndex={-1} ref={heading}>
        {texts.makeTitle}
      </h3>
      <SubmitForm isDisabled={isMaking} onSubmit={submit}>
        {children}
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={isMaking} text={isMaking ? texts.making : texts.create} />
          <TextButton isDisabled={isMaking} onPress={onCancel} text={texts.cancel} />
        </div>
      </SubmitForm>
      {making.state === 'failed' && (
        <Explanation
          title={texts.failed}
          explained={explainHere(messages, making.failure)}
          details={fieldSentences(messages, making.failure)}
          focus={failed}
        />
      )}
      {making.state === 'uncertain' && (
        <Explanation
          title={texts.uncertain.title}
          explained={{ ...texts.uncertain, sentence: serviceAnswer(messages, making.failure) ?? texts.uncertain.sentence }}
          details={appeared(making.before)}
          focus={failed}
        />
      )}
    </div>
  );
}
