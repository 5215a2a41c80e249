import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import { Explanation } from '../shared/Explanation.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useMessages } from '../messages/use-messages.ts';
import { explainHere } from './explain-here.ts';
import { Review } from './Review.tsx';
import type { Editor } from './use-edit.ts';

interface Props {
  readonly kind: 'site' | 'organization';
  readonly editor: Editor<unknown>;
}

/** The way from a draft to what is stored: looked at first, then saved. */
export function ReviewBar({ kind, editor }: Props) {
  const messages = useMessages();
  const { review } = useMessages('access');
  const { phase } = editor;
  /** How often one came back to the draft: the focus comes along. */
  const [returned, setReturned] = useState(0);
  const bar = useFocusOnArrival<HTMLDivElement>(returned > 0 ? returned : undefined);
  const comeBack = (leave: () => void): void => {
    leave();
    setReturned(returned + 1);
  };
  const focus = useFocusOnArrival<HTMLDivElement>(phase.state === 'refused' ? phase : undefined);
  switch (phase.state) {
    case 'looking':
      return <Loading text={review.looking} />;
    case 'saving':
      return <Loading text={review.saving} />;
    case 'review':
      return <Review kind={kind} phase={phase} onSave={(confirm) => void editor.save(confirm)} onBack={() => comeBack(editor.back)} />;
    case 'editing':
    case 'refused':
      return (
        <>
          {phase.state === 'refused' && (
            <Explanation
              title={phase.wasSaving ? review.refused : review.lookRefused}
              explained={explainHere(messages, phase.failure)}
              details={editor.further}
              focus={focus}
            />
          )}
          <div className="rp-actions" role="group" aria-label={review.label} tabIndex={-1} ref={bar}>
            <Button variant="accent" isDisabled={!editor.isChanged} onPress={() => void editor.look()}>
              {review.look}
            </Button>
            {editor.isChanged ? (
              <Button variant="secondary" onPress={() => comeBack(editor.discard)}>
                {review.discard}
              </Button>
            ) : (
              <span className="rp-quiet">{review.nothing}</span>
            )}
          </div>
        </>
      );
    default:
      return phase satisfies never;
  }
}
